// @ts-check
/**
 * Listens to what happens: the server's event stream, resumed after the last event that was
 * seen. Says whether the line is up; silence beyond the server's own sign of life is a lost line.
 */

import { addressOf } from "./api.js";

const SILENCE = 40_000; // milliseconds; the server says something every 15 seconds
const FIRST_WAIT = 1_000;
const LONGEST_WAIT = 15_000;

/** @typedef {{id: number, at: string, kind: string, subject: string, user_id: string | null,
 *             data: Record<string, any>}} Happened */

/**
 * Splits a stream into events. Feed it text as it comes.
 * @param {(event: {id: string, kind: string, data: string}) => void} tell
 */
export function reader(tell) {
  let rest = "";
  let id = "";
  let kind = "";
  /** @type {string[]} */
  let data = [];
  /** @param {string} line */
  function read(line) {
    if (line === "") {
      if (data.length) tell({ id, kind: kind || "message", data: data.join("\n") });
      kind = "";
      data = [];
      return;
    }
    const [, name, value] = /^([^:]*):? ?(.*)$/.exec(line) ?? [];
    if (name === "id") id = value;
    else if (name === "event") kind = value;
    else if (name === "data") data.push(value);
  }
  return (/** @type {string} */ text) => {
    const lines = (rest + text).split(/\r\n|\n|\r/);
    rest = lines.pop() ?? "";
    lines.forEach(read);
  };
}

/** How long to wait before try number `n`, with some chance so that not all come at once. */
export function waitBefore(n, chance = Math.random()) {
  return Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** Math.min(n, 10)) * (0.75 + chance / 2);
}

export class Live {
  constructor() {
    /** @type {Set<{kinds: string[], hear: (event: Happened) => void}>} */
    this.listeners = new Set();
    /** @type {Set<(state: "up" | "lost" | "out") => void>} */
    this.watchers = new Set();
    /** @type {"up" | "lost" | "out" | "new"} */
    this.state = "new";
    this.last = "";
    this.tries = 0;
    this.waiting = 0;
  }

  /**
   * Hear events whose kind begins with one of `kinds`; `reset` is always heard.
   * @param {string[]} kinds
   * @param {(event: Happened) => void} hear
   * @returns {() => void} stops listening
   */
  on(kinds, hear) {
    const one = { kinds, hear };
    this.listeners.add(one);
    return () => this.listeners.delete(one);
  }

  start() {
    // A browser that comes back tells us: no reason to wait out the pause.
    addEventListener("online", () => this.hurry());
    addEventListener("offline", () => this.cut?.abort());
    document.addEventListener("visibilitychange", () => !document.hidden && this.hurry());
    this.open();
  }

  hurry() {
    if (this.state === "lost" && this.waiting) {
      clearTimeout(this.waiting);
      this.open();
    }
  }

  async open() {
    this.waiting = 0;
    const cut = (this.cut = new AbortController());
    let silence = setTimeout(() => cut.abort(), SILENCE);
    try {
      const answer = await fetch(addressOf("/events"), {
        headers: this.last ? { "Last-Event-ID": this.last } : {},
        signal: cut.signal,
        cache: "no-store",
      });
      if (answer.status === 401) return this.become("out");
      if (!answer.ok || !answer.body) throw new Error(String(answer.status));
      const resumed = this.state === "lost";
      this.become("up");
      // What was lost without a number to resume from has to be read again.
      if (resumed && !this.last) this.tell({ kind: "reset" });
      const read = reader((event) => this.heard(event));
      const decoder = new TextDecoder();
      const body = answer.body.getReader();
      for (let part = await body.read(); !part.done; part = await body.read()) {
        this.tries = 0;
        clearTimeout(silence);
        silence = setTimeout(() => cut.abort(), SILENCE);
        read(decoder.decode(part.value, { stream: true }));
      }
    } catch {
      // However it ended, it is tried again below.
    } finally {
      clearTimeout(silence);
    }
    if (this.state === "out") return undefined;
    this.become("lost");
    this.waiting = setTimeout(() => this.open(), waitBefore(this.tries++));
    return undefined;
  }

  /** @param {{id: string, kind: string, data: string}} event */
  heard(event) {
    if (event.id) this.last = event.id;
    this.tell({ ...JSON.parse(event.data), kind: event.kind });
  }

  /** @param {any} event */
  tell(event) {
    for (const one of [...this.listeners]) {
      const wanted = event.kind === "reset" || one.kinds.some((kind) => event.kind.startsWith(kind));
      if (wanted) one.hear(event);
    }
  }

  /** @param {"up" | "lost" | "out"} state */
  become(state) {
    if (this.state === state) return;
    this.state = state;
    for (const watcher of this.watchers) watcher(state);
  }
}
