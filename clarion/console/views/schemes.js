// @ts-check
/** An event's scheme next to its alternatives: who goes, how soon, at what cost, what is missing. */

import * as api from "../api.js";
import { h } from "../dom.js";
import { away, has, language, number, span, t } from "../words.js";

/** How an event is called: by its title, its words, or its kind. @param {any} one */
export const titled = (one) => one.title || one.report.slice(0, 40) || kindName(one.type);

/** @param {string} type */
const kindName = (type) => (has(`desk.type.${type}`) ? t(`desk.type.${type}`) : type);

/** A share as a whole percentage that never rounds up to all. @param {number} share */
export const percent = (share) => (share >= 1 ? 100 : Math.min(99, Math.round(share * 100)));

/**
 * The scheme with the titles of events that teams would leave in the place of their ids.
 * @param {any} scheme @param {(id: string) => string} titleOf
 */
export function withTitles(scheme, titleOf) {
  const left = new Set();
  const renamed = (/** @type {any} */ option) => ({ ...option, teams: option.teams.map((/** @type {any} */ team) => {
    if (team.taken_from) left.add(team.taken_from);
    return { ...team, taken_from: team.taken_from && titleOf(team.taken_from) };
  }) });
  const made = { ...renamed(scheme), alternatives: scheme.alternatives.map(renamed) };
  return { ...made, explanation: [...left].reduce((text, id) => text.replaceAll(id, titleOf(id)), scheme.explanation) };
}

/** @param {any} context @param {() => void} again @param {(id: string) => string} titleOf an event's */
export function schemeBoard(context, again, titleOf) {
  const { fail, say } = context;
  const body = h("div", {});
  const element = h("section", { class: "card", hidden: true }, body);
  let shown = "";
  const load = async (/** @type {any} */ event) => {
    const found = await api.get(`/ai/events/${event.id}/schemes/${language()}`);
    if (shown === event.id) body.replaceChildren(...draw(context, event, found.items.map((/** @type {any} */ one) => withTitles(one, titleOf)), act));
  };
  const act = (/** @type {Promise<any>} */ work, /** @type {string} */ told) =>
    work.then(() => say(t(told), "good")).catch(fail).finally(again);
  return {
    element,
    /** One key approves what is shown, unless somebody is typing. @param {KeyboardEvent} event */
    pressed(event) {
      const typing = /** @type {any} */ (event.target)?.closest?.("input, textarea, select, dialog");
      if (event.key !== "a" || event.ctrlKey || event.metaKey || event.altKey || event.repeat || typing) return;
      /** @type {any} */ (body.querySelector('[aria-keyshortcuts="a"]'))?.click();
    },
    show(/** @type {any} */ event) {
      element.hidden = !event;
      if (!event) return;
      if (shown !== event.id) body.replaceChildren();
      shown = event.id;
      load(event).catch(fail);
    },
  };
}

/** @param {any} context @param {any} event @param {any[]} schemes @param {any} act */
function draw({ now, house }, event, schemes, act) {
  const latest = schemes[0];
  const looksOn = house.me?.kind === "viewer";
  const over = looksOn || ["closed", "cancelled"].includes(event.status);
  const plan = (/** @type {boolean} */ approval) => () => act(
    api.post("/ai/generate-scheme", { event_id: event.id, approval }), "scheme.asked",
  );
  const head = h("div", { class: "who" },
    h("h2", { class: "what" }, t("scheme.title", { event: titled(event) })),
    !over && h("button", { class: "small", type: "button", onclick: plan(true) }, t("scheme.plan")),
    !over && h(
      "button",
      {
        class: "small quiet", type: "button",
        onclick: () => act(
          api.call("PATCH", `/ai/events/${event.id}`, { body: { status: "closed" } }), "scheme.closed",
        ),
      },
      t("scheme.close"),
    ));
  const needs = event.needs.length > 0 && h(
    "p", { class: "hint" },
    t(
      "scheme.needs",
      {
        needs: event.needs.map(
          (/** @type {any} */ one) => `${capability(one.capability)} × ${one.amount}`,
        ).join(", "),
      },
    ),
  );
  if (!latest) return [head, needs || "", h("p", { class: "hint" }, t("scheme.none"))];
  const approve = (/** @type {number} */ alternative) => () => act(
    api.post(`/ai/schemes/${latest.scheme_id}/approve`, { alternative }), "scheme.approved",
  );
  const options = [latest, ...latest.alternatives].map(
    (one, index) => option(one, index, latest, looksOn ? null : approve(index), now()),
  );
  const decide = latest.status === "proposed" && !looksOn && h("div", { class: "row verbs" },
    h(
      "button",
      { class: "primary", type: "button", onclick: approve(0), "aria-keyshortcuts": "a" },
      t("scheme.approve"),
    ),
    h("small", {}, t("desk.key")),
    h(
      "button",
      {
        class: "danger", type: "button",
        onclick: () => act(api.post(`/ai/schemes/${latest.scheme_id}/reject`, {}), "scheme.rejected"),
      },
      t("scheme.reject"),
    ),
    latest.held_until && h("small", {}, t("scheme.held", { away: away(latest.held_until, now()) })));
  return [head, needs || "",
    h(
      "p", {},
      h(
        "span",
        {
          class: `pill ${latest.status === "committed" ? "good" : latest.status === "proposed" ? "ring" : ""}`,
        },
        t(`scheme.status.${latest.status}`),
      ),
      " ", latest.explanation,
    ),
    decide || "", h("div", { class: "schemes" }, options)];
}

/** What a time was taken from, how long ago, and from how old a position.
 * @param {any} one @param {Date} now */
export function etaOf(one, now) {
  const source = has(`desk.source.${one.eta_source}`) ? t(`desk.source.${one.eta_source}`) : one.eta_source;
  return [
    one.eta_at ? t("desk.asked", { source, away: away(one.eta_at, now) }) : source,
    one.position_at ? t("desk.team.seen", { away: away(one.position_at, now) }) : "",
  ].filter(Boolean).join(" · ");
}

/** A capability in our words, or in theirs. @param {string} name */
export const capability = (name) => (has(`cap.${name}`) ? t(`cap.${name}`) : name.replaceAll("_", " "));

/** What one of the cards is: an alternative that a person took has changed places with the best.
 * @param {number} index @param {any} scheme */
export function rankOf(index, scheme) {
  const place = index === 0 ? scheme.chosen : index === scheme.chosen ? 0 : index;
  return place === 0 ? t(`scheme.best.${scheme.quality}`) : t("scheme.other", { n: place });
}

/** @param {any} one @param {number} index @param {any} latest @param {(() => void) | null} approve @param {Date} now */
function option(one, index, latest, approve, now) {
  const rank = rankOf(index, latest);
  return h("div", { class: `scheme ${index === 0 ? "best" : ""}` },
    h("h3", {}, rank),
    h("span", { class: "score" }, number(Math.round(one.score))), " ", h("small", {}, t("scheme.score")),
    h(
      "div", { class: "meter", role: "img", "aria-label": t("scheme.covered", { n: percent(one.coverage) }) },
      meter(one.coverage),
    ),
    h(
      "small", {}, t("scheme.covered", { n: percent(one.coverage) }), " · ",
      t("scheme.eta", { span: span(one.latest_seconds) }), " · ", t("scheme.cost", { n: number(one.cost) }),
    ),
    h(
      "ul", {},
      one.teams.map(
        (/** @type {any} */ team) => h(
          "li", {}, team.name, " ", h("small", {}, [
            capability(team.role), span(team.eta_seconds), etaOf(team, now),
            team.taken_from ? t("desk.from", { event: team.taken_from }) : "",
          ].filter(Boolean).join(" · ")),
        ),
      ),
    ),
    one.shortfall.map(
      (/** @type {any} */ miss) => h(
        "p", { class: "short" },
        t("scheme.short", { what: capability(miss.capability), n: miss.needed - miss.covered }),
      ),
    ),
    index > 0 && approve && latest.status === "proposed" && h(
      "button",
      {
        class: "small", type: "button", "aria-label": `${t("scheme.instead")}: ${rank}`, onclick: approve,
      },
      t("scheme.instead"),
    ));
}

/** @param {number} share */
function meter(share) {
  const bar = h("i", {});
  bar.style.width = `${percent(share)}%`;
  return bar;
}
