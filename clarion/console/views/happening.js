// @ts-check
/** What the dispatch page asks for, how often, and in which order it is shown. */

import * as api from "../api.js";
import { away, number, t } from "../words.js";
import { etaOf } from "./schemes.js";

export const OVER = ["closed", "cancelled"];
const SETTLED = ["sent", "covered"];
export const OPEN = ["open", "proposed", "short", ...SETTLED];
const PAUSE = 1_000; // milliseconds between two looks, however much happens
const RANK = { critical: 0, high: 1, medium: 2, low: 3 };

/** What needs somebody first: nobody sent yet, the gravest, the latest. @param {any[]} events */
export function urgentFirst(events) {
  const done = (/** @type {any} */ one) => (OVER.includes(one.status) ? 2 : Number(SETTLED.includes(one.status)));
  const rank = (/** @type {any} */ one) => /** @type {Record<string, number>} */ (RANK)[one.severity] ?? 9;
  return [...events].sort(
    (a, b) => done(a) - done(b) || rank(a) - rank(b) || b.reported_at.localeCompare(a.reported_at),
  );
}

/** At most once in a while, never two at a time, and once more for what came meanwhile.
 * @param {() => Promise<any>} work @param {number} [pause] */
export function steady(work, pause = PAUSE) {
  let [running, again] = [false, false];
  return async function go() {
    if (running) {
      again = true;
      return;
    }
    running = true;
    await work();
    setTimeout(() => {
      running = false;
      if (again) {
        again = false;
        go();
      }
    }, pause);
  };
}

/** Where everybody is: at first all, then who has changed. */
export function spots() {
  /** @type {Map<string, any>} */
  const known = new Map();
  let since = "";
  const take = (/** @type {any} */ found) => {
    for (const [id, name, latitude, longitude, status] of found.items) {
      known.set(id, { id, name, status, place: { latitude, longitude } });
    }
    since = found.since;
    return found.count === known.size;
  };
  return async function load() {
    if (!take(await api.get("/ai/positions", { since }))) {
      known.clear();
      take(await api.get("/ai/positions"));
    }
    return known;
  };
}

/** `12 open · 3 wait for approval` @param {any[]} events */
export function tally(events) {
  const counted = OPEN.map((status) => [status, events.filter((one) => one.status === status).length]);
  return counted.filter(([, n]) => n).map(([status, n]) => `${t(`event.${status}`)} ${number(Number(n))}`).join(" · ");
}

/** When it is expected, and how that is known. @param {any} way @param {Date} now */
export function arrival(way, now) {
  if (way.on_scene_at) return t("desk.there", { away: away(way.on_scene_at, now) });
  const when = away(way.expected_at, now);
  return t("desk.expected", { away: when, how: etaOf({ eta_source: way.eta_source, eta_at: way.opened_at }, now) });
}
