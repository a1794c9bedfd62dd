// @ts-check
/** A week or a month of somebody's reminders; what is dragged to another day is moved. */

import * as api from "../api.js";
import { h } from "../dom.js";
import { liftable } from "../drag.js";
import { prefs } from "../house.js";
import { undoable } from "../undo.js";
import { clock, dayKey, foreign, instant, localField, longDay, midnight, monthOf, shortDay, t } from "../words.js";
import { standing, whenOf } from "./facts.js";
import { openReminder } from "./reminder.js";
import { soon } from "./today.js";

const MOST = 1_000;
const SHOWN_IN_A_DAY = 6; // of a month; the rest is one tap away

/**
 * The days to be shown: a week from Monday, or the weeks of a month.
 * @param {"week" | "month"} kind @param {string} day one of them, as `dayKey` writes it
 */
export function daysOf(kind, day) {
  const at = new Date(`${day}T00:00Z`);
  const begin = new Date(at);
  if (kind === "month") begin.setUTCDate(1);
  begin.setUTCDate(begin.getUTCDate() - ((begin.getUTCDay() + 6) % 7));
  const days = [];
  for (let one = begin; kind === "week" ? days.length < 7 : days.length < 28 || days.length % 7 || (one.getUTCMonth() === at.getUTCMonth());) {
    days.push(one.toISOString().slice(0, 10));
    one = new Date(one.getTime() + 86_400_000);
  }
  return days;
}

/** The same time on another day. @param {string} at @param {string} day @param {string} zone */
export const movedTo = (at, day, zone) => instant(`${day}T${localField(at, zone).slice(11)}`, zone).toISOString();

/** @param {string} day @param {"week" | "month"} kind @param {number} steps */
export function turned(day, kind, steps) {
  const at = new Date(`${day}T00:00Z`);
  if (kind === "week") at.setUTCDate(at.getUTCDate() + 7 * steps);
  else at.setUTCMonth(at.getUTCMonth() + steps, 1);
  return at.toISOString().slice(0, 10);
}

/** @param {any} context */
export function page(context) {
  const { house, now, hear, fail } = context;
  const zone = house.zone;
  let kind = /** @type {"week" | "month"} */ (prefs.get("plan") === "month" ? "month" : "week");
  let day = dayKey(now(), zone);
  const grid = h("ol", { class: "plan" });
  const title = h("p", { class: "summary", role: "status" });
  const cut = h("p", { class: "warning", hidden: true }, t("today.cut", { n: MOST }), " ", h("a", { href: "#/all" }, t("today.all")));
  const load = async () => {
    const days = daysOf(kind, day);
    const since = instant(`${days[0]}T00:00`, zone);
    const until = midnight(instant(`${days[days.length - 1]}T12:00`, zone), zone, 1);
    title.textContent = kind === "month" ? monthOf(instant(`${day}T12:00`, zone), zone)
      : `${longDay(since, zone)} – ${longDay(new Date(until.getTime() - 1), zone)}`;
    const other = foreign(zone, now());
    if (other) title.textContent += ` · ${other}`;
    const owner = house.isAdmin ? { user_id: house.user?.id } : {};
    const found = house.user ? await api.all("/reminders", { ...owner, since: since.toISOString(), until: until.toISOString() }, MOST) : [];
    cut.hidden = found.length < MOST;
    const shown = found.filter((one) => one.status !== "cancelled");
    grid.className = `plan ${kind}`;
    grid.replaceChildren(...days.map((one) => cell(context, one, shown.filter((other) => dayKey(whenOf(other), zone) === one), {
      kind, faded: kind === "month" && one.slice(0, 7) !== day.slice(0, 7), today: one === dayKey(now(), zone), reload,
    })));
  };
  const reload = soon(() => load().catch(fail));
  hear(["reminder.", "series."], reload);
  const go = (/** @type {number} */ steps) => () => { day = turned(day, kind, steps); reload(); };
  const choose = (/** @type {"week" | "month"} */ wanted) => () => {
    kind = wanted;
    prefs.set("plan", wanted);
    for (const [name, button] of Object.entries(kinds)) button.setAttribute("aria-pressed", String(name === kind));
    reload();
  };
  const chip = (/** @type {"week" | "month"} */ name) => h(
    "button", { class: "chip", type: "button", "aria-pressed": String(name === kind), onclick: choose(name) }, t(`plan.${name}`),
  );
  const kinds = { week: chip("week"), month: chip("month") };
  load().catch(fail);
  return h("div", { class: "page wide" },
    h("header", { class: "page-head" }, h("h1", {}, t("page.plan")), title, cut),
    h("div", { class: "row" }, Object.values(kinds),
      h("button", { class: "small", type: "button", "aria-label": t("plan.before"), onclick: go(-1) }, "‹"),
      h("button", { class: "small", type: "button", onclick: () => { day = dayKey(now(), zone); reload(); } }, t("today")),
      h("button", { class: "small", type: "button", "aria-label": t("plan.after"), onclick: go(1) }, "›")),
    h("p", { class: "hint" }, t("plan.explain")), grid);
}

/** @param {any} context @param {string} day @param {any[]} items @param {any} how */
function cell(context, day, items, { kind, faded, today, reload }) {
  const most = kind === "month" ? SHOWN_IN_A_DAY : MOST;
  const sorted = [...items].sort((a, b) => whenOf(a).localeCompare(whenOf(b)));
  return h("li", { class: `day ${faded ? "faded" : ""} ${today ? "now" : ""}`, "data-day": day },
    h("h2", {}, shortDay(day)), h("ul", { class: "plain" }, sorted.slice(0, most).map((one) => entry(context, one, reload))),
    sorted.length > most && h("small", {}, t("plan.rest", { n: sorted.length - most })));
}

/** @param {any} context @param {any} reminder @param {() => void} reload */
function entry(context, reminder, reload) {
  const { house, now } = context;
  const { tone } = standing(reminder, now(), house.zone);
  const waits = reminder.status === "pending";
  const button = h(
    "button", { class: `entry ${tone} ${waits ? "moves" : ""}`, type: "button", onclick: () => openReminder(context, reminder.id) },
    h("time", { datetime: whenOf(reminder) }, clock(whenOf(reminder), house.zone)), h("span", {}, reminder.content),
  );
  const move = (/** @type {string} */ at) => api.patch(`/reminders/${reminder.id}`, { trigger_at: at }, "*");
  if (waits) liftable(button, ".plan .day", (place) => {
    const to = movedTo(reminder.trigger_at, String(place.dataset.day), house.zone);
    undoable(context, () => move(to), t("plan.moved", { what: reminder.content }), () => move(reminder.trigger_at)).then(reload);
  });
  return h("li", {}, button);
}
