// @ts-check
/** What was done and by whom, the past for other programs, and a past day lived once more. */

import * as api from "../api.js";
import { openDialog } from "../dialogs.js";
import { field, h, keyed } from "../dom.js";
import { clockSeconds, has, instant, number, span, t } from "../words.js";
import { teamPicker } from "./desk.js";

const LINES = 40;
const DAY = 86_400_000;
const FIGURES = ["events", "covered", "unmet", "sent", "first_seconds", "p90_seconds"];

/** A line of the log in words, or as it is. @param {any} one */
export function deed(one) {
  const key = `desk.log.${one.what.replace(/^\S+ \S*\//, "")}`;
  return has(key) ? t(key) : one.what;
}

/** @param {string} name @param {number | null} value */
export const figure = (name, value) => (value === null ? "–" : name.endsWith("_seconds") ? span(value) : number(value));

/** @param {any} context @param {(id: string) => string} nameOf */
export function pastSection(context, nameOf) {
  const { house, fail, now } = context;
  const lines = h("ul", { class: "plain log" });
  const load = () => api.get("/ai/log", { limit: LINES }).then((found) => {
    const items = found.items.map((/** @type {any} */ one, /** @type {number} */ n) => ({ ...one, key: `${one.at} ${one.what} ${one.subject} ${n}` }));
    keyed(lines, items, (one) => one.key, (one) => h("li", {},
      h("small", {}, clockSeconds(one.at, house.zone)), " ", h("strong", {}, deed(one)), " ",
      h("small", {}, `${nameOf(one.subject)} · ${one.by === "automatic" ? t("desk.log.itself") : one.by}`)));
  }).catch(fail);
  const files = ["events", "teams", "assignments"].map((what) => h("p", {}, `${t(`desk.export.${what}`)}: `,
    ["csv", "json", ...(what === "assignments" ? [] : ["geojson"])].map((form) => [h("a", {
      href: api.withQuery("/ai/export", { what, format: form, since: new Date(now().getTime() - 30 * DAY).toISOString() }),
      download: `${what}.${form}`,
    }, form.toUpperCase()), " "])));
  return h("details", { class: "card rest", ontoggle: (/** @type {any} */ e) => e.target.open && load() },
    h("summary", {}, t("desk.past")),
    h("div", { class: "row" }, h("button", { class: "small", type: "button", onclick: () => replay(context) }, t("desk.replay")),
      h("button", { class: "small quiet", type: "button", onclick: load }, t("desk.log.again"))),
    h("h3", {}, t("desk.log")), lines, h("h3", {}, t("desk.export")), files);
}

/** A past day with fewer teams: what would have been different. @param {any} context */
function replay(context) {
  const { house, fail, now } = context;
  const day = h("input", { type: "date", required: true, value: new Date(now().getTime() - DAY).toISOString().slice(0, 10) });
  const without = teamPicker(context, t("desk.if.without"));
  const shown = h("div", { role: "status" });
  const look = (/** @type {Event} */ submitted) => {
    submitted.preventDefault();
    const since = instant(`${day.value}T00:00`, house.zone).toISOString();
    api.post("/ai/replay", { since, without: without.value() }).then((found) => shown.replaceChildren(table(found))).catch(fail);
  };
  openDialog(t("desk.replay"), [h("p", { class: "hint" }, t("desk.replay.explain")),
    h("form", { class: "stack", onsubmit: look }, field(t("desk.replay.day"), day), without.shown,
      h("div", { class: "row" }, h("button", { class: "primary" }, t("desk.replay.look")))), shown]);
}

/** @param {any} found */
function table(found) {
  const head = ["", t("desk.replay.before"), t("desk.replay.after")].map((one) => h("th", { scope: "col" }, one));
  return h("div", {}, h("table", {}, h("thead", {}, h("tr", {}, head)), h("tbody", {}, FIGURES.map((name) => h("tr", {},
    h("th", { scope: "row" }, t(`desk.figure.${name}`)), h("td", {}, figure(name, found.before[name])),
    h("td", {}, figure(name, found.after[name])))))),
  h("p", {}, t("desk.replay.changed", { n: found.changed.length })));
}
