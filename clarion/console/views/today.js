// @ts-check
/** Today: say what to be reminded of, see what comes, what rang and what was answered. */

import * as api from "../api.js";
import { h, keyed } from "../dom.js";
import { icon } from "../icons.js";
import { confirmReminder } from "../undo.js";
import { away, clock, day, dayKey, foreign, hourOf, longDay, midnight, t } from "../words.js";
import { byDay, isOpen, isPaused, mayConfirm, standing, warning, whenOf } from "./facts.js";
import { offerCard } from "./offer.js";
import { openReminder } from "./reminder.js";
import { sayLine } from "./say.js";
import { seriesList } from "./series.js";

const DAYS_AHEAD = 7;
const MOST = 300;

/** Which greeting fits this hour. @param {number} hour */
export function greeting(hour) {
  if (hour < 5) return "hello.night";
  if (hour < 11) return "hello.morning";
  if (hour < 14) return "hello.noon";
  return hour < 18 ? "hello.afternoon" : "hello.evening";
}

/** How a day goes, in numbers. @param {any[]} reminders */
export function tally(reminders) {
  const count = (/** @type {string[]} */ of) => reminders.filter((one) => of.includes(one.status)).length;
  return {
    done: count(["confirmed", "completed"]), open: count(["pending", "triggered"]),
    missed: count(["timeout", "failed"]),
  };
}

/** @param {any} context */
export function page(context) {
  const { house, hear, every, now, fail } = context;
  /** @type {any[]} */
  let reminders = [];
  const zone = house.zone;
  const list = h("div", { class: "days" });
  const summary = h("p", { class: "summary", "aria-live": "polite" });
  const alone = h("p", { class: "card warning", role: "status", hidden: true });
  const cut = h("p", { class: "warning", hidden: true }, t("today.cut", { n: MOST }), " ", h("a", { href: "#/all" }, t("today.all")));
  const empty = h("div", { class: "empty", hidden: true }, h("p", {}, t("today.empty")));
  const series = seriesList(context);

  const load = async () => {
    if (!house.user) return draw();
    const owner = house.isAdmin ? { user_id: house.user.id } : {};
    const query = {
      ...owner, since: midnight(now(), zone).toISOString(),
      until: midnight(now(), zone, DAYS_AHEAD).toISOString(),
    };
    const [span, ringing] = await Promise.all(
      [api.all("/reminders", query, MOST), api.all("/reminders", { ...owner, status: "triggered" }, 100)],
    );
    cut.hidden = span.length < MOST;
    reminders = [...new Map([...span, ...ringing].map((one) => [one.id, one])).values()];
    return draw();
  };
  const draw = () => {
    const today = dayKey(now(), zone);
    const days = byDay(reminders.filter((one) => one.status !== "cancelled"), (at) => dayKey(at, zone));
    const numbers = tally(reminders.filter((one) => dayKey(whenOf(one), zone) === today));
    alone.textContent = reminders.map(warning).find(Boolean) ?? "";
    alone.hidden = !alone.textContent;
    summary.textContent = reminders.length ? t("today.summary", numbers) : "";
    empty.hidden = days.length > 0;
    keyed(list, days, ([key]) => key, ([key, items]) => dayCard(context, key, items), {
      sameAs: ([key, items]) => JSON.stringify([key, items, Math.floor(now().getTime() / 60_000)]),
    });
  };
  const reload = soon(() => load().catch(fail));
  hear(["reminder.", "ring.", "device."], reload);
  hear(["series."], () => series.load());
  every(draw, 30_000);
  load().catch(fail);

  const name = house.user?.name;
  const hour = hourOf(now(), zone);
  return h("div", { class: "page today" },
    h("header", { class: "page-head" },
      h(
        "h1", {},
        name && name !== t("me") ? t("hello.named", { hello: t(greeting(hour)), name }) : t(greeting(hour)),
      ),
      h("p", {}, [longDay(now(), zone), foreign(zone, now())].filter(Boolean).join(" · ")), summary, cut),
    sayLine(context, reload), offerCard(context),
    house.isNew && h(
      "section", { class: "card offer" }, h("p", {}, t("setup.offer")),
      h("div", { class: "row" }, h("a", { class: "button", href: "#/setup" }, t("page.setup"))),
    ),
    alone, empty, list, series.element,
    h("p", { class: "more" }, h("a", { href: "#/all" }, t("today.all"))));
}

/** Many events in one moment are one look at the server. @param {() => void} work */
export function soon(work, ms = 120) {
  let timer = 0;
  return () => {
    clearTimeout(timer);
    timer = /** @type {any} */ (setTimeout(work, ms));
  };
}

/** @param {any} context @param {string} key @param {any[]} items */
function dayCard(context, key, items) {
  const { house, now } = context;
  const isToday = key === dayKey(now(), house.zone);
  const rows = items.map((one) => row(context, one));
  const next = items.findIndex((one) => new Date(whenOf(one)) > now());
  if (isToday && next > 0) rows.splice(
    next, 0, h("li", { class: "nowline" }, h("span", {}, `${t("now")} ${clock(now(), house.zone)}`)),
  );
  return h("section", { class: "card day" },
    h("h2", {}, day(whenOf(items[0]), now(), house.zone)), h("ol", { class: "timeline" }, rows));
}

/** One reminder in a list; the whole row opens its life. @param {any} context @param {any} reminder */
export function row(context, reminder) {
  const { house, now } = context;
  const { word, tone } = standing(reminder, now(), house.zone);
  const ringing = reminder.status === "triggered";
  const confirm = (/** @type {Event} */ event) => {
    event.stopPropagation();
    confirmReminder(context, reminder);
  };
  const mark = reminder.confirmation.required && h(
    "span", { class: "pill", title: t("confirm.meaning") },
    t(reminder.confirmation.needs === "done" ? "confirm.done" : "confirm.short"),
  );
  return h("li", { class: `item ${tone} ${isOpen(reminder) ? "open" : "over"}` },
    h("button", { class: "row-button", type: "button", onclick: () => openReminder(context, reminder.id) },
      h("time", { datetime: whenOf(reminder) }, clock(whenOf(reminder), house.zone)),
      h("span", { class: "dot", "aria-hidden": "true" }),
      h("span", { class: "what" }, h("strong", {}, reminder.content),
        h(
          "small", {}, word,
          isOpen(reminder) && !ringing && !reminder.unreached_since
            ? ` · ${away(reminder.trigger_at, now())}` : "",
          reminder.series_id ? [" · ", icon("repeat")] : "", mark,
        ),
        warning(reminder) && h("small", { class: "warning" }, t("guarantee.nobody")),
        isPaused(reminder) && h("small", {}, t("guarantee.paused")))),
    ringing && mayConfirm(reminder) && h(
      "button", { class: "primary small", type: "button", onclick: confirm }, icon("check"), t("ring.done"),
    ));
}
