// @ts-check
/** A week by hours, or a month by days, of somebody's reminders; what is dragged elsewhere is moved. */

import * as api from "../api.js";
import { opens } from "../dialogs.js";
import { h } from "../dom.js";
import { liftable } from "../drag.js";
import { prefs } from "../house.js";
import { undoable } from "../undo.js";
import { clock, dayAndClock, dayKey, foreign, hourOf, instant, localField, longDay, midnight, monthOf, shortDay, t } from "../words.js";
import { editSeries } from "./editing.js";
import { standing, whenOf } from "./facts.js";
import { openReminder } from "./reminder.js";
import { soon } from "./today.js";

const MOST = 1_000;
const SHOWN_IN_A_DAY = 6; // of a month; the rest is one tap away
const DAYS_AHEAD_MAX = 366; // the server looks no further
const HOURS = Array.from({ length: 24 }, (_, hour) => String(hour).padStart(2, "0"));

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

/** The same minute on another day, in another hour where one is named. @param {string} at @param {string} day @param {string} zone @param {string} [hour] */
export function movedTo(at, day, zone, hour) {
  const [was, minute] = localField(at, zone).slice(11).split(":");
  return instant(`${day}T${hour ?? was}:${minute}`, zone).toISOString();
}

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
  /** What series will make. @param {Date} since @param {Date} until */
  const comingOf = async (since, until) => {
    const ahead = Math.min(DAYS_AHEAD_MAX, Math.ceil((until.getTime() - now().getTime()) / 86_400_000));
    if (ahead < 1) return [];
    const { items } = await api.get(`/users/${house.user.id}/upcoming`, { days: ahead });
    return items.filter((/** @type {any} */ one) => !one.reminder_id && one.at >= since.toISOString() && one.at < until.toISOString())
      .map((/** @type {any} */ one) => ({ at: one.at, make: () => later(context, one, reload) }));
  };
  const load = async () => {
    const days = daysOf(kind, day);
    const since = instant(`${days[0]}T00:00`, zone);
    const until = midnight(instant(`${days[days.length - 1]}T12:00`, zone), zone, 1);
    title.textContent = kind === "month" ? monthOf(instant(`${day}T12:00`, zone), zone)
      : `${longDay(since, zone)} – ${longDay(new Date(until.getTime() - 1), zone)}`;
    const other = foreign(zone, now());
    if (other) title.textContent += ` · ${other}`;
    const owner = house.isAdmin ? { user_id: house.user?.id } : {};
    const [found, coming] = house.user ? await Promise.all([
      api.all("/reminders", { ...owner, since: since.toISOString(), until: until.toISOString() }, MOST), comingOf(since, until),
    ]) : [[], []];
    cut.hidden = found.length < MOST;
    const made = found.filter((one) => one.status !== "cancelled").map((one) => ({ at: whenOf(one), make: () => entry(context, one, reload) }));
    const items = [...made, ...coming].sort((a, b) => a.at.localeCompare(b.at));
    grid.className = `plan ${kind}`;
    grid.replaceChildren(...days.map((one) => (kind === "week" ? dayOfWeek : dayOfMonth)(
      context, one, items.filter(({ at }) => dayKey(at, zone) === one), day,
    )));
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

/** @typedef {{at: string, make: () => Element}} Item */

/** @param {any} context @param {string} day @param {any[]} inside @param {string} [more] */
function dayCell({ house, now }, day, inside, more = "") {
  return h("li", { class: `day ${day === dayKey(now(), house.zone) ? "now" : ""} ${more}`, "data-day": day }, h("h2", {}, shortDay(day)), inside);
}

/** @param {Item[]} items */
const entries = (items) => items.length > 0 && h("ul", { class: "plain" }, items.map((one) => h("li", {}, one.make())));

/** @param {any} context @param {string} day @param {Item[]} items */
function dayOfWeek(context, day, items) {
  const { house, now } = context;
  const hour = (/** @type {string} */ named, /** @type {number} */ index) => {
    const own = items.filter(({ at }) => hourOf(at, house.zone) === index);
    const begins = instant(`${day}T${named}:00`, house.zone);
    const past = begins.getTime() + 3_600_000 <= now().getTime();
    return h("div", { class: `hour ${own.length ? "" : "free"} ${past ? "" : "place"}`, "data-day": day, "data-hour": named },
      h("small", { "aria-hidden": "true" }, clock(begins, house.zone)), entries(own));
  };
  return dayCell(context, day, HOURS.map(hour));
}

/** @param {any} context @param {string} day @param {Item[]} items @param {string} shown a day of the month that is looked at */
function dayOfMonth(context, day, items, shown) {
  const past = day < dayKey(context.now(), context.house.zone);
  const rest = items.length - SHOWN_IN_A_DAY;
  return dayCell(context, day, [entries(items.slice(0, SHOWN_IN_A_DAY)), rest > 0 && h("small", {}, t("plan.rest", { n: rest }))],
    `${day.slice(0, 7) === shown.slice(0, 7) ? "" : "faded"} ${past ? "" : "place"}`);
}

/** What a series will make: the series is what can be changed. @param {any} context @param {any} coming @param {() => void} reload */
function later(context, coming, reload) {
  const open = () => api.get(`/series/${coming.series_id}`).then((series) => editSeries(context, series, reload)).catch(context.fail);
  return h("button", { class: "entry later", type: "button", title: t("plan.later"), ...opens(`series:${coming.series_id}`, open) },
    h("time", { datetime: coming.at }, clock(coming.at, context.house.zone)), h("span", {}, coming.content));
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
  if (waits) liftable(button, ".plan .place", ({ dataset }) => {
    const to = movedTo(reminder.trigger_at, String(dataset.day), house.zone, dataset.hour);
    const told = t("plan.moved", { what: reminder.content, at: dayAndClock(to, now(), house.zone) });
    undoable(context, () => move(to), told, () => move(reminder.trigger_at)).then(reload);
  });
  return button;
}
