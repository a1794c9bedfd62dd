// @ts-check
/** A reminder's life as a line of facts. Pure: events in, sentences out. */

import { clock, clockSeconds, day, dayAndClock, has, t } from "../words.js";

/** @typedef {import("../live.js").Happened} Happened */

/** How each kind of fact looks: what was hoped for, what went wrong, what is merely so. */
const TONES = {
  "reminder.confirmed": "good", "reminder.completed": "good", "ring.heard": "good",
  "reminder.triggered": "ring", "ring.moved": "ring",
  "reminder.timeout": "bad", "reminder.failed": "bad", "reminder.escalated": "bad",
  "ring.unreachable": "bad", "contact.told": "bad", "reminder.waits": "bad",
  "reminder.guarantee_lost": "bad", "reminder.guarantee_restored": "good", "reminder.reached": "good",
};

/** @param {Happened} event */
export const toneOf = (event) => /** @type {Record<string, string>} */ (TONES)[event.kind] ?? "";

/** The field that tells two sentences of the same kind apart. @type {Record<string, string>} */
const VARIANTS = {
  "contact.reached": "fact", "device.seen": "online", "question.ended": "status", "rule.changed": "what",
  "team.changed": "status",
};
/** Fields whose values have words, and the family in which these are. @type {Record<string, [string, string]>} */
const STATES = {
  "event.reported": ["severity", "severity"], "event.changed": ["event", "status"],
  "scheme.dropped": ["scheme.status", "status"], "team.changed": ["team", "status"],
  "team.progressed": ["step", "step"], "team.called": ["call", "call"],
};

/** @typedef {{now: Date, zone: string, device: (id?: string) => string, person: (id: string) => string}} Around */

/** What a sentence needs to know besides the event. @param {any} context @param {string} [zone] @returns {Around} */
export const aroundOf = ({ house, now }, zone = house.zone) => ({
  now: now(), zone, device: (id) => house.deviceName(id), person: (id) => house.userName(id),
});

/** One fact in words. @param {Happened} event @param {Around} around */
export function sentence(event, { now, zone, device, person }) {
  const data = event.data ?? {};
  const when = (/** @type {string | undefined} */ at) => (at ? dayAndClock(at, now, zone) : "");
  const finer = `fact.${event.kind}.${data[VARIANTS[event.kind]]}`;
  const key = has(finer) ? finer : `fact.${event.kind}`;
  if (!has(key)) return event.kind;
  return t(key, {
    ...data,
    ...(event.kind === "user.added" ? { name: data.name || person(event.subject) } : {}),
    ...(event.kind === "event.reported" ? { title: data.title || typeNamed(data.type) } : {}),
    by: spokenBy(data.by, person),
    device: device(data.device),
    subject: device(event.subject),
    person: person(event.subject),
    team: event.subject,
    teams: (data.teams ?? []).join(t("list.comma")),
    at: when(data.trigger_at ?? data.until ?? data.next_at),
    label: data.label ? t(`answer.${String(data.label).toLowerCase()}`) : "",
    state: stateOf(event),
    reason: data.reason ? reason(data.reason) : "",
    n: data.attempt ?? "",
  });
}

/** Its words may not be loaded here. @param {string | undefined} type */
const typeNamed = (type) => (has(`desk.type.${type}`) ? t(`desk.type.${type}`) : (type ?? "").replaceAll("_", " "));

/** @param {Happened} event */
function stateOf(event) {
  const [family, field] = STATES[event.kind] ?? [];
  return family ? t(`${family}.${event.data?.[field]}`) : "";
}

/** @param {string} why */
export const reason = (why) => (has(`why.${why}`) ? t(`why.${why}`) : why);

/** @param {string | undefined} by @param {Around["person"]} person */
function spokenBy(by, person) {
  if (!by) return t("by.clarion");
  if (by.startsWith("srs_")) return t("by.series");
  return has(`by.${by}`) ? t(`by.${by}`) : person(by);
}

/**
 * When it happened: the time, with the day where that is another.
 * @param {Happened} event
 * @param {Date} now
 * @param {string} zone
 */
export function moment(event, now, zone) {
  const name = day(event.at, now, zone);
  return name === t("today") ? clockSeconds(event.at, zone) : `${name} ${clock(event.at, zone)}`;
}

/**
 * What a list says of a reminder in one word, and in which tone.
 * @param {any} reminder @param {Date} now @param {string} zone
 * @returns {{word: string, tone: string}}
 */
export function standing(reminder, now, zone) {
  const { status } = reminder;
  if (reminder.unreached_since && isOpen(reminder)) {
    return { word: t("status.unreached", { at: clock(reminder.unreached_since, zone) }), tone: "bad" };
  }
  if (status === "pending" && reminder.attempt > 0) return { word: t("status.again"), tone: "ring" };
  if (
    status === "pending" && new Date(reminder.trigger_at) < now
  ) return { word: t("status.due"), tone: "ring" };
  const tones = { triggered: "ring", confirmed: "good", completed: "good", timeout: "bad", failed: "bad" };
  return { word: t(`status.${status}`), tone: /** @type {any} */ (tones)[status] ?? "" };
}

/** @param {any} reminder */
export const isOpen = (reminder) => reminder.status === "pending" || reminder.status === "triggered";
/** A late yes still counts. @param {any} reminder */
export const mayConfirm = (reminder) => [
  "pending", "triggered", "timeout", "failed",
].includes(reminder.status);

/**
 * Days with their reminders, both in order of time.
 * @param {any[]} reminders
 * @param {(at: string) => string} dayOf
 * @returns {[string, any[]][]}
 */
export function byDay(reminders, dayOf) {
  /** @type {Map<string, any[]>} */
  const days = new Map();
  const sorted = [...reminders].sort(
    (a, b) => whenOf(a).localeCompare(whenOf(b)) || a.id.localeCompare(b.id),
  );
  for (const one of sorted) {
    const key = dayOf(whenOf(one));
    days.set(key, [...(days.get(key) ?? []), one]);
  }
  return [...days.entries()];
}

/**
 * Where it belongs in a day: when it was meant while it is over, when it rings while it is not.
 * @param {any} reminder
 */
export const whenOf = (reminder) => (
  isOpen(reminder) ? reminder.unreached_since ?? reminder.trigger_at
    : reminder.planned_at ?? reminder.trigger_at
);

/**
 * Who will hear it, where that is not sure: a list warns, it does not reassure.
 * @param {any} reminder
 */
export const warning = (reminder) => (
  reminder.guarantee?.level === "nobody" && !reminder.unreached_since ? reminder.guarantee.sentence : ""
);

/** On purpose: its person is away. @param {any} reminder */
export const isPaused = (reminder) => reminder.guarantee?.level === "paused";
