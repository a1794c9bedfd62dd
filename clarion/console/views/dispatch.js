// @ts-check
/** Dispatch: what happened, who can go, the schemes side by side, and a person's yes. */

import * as api from "../api.js";
import { h, keyed } from "../dom.js";
import { away, t } from "../words.js";
import { bareDistricts, reportEvent, teamForm, whatIf } from "./desk.js";
import { map } from "./map.js";
import { capability, schemeBoard } from "./schemes.js";
import { soon } from "./today.js";

const OVER = ["closed", "cancelled"];
const SHOWN = 60; // rows that somebody reads; the rest is found by typing
const RANK = { critical: 0, high: 1, medium: 2, low: 3 };

/** What needs somebody first: open ones, the gravest, the latest. @param {any[]} events */
export function urgentFirst(events) {
  const over = (/** @type {any} */ one) => Number(OVER.includes(one.status));
  const rank = (/** @type {any} */ one) => /** @type {Record<string, number>} */ (RANK)[one.severity] ?? 9;
  return [...events].sort(
    (a, b) => over(a) - over(b) || rank(a) - rank(b) || b.reported_at.localeCompare(a.reported_at),
  );
}

/** @param {any} context */
export function page(context) {
  const { hear, every, fail, now } = context;
  let chosen = "";
  /** @type {any} */
  let data = { events: [], teams: [], locks: [], ways: [] };
  const list = h("div", { class: "plain" });
  const picture = h("div", {});
  const teams = h("ul", { class: "plain" });
  const holds = h("ul", { class: "plain" });
  const board = schemeBoard(context, () => reload());
  const bare = bareDistricts(context);
  const find = h("input", { type: "search", "aria-label": t("desk.team.find"), placeholder: t("desk.team.find"),
    oninput: () => drawAll() });
  const all = h("ul", { class: "plain" });
  const left = h("p", { class: "hint" });

  const load = async () => {
    const [events, everybody, locks, ways] = await Promise.all(
      [api.get("/ai/events", { limit: 500 }), allTeams(), api.get("/ai/locks"), api.get("/ai/assignments")],
    );
    data = {
      events: urgentFirst(events.items), teams: everybody, locks: locks.items,
      ways: ways.items.filter((/** @type {any} */ one) => !one.closed_at),
    };
    chosen = data.events.some(
      (/** @type {any} */ one) => one.id === chosen,
    ) ? chosen : data.events[0]?.id ?? "";
    draw();
  };
  const draw = () => {
    const held = new Set(data.locks.map((/** @type {any} */ one) => one.team_id));
    keyed(
      list, data.events, (one) => one.id, (one) => happening(one),
      { sameAs: (one) => JSON.stringify([one, one.id === chosen]) },
    );
    const open = data.events.filter((/** @type {any} */ one) => !OVER.includes(one.status));
    picture.replaceChildren(map(data.teams, open, data.ways, held));
    keyed(holds, data.locks, (one) => one.team_id, (one) => hold(one));
    noHolds.hidden = data.locks.length > 0;
    const out = data.teams.filter((/** @type {any} */ one) => one.status !== "standby");
    keyed(teams, out, (one) => one.id, (one) => team(one));
    nobodyOut.hidden = out.length > 0;
    none.hidden = data.events.length > 0;
    drawAll();
    bare.load();
    board.show(data.events.find((/** @type {any} */ one) => one.id === chosen) ?? null);
  };
  const drawAll = () => {
    const words = find.value.trim().toLowerCase();
    const found = data.teams.filter((/** @type {any} */ one) => matches(one, words));
    keyed(all, found.slice(0, SHOWN), (one) => one.id, (one) => known(one),
      { sameAs: (one) => JSON.stringify(one) });
    left.hidden = found.length <= SHOWN;
    left.textContent = t("desk.team.more", { n: found.length - SHOWN });
  };
  const known = (/** @type {any} */ one) => h("li", { class: "device" },
    h("div", { class: "what" }, h("strong", {}, one.name), h("small", {}, [
      t(`team.${one.status}`), Object.entries(one.capabilities).map(([name, n]) => `${capability(name)} × ${n}`).join(", "),
      one.position_at ? t("desk.team.seen", { away: away(one.position_at, now()) }) : "",
    ].filter(Boolean).join(" · "))),
    h("button", { class: "small quiet", type: "button", "aria-label": t("desk.team.edit", { name: one.name }),
      onclick: () => teamForm(context, one, null, reload) }, t("edit")));
  const middle = () => (data.events[0] ?? data.teams[0])?.place;
  const noHolds = h("p", { class: "hint" }, t("holds.none"));
  const nobodyOut = h("p", { class: "hint" }, t("dispatch.nobody_out"));
  const none = h("p", { class: "hint", hidden: true }, t("dispatch.none"));
  const happening = (/** @type {any} */ one) => h("button",
    {
      class: "happening", type: "button", "aria-pressed": String(one.id === chosen),
      onclick: () => { chosen = one.id; draw(); },
    },
    h("strong", {}, one.title || one.type || one.report.slice(0, 40)),
    h("span", { class: "row" },
      h(
        "span", { class: `pill ${["critical", "high"].includes(one.severity) ? "bad" : ""}` },
        t(`severity.${one.severity}`),
      ),
      h(
        "span",
        {
          class: `pill ${one.status === "covered" ? "good" : one.status === "short" || one.status === "open" ? "ring" : ""}`,
        },
        t(`event.${one.status}`),
      ),
      h("small", {}, away(one.reported_at, now()))));
  const nameOf = (/** @type {string} */ id) => data.teams.find(
    (/** @type {any} */ one) => one.id === id,
  )?.name ?? id;
  const titleOf = (/** @type {string} */ id) => data.events.find(
    (/** @type {any} */ one) => one.id === id,
  )?.title || id;
  const hold = (/** @type {any} */ one) => h("li", { class: "device" }, h("div", { class: "what" },
    h("strong", {}, nameOf(one.team_id)),
    h("small", {}, t("holds.by", { event: titleOf(one.locked_by), away: away(one.until, now()) }))));
  const team = (/** @type {any} */ one) => {
    const way = data.ways.find((/** @type {any} */ each) => each.team_id === one.id);
    const act = (/** @type {string} */ verb) => () => api.post(
      `/ai/teams/${one.id}/${verb}`, verb === "unavailable" ? {} : undefined,
    ).then(reload).catch(fail);
    const verbs = one.status !== "deployed" ? ["standby"]
      : [way?.call === "accepted" ? "on-scene" : "accept", "complete", "decline", "breakdown"];
    return h("li", { class: "device" }, h("div", { class: "what" }, h("strong", {}, one.name),
      h(
        "small", {},
        [
          t(`team.${one.status}`), way ? titleOf(way.event_id) : one.reason, way ? t(`call.${way.call}`) : "",
        ].filter(Boolean).join(" · "),
      )),
      h(
        "div", { class: "row" },
        verbs.map(
          (verb) => h(
            "button",
            {
              class: "small quiet", type: "button", "aria-label": `${t(`team.verb.${verb}`)}: ${one.name}`,
              onclick: act(verb),
            },
            t(`team.verb.${verb}`),
          ),
        ),
      ));
  };
  const reload = soon(() => load().catch(fail));
  context.press(board.pressed);
  hear(["event.", "plan.", "scheme.", "team."], reload);
  every(reload, 10_000);
  reload();
  return h("div", { class: "page dispatch" },
    h("header", { class: "page-head" }, h("h1", {}, t("page.dispatch")), h("p", {}, t("dispatch.explain")),
      h("div", { class: "row" },
        h("button", { class: "primary", type: "button", onclick: () => reportEvent(context, middle(), reload) },
          t("desk.report")),
        h("button", { type: "button", onclick: () => teamForm(context, null, middle(), reload) },
          t("desk.team.add")),
        h("button", { class: "quiet", type: "button", onclick: () => {
          const event = data.events.find((/** @type {any} */ one) => one.id === chosen);
          if (event) whatIf(context, event, data.teams);
        } }, t("desk.if")))),
    h("div", { class: "grid2" },
      h("section", { class: "card" }, h("h2", {}, t("dispatch.events")), none, list),
      h("section", { class: "card" }, h("h2", {}, t("dispatch.map")), picture, legend())),
    board.element, bare.element,
    h("section", { class: "card" }, h("h2", {}, t("desk.team.all")), find, all, left),
    h("div", { class: "grid2" },
      h("section", { class: "card" }, h("h2", {}, t("dispatch.out")), nobodyOut, teams),
      h("section", { class: "card" }, h("h2", {}, t("holds.title")), noHolds, holds)));
}

/** Every page of them. */
async function allTeams() {
  /** @type {any[]} */
  const found = [];
  for (let cursor = ""; cursor !== null;) {
    const some = await api.get("/ai/teams", { cursor });
    found.push(...some.items);
    cursor = some.next_cursor;
  }
  return found;
}

/** @param {any} team @param {string} words */
export const matches = (team, words) => !words
  || [team.name, team.id, ...Object.keys(team.capabilities)].some((one) => one.toLowerCase().includes(words));

function legend() {
  return h(
    "p", { class: "legend" }, h("span", { class: "done" }, t("team.standby")),
    h("span", { class: "late" }, t("team.deployed")),
    h("span", { class: "level-bulk" }, t("team.unavailable")), h("span", { class: "held" }, t("team.held")),
  );
}
