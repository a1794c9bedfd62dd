// @ts-check
/** How a person's days went: a square a day, thirteen weeks, done, late or missed. */

import * as api from "../api.js";
import { h, svg } from "../dom.js";
import { calledBy } from "../house.js";
import { dayKey, daysBetween, midnight, t } from "../words.js";
import { soon } from "./today.js";

const WEEKS_MAX = 13;
const WEEKS_MIN = 5;
const CELL = 15;
const GAP = 3;

/** What colour a day has: the worst of it. @param {any} tally */
export function shade(tally) {
  if (!tally || tally.total === 0) return "";
  if (tally.missed) return "missed";
  return tally.late ? "late" : "done";
}

/**
 * Squares up to today, weeks as columns that begin on Monday; as many weeks as have something.
 * @param {{day: string, tally: any}[]} days @param {string} today
 */
export function squares(days, today) {
  const known = new Map(days.map((one) => [one.day, one.tally]));
  const end = new Date(`${today}T00:00Z`);
  const weekday = (end.getUTCDay() + 6) % 7;
  const since = days.length ? daysBetween(days[0].day, today) : 0;
  const weeks = Math.min(WEEKS_MAX, Math.max(WEEKS_MIN, Math.ceil((since - weekday) / 7) + 1));
  const count = (weeks - 1) * 7 + weekday + 1;
  return Array.from({ length: count }, (_, index) => {
    const at = new Date(end);
    at.setUTCDate(at.getUTCDate() - (count - 1 - index));
    const day = at.toISOString().slice(0, 10);
    const tally = known.get(day) ?? null;
    return { day, tally, kind: shade(tally), column: Math.floor(index / 7), row: index % 7 };
  });
}

/** @param {any} context */
export function calendarCard(context) {
  const { house, now, hear, fail } = context;
  const user = house.user;
  const place = h("div", {});
  const share = h("p", { class: "summary" });
  const load = async () => {
    const query = { since: midnight(now(), user.zone, -7 * WEEKS_MAX).toISOString() };
    const found = await api.get(`/users/${user.id}/adherence`, query);
    const whole = found.whole;
    share.textContent = whole.total ? t(
      "calendar.share",
      { done: whole.confirmed + whole.completed, total: whole.total, late: whole.late, missed: whole.missed },
    ) : t("calendar.nothing");
    place.replaceChildren(draw(squares(found.days, dayKey(now(), user.zone))));
  };
  hear(["reminder."], soon(() => load().catch(fail), 1_000));
  load().catch(fail);
  return h("section", { class: "card" }, h("h2", {}, calledBy(user) === t("me") ? t("calendar.title.me") : t("calendar.title", { name: calledBy(user) })),
    share, place,
    h(
      "p", { class: "legend" },
      ["done", "late", "missed"].map((kind) => h("span", { class: kind }, t(`calendar.${kind}`))),
    ));
}

/** @param {ReturnType<typeof squares>} days */
function draw(days) {
  const step = CELL + GAP;
  const cells = days.map((one) =>
    svg(
      "rect",
      { x: one.column * step + 24, y: one.row * step, width: CELL, height: CELL, rx: 4, class: one.kind },
      svg("title", {}, label(one)),
    ));
  const names = [0, 2, 4, 6].map((row) => svg("text", { x: 0, y: row * step + 11 }, t(`weekday.${row}`)));
  return svg(
    "svg",
    {
      class: "calendar", viewBox: `0 0 ${WEEKS_MAX * step + 24} ${7 * step}`, role: "img",
      "aria-label": t("calendar.label", { n: daysBetween(days[0].day, days[days.length - 1].day) + 1 }),
    },
    names, cells,
  );
}

/** @param {ReturnType<typeof squares>[number]} one */
function label({ day, tally }) {
  if (!tally || !tally.total) return `${day}: ${t("calendar.free")}`;
  return `${day}: ${t("calendar.day", { done: tally.confirmed + tally.completed, late: tally.late, missed: tally.missed })}`;
}
