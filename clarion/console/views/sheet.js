// @ts-check
/** A sheet for the doctor: taken, late, missed, skipped with reasons, and what was measured. */

import * as api from "../api.js";
import { h, select } from "../dom.js";
import { calledBy } from "../house.js";
import { clock, dayKey, longDay, midnight, t } from "../words.js";
import { reason } from "./facts.js";

const SPANS = ["14", "30", "90"];
const TEST = "tst_"; // tried to see that it works; the server counts it for nothing either
// Two numbers with a stroke are a blood pressure; one needs its unit to be a value.
const VALUE = /\d{2,3}\s*[/／]\s*\d{2,3}|\d+(?:[.．]\d+)?\s*(?:mmol(?:\/L)?|mg(?:\/dl)?|°?C\b|度|公斤|千克|kg|bpm|次\/分|%)/gi;

/** What somebody said that can be measured. @param {string} text */
export const valuesIn = (text) => [...text.matchAll(VALUE)].map((one) => one[0].trim());

/** What became of a line of the table, as a doctor asks. @param {any} one */
export function outcome(one) {
  if (one.status === "cancelled") return "skipped";
  if (one.status === "timeout" || one.status === "failed") return "missed";
  if (one.status !== "confirmed" && one.status !== "completed") return "open";
  return one.late ? "late" : "taken";
}

/** One line for each thing: how often it was what. @param {any[]} reminders */
export function summed(reminders) {
  /** @type {Map<string, Record<string, number>>} */
  const found = new Map();
  for (const one of reminders) {
    const line = found.get(one.content) ?? { taken: 0, late: 0, missed: 0, skipped: 0, open: 0 };
    line[outcome(one)] += 1;
    found.set(one.content, line);
  }
  return [...found.entries()].sort(([a], [b]) => a.localeCompare(b));
}

/** @param {any} context */
export function page(context) {
  const { house, now, fail } = context;
  const place = h("div", { class: "sheet" });
  const days = select(SPANS.map((n) => [n, t("sheet.days", { n })]), "30", { "aria-label": t("sheet.span"), onchange: () => load().catch(fail) });
  const load = async () => {
    const user = house.user;
    if (!user) return place.replaceChildren(h("p", { class: "empty" }, t("people.none")));
    const since = midnight(now(), user.zone, 1 - Number(days.value));
    const span = { form: "json", since: since.toISOString(), until: now().toISOString() };
    const [table, said] = await Promise.all([api.get(`/users/${user.id}/export`, span), answersOf(user, since)]);
    const all = table.filter((/** @type {any} */ one) => !one.id.startsWith(TEST) && one.reason !== "distress");
    return place.replaceChildren(...drawn(user, since, now(), all, said));
  };
  load().catch(fail);
  return h("div", { class: "page" },
    h("header", { class: "page-head noprint" }, h("h1", {}, t("page.sheet")), h("p", {}, t("sheet.explain"))),
    h("div", { class: "row noprint" }, days, h("button", { class: "primary", type: "button", onclick: () => print() }, t("sheet.print"))),
    h("section", { class: "card" }, place));
}

/** What somebody has said to their devices since then, the newest first. @param {any} user @param {Date} since */
async function answersOf(user, since) {
  /** @type {any[]} */
  const found = [];
  let cursor = "";
  do {
    const page = await api.get("/events/log", { kind: "ring.answered", limit: 100, cursor });
    found.push(...page.items);
    cursor = page.next_cursor ?? "";
  } while (cursor && Date.parse(found[found.length - 1].at) >= since.getTime());
  return found.filter((one) => one.user_id === user.id && Date.parse(one.at) >= since.getTime());
}

/** Why it was not taken: how it ended, and what its person said last. @param {any} one @param {any[]} said the newest first */
export function why(one, said) {
  const words = said.find((event) => event.subject === one.id)?.data.text;
  const ended = one.reason ? reason(one.reason) : outcome(one) === "skipped" ? t("sheet.cancelled") : "";
  return [ended, words && t("sheet.said", { text: words })].filter(Boolean).join(" · ");
}

/** @param {any} user @param {Date} since @param {Date} until @param {any[]} all @param {any[]} said */
function drawn(user, since, until, all, said) {
  const rows = summed(all);
  const names = ["taken", "late", "missed", "skipped"];
  const odd = all.filter((one) => ["late", "missed", "skipped"].includes(outcome(one)));
  const measured = said.map((one) => ({ at: one.at, what: all.find((other) => other.id === one.subject)?.content ?? "", values: valuesIn(one.data?.text ?? "") })).filter((one) => one.values.length);
  const at = (/** @type {string} */ when) => h("time", { datetime: when }, `${dayKey(when, user.zone)} ${clock(when, user.zone)}`);
  const row = (/** @type {any[]} */ cells, /** @type {string} */ tag = "td") => h("tr", {}, cells.map((one) => h(tag, {}, one)));
  return [
    h("h2", {}, calledBy(user)), h("p", {}, `${longDay(since, user.zone)} – ${longDay(until, user.zone)} · ${user.zone}`),
    rows.length ? h("table", {}, h("thead", {}, row([t("edit.content"), ...names.map((one) => t(`sheet.${one}`))], "th")),
      h("tbody", {}, rows.map(([what, n]) => row([what, ...names.map((one) => n[one])])))) : h("p", { class: "hint" }, t("calendar.nothing")),
    measured.length > 0 && [h("h3", {}, t("sheet.values")), h("table", {}, h("tbody", {}, measured.map((one) => row([at(one.at), one.what, one.values.join(", ")]))))],
    odd.length > 0 && [h("h3", {}, t("sheet.odd")), h("table", {}, h("tbody", {}, odd.map((one) => row(
      [at(one.planned_at), one.content, t(`sheet.${outcome(one)}`), why(one, said)],
    ))))],
  ].flat(2).filter(Boolean);
}
