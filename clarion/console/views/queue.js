// @ts-check
/** The queue, live: who is next, what waits at each level, the slots, the rules and the dead. */

import * as api from "../api.js";
import { LEVELS, levelsChart, linesChart } from "../charts.js";
import { h, keyed } from "../dom.js";
import { away, number, span, t } from "../words.js";
import { deadList } from "./dead.js";
import { workOf } from "./log.js";
import { ruleList } from "./rules.js";

const SHOWN = 12; // who is next; a hundred of them say no more
const LOOK_EVERY = 1_500; // milliseconds: quick enough to see somebody overtake

/** The level that a priority belongs to. @param {number} base */
export function levelOf(base) {
  if (base >= 100) return "critical";
  if (base >= 50) return "high";
  return base >= 10 ? "normal" : "bulk";
}

/**
 * What the lanes show, from the counts of the server.
 * @param {any} counts
 * @param {Date} now
 */
export function lanes(counts, now) {
  return LEVELS.map((level) => {
    const tasks = (/** @type {string} */ status) =>
      counts.counts.filter((/** @type {any} */ one) => one.level === level && one.status === status)
        .reduce((/** @type {number} */ sum, /** @type {any} */ one) => sum + one.tasks, 0);
    const oldest = counts.longest_waiting.find((/** @type {any} */ one) => one.level === level);
    const age = oldest ? Math.max(0, (now.getTime() - Date.parse(oldest.due_at)) / 1000) : 0;
    return { level, ready: tasks("ready"), running: tasks("running"), later: tasks("scheduled"), age };
  });
}

/** Columns out of samples: one list of numbers a level. @param {any[]} items @param {string} name */
export function byLevel(items, name) {
  return Object.fromEntries(LEVELS.map((level) => [level, items.map((one) => one[name]?.[level] ?? 0)]));
}

/** @param {any} context */
export function page(context) {
  const { now, every, fail, hear } = context;
  const line = h("ol", { class: "strip", "aria-label": t("queue.next") });
  const nothing = h("p", { class: "hint" }, t("queue.nothing"));
  const laneBox = h("div", { class: "lanes" });
  const charts = h("div", { class: "charts" });
  const slots = h("div", { class: "slots" });
  const rules = ruleList(context);
  const dead = deadList(context);
  let busy = false;

  const look = async () => {
    if (busy) return;
    busy = true;
    try {
      const [counts, ready, running] = await Promise.all([
        api.get("/tasks/counts"), api.get("/tasks", { status: "ready", limit: SHOWN }),
        api.get("/tasks", { status: "running", limit: 60 })]);
      keyed(
        line, ready.items, (one) => one.id, (one) => chip(one, now(), rules.titles),
        // A place in the line is kept by its key; what it says is drawn anew as time goes by.
        { moves: true, sameAs: (one) => `${one.base} ${away(one.due_at, now())} ${nameOf(one, rules.titles)}` },
      );
      nothing.hidden = ready.items.length > 0;
      keyed(laneBox, lanes(counts, now()), (one) => one.level, lane);
      dead.count(
        counts.counts.filter((/** @type {any} */ one) => one.status === "dead").reduce(
          (/** @type {number} */ n, /** @type {any} */ one) => n + one.tasks, 0,
        ),
      );
      drawSlots(slots, await trends, running.items);
    } finally {
      busy = false;
    }
  };
  let trends = api.get("/trends");
  const chart = async () => {
    trends = api.get("/trends");
    drawCharts(charts, (await trends).items);
  };
  every(() => look().catch(fail), LOOK_EVERY);
  every(() => chart().catch(() => {}), 5_000);
  hear(["rule."], () => rules.load());
  look().catch(fail);
  chart().catch(fail);
  return h("div", { class: "page queue" },
    h("header", { class: "page-head" }, h("h1", {}, t("page.queue")), h("p", {}, t("queue.explain"))),
    h("section", { class: "card" }, h("h2", {}, t("queue.waits")), laneBox),
    h("section", { class: "card" }, h("h2", {}, t("queue.next")), line, nothing),
    h("section", { class: "card" }, h("h2", {}, t("queue.hour")), charts,
      h(
        "p", { class: "legend" },
        LEVELS.map((level) => h("span", { class: `level-${level}` }, t(`level.${level}`))),
      )),
    h("section", { class: "card" }, h("h2", {}, t("queue.slots")), slots),
    rules.element, dead.element);
}

/**
 * Whose task it is: the chat it came from, or, with an arrow, the one it goes to.
 * @param {any} task
 * @param {Map<string, string>} titles of chats
 */
export function nameOf(task, titles) {
  const [, outgoing, chat] = /^(out:|history:)?(.*)$/.exec(task.source ?? "") ?? [];
  const title = titles.get(chat) || chat || workOf(task.kind);
  return outgoing === "out:" ? `→ ${title}` : title;
}

/** @param {any} task @param {Date} now @param {Map<string, string>} titles of chats */
function chip(task, now, titles) {
  const level = levelOf(task.base);
  const who = nameOf(task, titles);
  return h("li", { class: `task level-${level}`, title: `${task.kind} · ${task.id}` },
    h("b", {}, task.base), h("span", {}, who), h("small", {}, away(task.due_at, now)));
}

/** @param {ReturnType<typeof lanes>[number]} one */
function lane(one) {
  return h("div", { class: `lane level-${one.level}` },
    h("span", { class: "name" }, t(`level.${one.level}`)),
    h("span", { class: "big" }, number(one.ready)),
    h("small", {}, one.age > 1 ? t("queue.oldest", { span: span(one.age) }) : t("queue.at_once")),
    h(
      "small", {}, t("queue.running", { n: number(one.running) }), " · ",
      t("queue.later", { n: number(one.later) }),
    ));
}

/** @param {any} place @param {any[]} items */
function drawCharts(place, items) {
  const waiting = byLevel(items, "waiting");
  const age = byLevel(items, "age");
  const depth = items.length ? LEVELS.reduce((sum, level) => sum + (waiting[level].at(-1) ?? 0), 0) : 0;
  const oldest = Math.max(0, ...LEVELS.map((level) => age[level].at(-1) ?? 0));
  place.replaceChildren(
    levelsChart(
      t("queue.depth"), waiting, number(depth),
    ), linesChart(t("queue.age"), age, span(oldest), span));
}

/** @param {any} place @param {any} trends @param {any[]} running */
function drawSlots(place, trends, running) {
  const critical = running.filter((one) => one.base >= 100);
  const groups = trends.slots.map((/** @type {any} */ group) => {
    const ordinary = group.name === "ordinary" ? running.filter((one) => one.base < 100) : [];
    const mine = group.name === "reserved" ? critical : ordinary;
    const busy = Math.min(group.slots, Math.max(group.busy, mine.length));
    return h("div", {}, h("h3", {}, t(`slots.${group.name}`, { busy, slots: group.slots })),
      h("div",
        { class: "boxes", role: "img", "aria-label": t(`slots.${group.name}`, { busy, slots: group.slots }) },
        Array.from(
          { length: group.slots },
          (_, index) => h("i", { class: index < busy ? "busy" : "", title: mine[index] ? workOf(mine[index].kind) : "" }),
        )));
  });
  place.replaceChildren(...groups);
}
