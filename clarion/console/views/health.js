// @ts-check
/** Health: whether all is well, the last hour, what needs a look, how the days went, and the log. */

import * as api from "../api.js";
import { spark } from "../charts.js";
import { h, keyed } from "../dom.js";
import { away, has, number, span, t } from "../words.js";
import { calendarCard } from "./calendar.js";
import { aroundOf, sentence } from "./facts.js";
import { logCard } from "./log.js";
import { openReminder } from "./reminder.js";
import { soon } from "./today.js";

export const ALERTS = ["reminder.timeout", "reminder.failed", "plan.failed", "chat.died"];
const EVENTS = 12; // samples in a minute: what happened is counted by the minute

/** Sums of every `size` values. @param {number[]} values @param {number} size */
export function summed(values, size) {
  const sums = [];
  for (let end = values.length; end > 0; end -= size) sums.unshift(
    values.slice(Math.max(0, end - size), end).reduce((a, b) => a + b, 0),
  );
  return sums;
}

/** How it is, in one word and one tone. @param {any} health */
export function verdict(health) {
  if (!health.ready) return { tone: "bad", word: "health.unready" };
  return health.degraded ? { tone: "ring", word: "health.degraded" } : { tone: "good", word: "health.well" };
}

/** @param {any} context */
export function page(context) {
  const { house, every, hear, fail } = context;
  const state = h("section", { class: "card", "aria-live": "polite" });
  const charts = h("div", { class: "charts" });
  const alerts = h("ul", { class: "plain" });
  const none = h("p", { class: "hint" }, t("alerts.none"));

  const loadState = async () => drawState(state, await api.get("/health"));
  const loadCharts = async () => house.isAdmin && drawCharts(charts, (await api.get("/trends")).items);
  const loadAlerts = async () => {
    const found = await api.get("/events/log", { kind: ALERTS, limit: 8 });
    none.hidden = found.items.length > 0;
    keyed(alerts, found.items, (one) => String(one.id), (one) => alert(context, one));
  };
  every(() => loadState().catch(fail), 5_000);
  every(() => loadCharts().catch(() => {}), 5_000);
  hear(ALERTS, soon(() => loadAlerts().catch(fail)));
  for (const load of [loadState, loadCharts, loadAlerts]) load().catch(fail);
  return h("div", { class: "page health" },
    h("header", { class: "page-head" }, h("h1", {}, t("page.health"))),
    state,
    house.user && calendarCard(context),
    house.isAdmin && h("section", { class: "card" }, h("h2", {}, t("queue.hour")), charts),
    h("section", { class: "card" }, h("h2", {}, t("alerts.title")), none, alerts),
    logCard(context));
}

/** @param {any} place @param {any} health */
function drawState(place, health) {
  const { tone, word } = verdict(health);
  const checks = Object.entries(health.checks).map(([name, one]) =>
    h(
      "span", { class: `pill ${one.ok ? "good" : "bad"}`, title: one.detail ?? "" },
      `${has(`check.${name}`) ? t(`check.${name}`) : name} ${one.ok ? "✓" : "✕"}`,
    ));
  place.replaceChildren(
    h(
      "div", { class: `state ${tone}` }, h("span", { class: "dot", "aria-hidden": "true" }),
      h("strong", {}, t(word)), h("span", { class: "row" }, checks),
      h("small", {}, `Clarion ${health.version}`),
    ));
}

/** @param {any} place @param {any[]} items */
function drawCharts(place, items) {
  const total = (/** @type {any} */ one) => Object.values(one.waiting).reduce(
    (/** @type {number} */ a, /** @type {any} */ b) => a + b, 0,
  );
  const oldest = (/** @type {any} */ one) => Math.max(0, .../** @type {number[]} */ (Object.values(one.age)));
  const minute = (/** @type {string} */ name) => summed(items.map((one) => one[name] ?? 0), EVENTS);
  place.replaceChildren(
    spark(t("chart.rung"), minute("rung")), spark(t("chart.confirmed"), minute("confirmed")),
    spark(
      t("chart.missed"), summed(items.map((one) => (one.timeout ?? 0) + (one.failed ?? 0)), EVENTS), number,
      "bad",
    ),
    spark(t("queue.depth"), items.map(total)), spark(t("queue.age"), items.map(oldest), span),
    spark(t("chart.dead"), items.map((one) => one.dead), number, "bad"));
}

/** @param {any} context @param {any} event */
function alert(context, event) {
  const { house, now } = context;
  const open = event.kind.startsWith("reminder.") && h(
    "button",
    {
      class: "small quiet", type: "button", "aria-label": `${t("alerts.look")}: ${event.subject}`,
      onclick: () => openReminder(context, event.subject),
    },
    t("alerts.look"),
  );
  const about = [event.user_id && house.userName(event.user_id), away(event.at, now())];
  const title = h("strong", {}, sentence(event, aroundOf(context)));
  if (open) {
    // An event has no content of its own: what it was about is asked for, and may be gone by now.
    api.get(`/reminders/${event.subject}`)
      .then((reminder) => title.prepend(`${reminder.content}: `))
      .catch(() => {});
  }
  return h("li", { class: "device" },
    h("div", { class: "what" }, title, h("small", {}, about.filter(Boolean).join(" · "))), open);
}
