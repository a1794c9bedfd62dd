// @ts-check
/** What rings on this browser just now: known from events, and read again after a reload. */

import * as api from "./api.js";

const BEGUN = ["reminder.triggered", "ring.moved", "reminder.checked", "reminder.reached"];
const OVER = ["reminder.confirmed", "reminder.completed", "reminder.snoozed", "reminder.cancelled",
  "reminder.timeout", "reminder.failed", "reminder.retried", "reminder.promised", "ring.unreachable"];

const ENDED_KEPT = 100; // more than ever rang while one question was under way

/** @typedef {{reminder: string, content: string, user: string, asks: boolean, text: string, since: Date}} Ringing */

/**
 * On which device a reminder was last rung. @param {{kind: string, data: any}[]} history
 * @returns {string | undefined}
 */
export function lastDevice(history) {
  return history.filter((one) => BEGUN.includes(one.kind) && one.data?.device).at(-1)?.data.device;
}

/** Which of them was just spoken. @template {{content: string}} T @param {T[]} open @param {string} spoken */
export function meant(open, spoken) {
  return open.find((one) => spoken.includes(one.content)) ?? open[open.length - 1] ?? null;
}

export class Rings {
  /** @param {() => string} deviceId @param {() => void} changed */
  constructor(deviceId, changed) {
    this.deviceId = deviceId;
    this.changed = changed;
    /** @type {Ringing[]} */
    this.now = [];
    this.ticks = 0;
    /** When each was last known to be over: what was asked before that is old news. @type {Map<string, number>} */
    this.ended = new Map();
    /** What was spoken of a ring that is not known yet: the server is still being asked about it. */
    this.heard = "";
  }

  /** One begins: what was spoken before is about something else. */
  begins() {
    this.heard = "";
  }

  /**
   * @param {import("./live.js").Happened} event
   * @returns {string} what it means for what is shown: `begun`, `over` or nothing
   */
  happened(event) {
    if (event.kind === "reset") this.read().catch(() => {});
    const mine = event.data?.device === this.deviceId();
    if (BEGUN.includes(event.kind) && mine) {
      this.add(event.subject).catch(() => {});
      return "begun";
    }
    const known = this.now.some((one) => one.reminder === event.subject);
    const leaves = OVER.includes(event.kind) || (BEGUN.includes(event.kind) && !mine);
    if (leaves) this.end(event.subject);
    if (!known || !leaves) return "";
    this.drop(event.subject);
    return "over";
  }

  /** @param {string} reminder */
  end(reminder) {
    this.ended.set(reminder, ++this.ticks);
    if (this.ended.size > ENDED_KEPT) this.ended.delete(/** @type {string} */ (this.ended.keys().next().value));
  }

  /** Whether it ended while the server was being asked. @param {string} reminder @param {number} asked */
  isOld(reminder, asked) {
    return (this.ended.get(reminder) ?? 0) > asked;
  }

  /** What rings already: after a reload, or when the line was away. @param {Record<string, any>} [owner] */
  async read(owner = this.owner ?? {}) {
    this.owner = owner;
    if (!this.deviceId()) return;
    const asked = this.ticks;
    const { items } = await api.get("/reminders", { ...owner, status: "triggered", limit: 50 });
    const lives = await Promise.all(items.map((/** @type {any} */ one) => api.get(`/reminders/${one.id}/history`)));
    const here = items.filter((/** @type {any} */ _, /** @type {number} */ at) => lastDevice(lives[at].items) === this.deviceId());
    const kept = this.now.filter((one) => here.some((/** @type {any} */ other) => other.id === one.reminder));
    this.now = kept;
    for (const one of here) if (!this.isOld(one.id, asked)) this.put(one);
    this.changed();
  }

  /** @param {string} id */
  async add(id) {
    const asked = this.ticks;
    const found = await api.get(`/reminders/${id}`);
    if (found.status !== "triggered" || this.isOld(id, asked)) return;
    this.put(found);
    this.changed();
  }

  /** @param {any} reminder */
  put(reminder) {
    if (this.now.some((one) => one.reminder === reminder.id)) return;
    const { id, content, user_id: user } = reminder;
    const asks = reminder.confirmation.required;
    this.now = [...this.now, { reminder: id, content, user, asks, text: this.heard, since: new Date() }];
    this.heard = "";
  }

  /** @param {string} reminder */
  drop(reminder) {
    this.end(reminder);
    this.now = this.now.filter((one) => one.reminder !== reminder);
    this.changed();
  }

  /** @param {string} text */
  spoken(text) {
    const one = meant(this.now, text);
    if (one && !one.text) one.text = text;
    else if (!one?.content || !text.includes(one.content)) this.heard = text;
  }
}
