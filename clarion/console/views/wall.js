// @ts-check
/** Everybody at once: who is fine, who has something open and since when; a tap leads to their day. */

import * as api from "../api.js";
import { h, keyed } from "../dom.js";
import { calledBy, isChat } from "../house.js";
import { away, clock, dayKey, foreign, midnight, t } from "../words.js";
import { absenceOf } from "./absence.js";
import { isOpen, whenOf } from "./facts.js";
import { letter } from "./people.js";
import { soon, tally } from "./today.js";

const MOST = 500;
const BEFORE = 86_400_000; // milliseconds: what nobody answered before midnight is seen for a day

/**
 * How somebody stands, by the worst of it: what nobody answered, what waits, what rings, or fine.
 * @param {any[]} reminders of today and of the day before @param {Date} now
 */
export function standingOf(reminders, now) {
  const open = reminders.filter((one) => isOpen(one) && Date.parse(whenOf(one)) <= now.getTime());
  const missed = reminders.filter((one) => one.status === "timeout" || one.status === "failed");
  const first = (/** @type {any[]} */ some) => some.map((one) => one).sort((a, b) => whenOf(a).localeCompare(whenOf(b)))[0] ?? null;
  if (missed.length) return { tone: "bad", key: "wall.missed", about: first(missed) };
  if (open.some((one) => one.unreached_since)) return { tone: "bad", key: "wall.unreached", about: first(open.filter((one) => one.unreached_since)) };
  if (open.length) return { tone: "ring", key: "wall.open", about: first(open) };
  return { tone: "good", key: "wall.fine", about: null };
}

/** Somebody's line on the wall. @param {any} user @param {any[]} reminders @param {Date} now */
export function wardOf(user, reminders, now) {
  const today = dayKey(now, user.zone);
  return {
    user, standing: standingOf(reminders, now), numbers: tally(reminders.filter((one) => dayKey(whenOf(one), user.zone) === today)),
    next: reminders.find((one) => one.status === "pending" && Date.parse(one.trigger_at) > now.getTime()) ?? null,
  };
}

/** Those who need somebody come first. @param {{standing: {tone: string}, user: any}[]} people */
export function worstFirst(people) {
  const rank = { bad: 0, ring: 1, good: 2 };
  return [...people].sort((a, b) => /** @type {any} */ (rank)[a.standing.tone] - /** @type {any} */ (rank)[b.standing.tone]
    || (calledBy(a.user)).localeCompare(calledBy(b.user)));
}

/** @param {any} context */
export function page(context) {
  const { house, now, hear, every, fail } = context;
  const list = h("ul", { class: "wall" });
  const none = h("p", { class: "empty", hidden: true }, t("people.none"));
  const load = async () => {
    const people = house.users.filter((/** @type {any} */ one) => !isChat(one));
    none.hidden = people.length > 0;
    const ringing = await api.all("/reminders", { status: "triggered" }, MOST);
    const whole = await Promise.all(people.map(async (/** @type {any} */ user) => {
      const since = new Date(now().getTime() - BEFORE).toISOString();
      const near = await api.all("/reminders", { user_id: user.id, since, until: midnight(now(), user.zone, 1).toISOString() }, MOST);
      const older = ringing.filter((one) => one.user_id === user.id && !near.some((other) => other.id === one.id));
      return wardOf(user, [...older, ...near], now());
    }));
    const sameAs = (/** @type {any} */ one) => JSON.stringify([one, Math.floor(now().getTime() / 60_000)]);
    keyed(list, worstFirst(whole), (/** @type {any} */ one) => one.user.id, (one) => card(context, one), { sameAs, moves: true });
  };
  const reload = soon(() => load().catch(fail), 400);
  hear(["reminder.", "ring.", "user."], reload);
  every(reload, 30_000);
  load().catch(fail);
  return h("div", { class: "page" },
    h("header", { class: "page-head" }, h("h1", {}, t("page.wall")), h("p", {}, t("wall.explain"))), none, list);
}

/** @param {any} context @param {any} one */
function card({ now }, { user, standing, numbers, next }) {
  const { about } = standing;
  const since = about && whenOf(about);
  return h("li", { class: `card ward ${standing.tone}` },
    h("a", { href: `#/today?user=${encodeURIComponent(user.id)}` },
      h("span", { class: "face", "aria-hidden": "true" }, letter(user)),
      h("span", { class: "what" }, h("strong", {}, calledBy(user)),
        h("span", { class: `pill ${standing.tone}` }, t(standing.key)),
        absenceOf(user, now()) && h("span", { class: "pill" }, absenceOf(user, now())),
        about && h("span", {}, `${about.content} · ${clock(since, user.zone)} · ${away(since, now())}`),
        h("small", {}, t("today.summary", numbers)),
        next && h("small", {}, t("wall.next", { at: clock(next.trigger_at, user.zone), what: next.content })),
        foreign(user.zone, now()) && h("small", {}, foreign(user.zone, now())))));
}
