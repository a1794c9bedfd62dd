// @ts-check
/** Dispatch: what happened, who can go, the schemes side by side, and a person's yes. */

import * as api from "../api.js";
import { opens } from "../dialogs.js";
import { h, keyed } from "../dom.js";
import { enDesk } from "../i18n/en_desk.js";
import { zhDesk } from "../i18n/zh_desk.js";
import { away, learn, t } from "../words.js";
import { bareDistricts, reportEvent, teamForm, whatIf } from "./desk.js";
import { OPEN, OVER, arrival, spots, steady, tally, urgentFirst } from "./happening.js";
import { mapView } from "./map.js";
import { pastSection } from "./past.js";
import { capability, schemeBoard, titled } from "./schemes.js";
import { soon } from "./today.js";

learn({ zh: zhDesk, en: enDesk });

const SHOWN = 60; // rows that somebody reads; the rest is found by typing
const OVER_SHOWN = 20;

/** @param {any} context */
export function page(context) {
  const { hear, every, fail, now, house } = context;
  const may = house.me?.kind !== "viewer";
  let chosen = "";
  /** @type {any} */
  let picked = null;
  let hears = false;
  /** @type {any} */
  let data = { events: [], teams: new Map(), out: [], locks: [], ways: [] };
  const list = h("div", { class: "plain events" });
  const counts = h("p", { class: "hint" });
  const picture = mapView(context, (place) => (picked = place));
  const teams = h("ul", { class: "plain" });
  const holds = h("ul", { class: "plain" });
  const board = schemeBoard(context, () => reload(), (id) => titleOf(id));
  const bare = bareDistricts(context);
  const past = pastSection(context, (id) => data.teams.get(id)?.name ?? titleOf(id));
  const find = h("input", { type: "search", "aria-label": t("desk.team.find"), placeholder: t("desk.team.find"),
    oninput: () => search() });
  const all = h("ul", { class: "plain" });
  const left = h("p", { class: "hint", hidden: true });
  const spotsNow = spots();

  const load = async () => {
    const [open, over, everybody, out, locks, ways] = await Promise.all([
      api.get("/ai/events", { status: OPEN, limit: 1000 }), api.get("/ai/events", { status: OVER, limit: OVER_SHOWN }),
      spotsNow(), api.get("/ai/teams", { status: ["deployed", "unavailable"], limit: SHOWN }),
      api.get("/ai/locks"), api.get("/ai/assignments", { open: true })]);
    data = {
      events: urgentFirst([...open.items, ...over.items]), teams: everybody, out: out.items, locks: locks.items,
      ways: ways.items,
    };
    if (!data.events.some((/** @type {any} */ one) => one.id === chosen)) chosen = data.events[0]?.id ?? "";
    draw();
    bare.load();
  };
  const draw = () => {
    const held = new Set(data.locks.map((/** @type {any} */ one) => one.team_id));
    keyed(
      list, data.events, (one) => one.id, (one) => happening(one),
      { sameAs: (one) => JSON.stringify([one, one.id === chosen, away(one.reported_at, now())]) },
    );
    const open = data.events.filter((/** @type {any} */ one) => !OVER.includes(one.status));
    counts.textContent = tally(open);
    picture.show([...data.teams.values()], open, data.ways, held);
    keyed(holds, data.locks.slice(0, SHOWN), (one) => one.team_id, (one) => hold(one),
      { sameAs: (one) => JSON.stringify([one, away(one.until, now())]) });
    noHolds.hidden = data.locks.length > 0;
    keyed(teams, data.out, (one) => one.id, (one) => team(one), { sameAs: (one) => JSON.stringify([one, wayOf(one.id)]) });
    nobodyOut.hidden = data.out.length > 0;
    none.hidden = data.events.length > 0;
    show();
  };
  const show = () => board.show(data.events.find((/** @type {any} */ one) => one.id === chosen) ?? null);
  const choose = (/** @type {string} */ id) => {
    chosen = id;
    for (const one of list.children) one.setAttribute("aria-pressed", String(one.getAttribute("data-key") === id));
    show();
  };
  const searched = async () => {
    const text = find.value.trim();
    const found = await api.get("/ai/teams", { text, limit: SHOWN });
    if (text !== find.value.trim()) return; // somebody has typed on
    keyed(all, found.items, (one) => one.id, (one) => known(one), { sameAs: (one) => JSON.stringify(one) });
    left.hidden = !found.next_cursor;
    left.textContent = t("desk.team.more");
  };
  const search = soon(() => searched().catch(fail));
  const known = (/** @type {any} */ one) => h("li", { class: "device" },
    h("div", { class: "what" }, h("strong", {}, one.name), h("small", {}, [
      t(`team.${one.status}`), Object.entries(one.capabilities).map(([name, n]) => `${capability(name)} × ${n}`).join(", "),
      one.position_at ? t("desk.team.seen", { away: away(one.position_at, now()) }) : "",
    ].filter(Boolean).join(" · "))),
    may && h("button", { class: "small quiet", type: "button", "aria-label": t("desk.team.edit", { name: one.name }),
      ...opens(`team:${one.id}`, () => teamForm(context, one, null, changed)) }, t("edit")));
  const middle = () => picked ?? data.events[0]?.place ?? data.teams.values().next().value?.place;
  const noHolds = h("p", { class: "hint" }, t("holds.none"));
  const nobodyOut = h("p", { class: "hint" }, t("dispatch.nobody_out"));
  const none = h("p", { class: "hint", hidden: true }, t("dispatch.none"));
  const happening = (/** @type {any} */ one) => h("button",
    {
      class: "happening", type: "button", "aria-pressed": String(one.id === chosen), onclick: () => choose(one.id),
    },
    h("strong", {}, titled(one)),
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
  const nameOf = (/** @type {string} */ id) => data.teams.get(id)?.name ?? id;
  const titleOf = (/** @type {string} */ id) => {
    const found = data.events.find((/** @type {any} */ one) => one.id === id);
    return found ? titled(found) : id;
  };
  const wayOf = (/** @type {string} */ id) => data.ways.find((/** @type {any} */ one) => one.team_id === id);
  const hold = (/** @type {any} */ one) => h("li", { class: "device" }, h("div", { class: "what" },
    h("strong", {}, nameOf(one.team_id)),
    h("small", {}, t("holds.by", { event: titleOf(one.locked_by), away: away(one.until, now()) }))));
  const team = (/** @type {any} */ one) => {
    const way = wayOf(one.id);
    const act = (/** @type {string} */ verb) => () => api.post(
      `/ai/teams/${one.id}/${verb}`, verb === "unavailable" ? {} : undefined,
    ).then(changed).catch(fail);
    const verbs = one.status !== "deployed" ? ["standby"]
      : [...(way?.on_scene_at ? [] : [way?.call === "accepted" ? "on-scene" : "accept"]), "complete", "decline", "breakdown"];
    return h("li", { class: "device" }, h("div", { class: "what" }, h("strong", {}, one.name),
      h(
        "small", {},
        [
          t(`team.${one.status}`), way ? titleOf(way.event_id) : one.reason, way ? t(`call.${way.call}`) : "",
          way ? arrival(way, now()) : "",
        ].filter(Boolean).join(" · "),
      )),
      h(
        "div", { class: "row" },
        may && verbs.map(
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
  const reload = steady(() => load().catch(fail));
  const changed = () => { search(); reload(); };
  const reported = (/** @type {string} */ id) => { chosen = id; picked = null; picture.forget(); reload(); };
  context.press(board.pressed);
  hear(["event.", "plan.", "scheme.", "team."], reload);
  every(reload, house.isDesk ? 3_000 : 10_000); // the desk is not told what happens
  const seen = load().catch(fail); // who comes by an address comes before the events do
  search();
  api.get("/ai/map").then((found) => { hears = found.hears; picture.use(found); }).catch(fail);
  return h("div", { class: "page dispatch" },
    h("header", { class: "page-head" }, h("h1", {}, t("page.dispatch")), h("p", {}, t("dispatch.explain")),
      h("div", { class: "row" },
        may && h("button", { class: "primary", type: "button", ...opens("report", () => reportEvent(context, middle(), hears, reported)) },
          t("desk.report")),
        may && h("button", { type: "button", ...opens("team-new", () => teamForm(context, null, middle(), changed)) },
          t("desk.team.add")),
        h("button", { class: "quiet", type: "button", ...opens("what-if", async () => {
          await seen;
          const event = data.events.find((/** @type {any} */ one) => one.id === chosen);
          if (event) whatIf(context, event, titled(event));
        }) }, t("desk.if")))),
    h("div", { class: "grid2" },
      h("section", { class: "card" }, h("h2", {}, t("dispatch.events")), counts, none, list),
      h("section", { class: "card" }, h("h2", {}, t("dispatch.map")), picture.element, legend())),
    board.element, bare.element,
    h("div", { class: "grid2" },
      h("section", { class: "card" }, h("h2", {}, t("dispatch.out")), nobodyOut, teams),
      h("section", { class: "card" }, h("h2", {}, t("holds.title")), noHolds, holds)),
    h("section", { class: "card" }, h("h2", {}, t("desk.team.all")), find, h("div", { class: "events" }, all), left),
    past);
}

function legend() {
  return h(
    "p", { class: "legend" }, h("span", { class: "done" }, t("team.standby")),
    h("span", { class: "late" }, t("team.deployed")),
    h("span", { class: "level-bulk" }, t("team.unavailable")), h("span", { class: "held" }, t("team.held")),
  );
}
