// @ts-check
/**
 * This browser as a device: one of its tabs keeps a line open as a voice device does, is rung,
 * speaks and answers. The others show the same, and hand it what is said to them.
 */

import * as api from "./api.js";
import { Chime } from "./chime.js";
import { prefs } from "./house.js";
import { waitBefore } from "./live.js";
import { Rings } from "./rings.js";
import { Sound } from "./sound.js";
import { Tabs } from "./tabs.js";
import { hello, registered, typed } from "./wire.js";
import { t } from "./words.js";

const PATH = "/xiaozhi/v1/";
const LINES_KEPT = 60;
const READY_WITHIN = 4_000; // milliseconds; then a reminder is set all the same

/** @typedef {{who: "clarion" | "me" | "note", text: string, at: Date}} Line */

export class BrowserDevice {
  /** @param {import("./house.js").House} house @param {import("./live.js").Live} live */
  constructor(house, live) {
    this.house = house;
    this.sound = new Sound();
    this.tabs = new Tabs();
    this.tabs.heard = (message) => this.heardFromTab(message);
    this.rings = new Rings(() => this.id, () => this.changed());
    /** @type {"off" | "joining" | "ready" | "lost" | "elsewhere"} */
    this.state = "off";
    /** @type {Line[]} */
    this.lines = [];
    this.userId = "";
    this.id = "";
    /** @type {WebSocket | null} */
    this.socket = null;
    /** @type {Set<() => void>} */
    this.watchers = new Set();
    this.tries = 0;
    this.timer = 0;
    this.chime = new Chime(this.sound, () => this.tabs.leads || this.leaderMuted); // one tab, not each
    this.leaderMuted = false;
    live.on(["reminder.", "ring."], (event) => this.happened(event));
  }

  changed() {
    this.chime.attend(this.rings.now.length > 0);
    for (const watcher of [...this.watchers]) watcher();
    if (this.tabs.leads) this.tabs.tell({ state: this.state, lines: this.lines, muted: this.sound.isMuted });
  }

  /**
   * Ring here for this user from now on; asked for by a click, so sound is allowed.
   * @param {string} userId
   */
  async turnOn(userId) {
    this.sound.unlock();
    if (this.state !== "off" && this.userId === userId) return;
    this.close();
    this.userId = userId;
    this.state = "joining";
    this.changed();
    try {
      this.id = await registered(this.house, userId);
    } catch (error) {
      this.turnOff();
      throw error;
    }
    const leads = await this.tabs.stand(() => this.open());
    prefs.set("ringing", userId); // other tabs follow this, and must not take the lead before us
    if (!leads && this.state === "joining") this.state = "elsewhere";
    this.rings.read(this.house.isAdmin ? { user_id: userId } : {}).catch(() => {});
    this.changed();
  }

  /** Resolves when the line is open, or when it took too long to wait for. */
  ready() {
    return new Promise((done) => {
      const look = () => {
        if (this.state === "joining") return;
        this.watchers.delete(look);
        clearTimeout(timer);
        done(undefined);
      };
      const timer = setTimeout(() => (this.watchers.delete(look), done(undefined)), READY_WITHIN);
      this.watchers.add(look);
      look();
    });
  }

  turnOff() {
    this.close();
    this.tabs.stepDown();
    this.state = "off";
    this.rings.now = [];
    prefs.set("ringing", null);
    this.changed();
  }

  /** After a reload: as it was. Another tab's choice is this one's too. */
  resume() {
    const follow = () => {
      const userId = prefs.get("ringing");
      const known = userId && this.house.users.some((one) => one.id === userId);
      if (known) this.turnOn(userId).catch(() => {});
      else if (this.state !== "off") this.turnOff();
    };
    follow();
    addEventListener("storage", (event) => event.key === "clarion.ringing" && follow());
    addEventListener("online", () => this.state === "lost" && this.open());
    for (const touch of ["pointerdown", "keydown"]) addEventListener(touch, () => this.wake(), true);
  }

  /** The page was touched: from now on it may be heard. */
  wake() {
    if (this.state === "off" || !this.sound.isMuted) return;
    this.sound.unlock();
    setTimeout(() => this.changed(), 100);
  }

  open() {
    clearTimeout(this.timer);
    if (!this.tabs.leads) return;
    if (this.state === "elsewhere") this.state = "joining";
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = new WebSocket(
      `${scheme}://${location.host}${PATH}?device-id=${encodeURIComponent(this.id)}`,
    );
    socket.binaryType = "arraybuffer";
    this.socket = socket;
    socket.onopen = () => socket.send(JSON.stringify(hello()));
    socket.onmessage = (event) =>
      typeof event.data === "string" ? this.told(JSON.parse(event.data)) : this.sound.packet(event.data);
    socket.onclose = (event) => this.socket === socket && this.lost(event.reason);
  }

  /** @param {string} reason */
  lost(reason) {
    this.socket = null;
    if (reason.includes("replaced") && !navigator.locks) {
      this.state = "elsewhere";
    } else {
      this.state = "lost";
      this.timer = /** @type {any} */ (setTimeout(() => this.open(), waitBefore(this.tries++)));
    }
    this.changed();
  }

  close() {
    clearTimeout(this.timer);
    const socket = this.socket;
    this.socket = null;
    socket?.close(1000);
    this.sound.stop();
  }

  /** @param {any} message */
  told(message) {
    if (message.type === "hello") {
      this.tries = 0;
      this.state = "ready";
      this.sound.expect(message.audio_params?.sample_rate ?? 24_000);
      this.rings.read().catch(() => {});
    } else if (message.type === "llm" && message.emotion === "happy") {
      this.chime.rearm(); // a ring begins; events say of what, unless that line is down
      this.rings.begins();
      this.rings.read().catch(() => {});
    } else if (message.type === "alert" || (message.type === "tts" && message.state === "sentence_start")) {
      const text = message.message ?? message.text;
      this.rings.spoken(text);
      this.note("clarion", text);
    } else if (message.type === "stt") {
      this.note("me", message.text);
    } else if (message.type === "ping") {
      this.send({ type: "pong" });
      return;
    }
    this.changed();
  }

  /** @param {import("./live.js").Happened} event */
  happened(event) {
    const meaning = this.state === "off" ? "" : this.rings.happened(event);
    if (meaning === "begun") this.chime.rearm();
    if (meaning === "over" && this.tabs.leads) this.note("note", t(`fact.short.${event.kind}`));
    if (meaning) this.changed();
  }

  /** Somebody is there: no more chimes, and it still waits for an answer. */
  touch() {
    this.chime.touch();
  }

  /** @param {any} message */
  heardFromTab(message) {
    if (message.out) location.assign("/login"); // what was shown to somebody is not left open
    if (message.say !== undefined && this.tabs.leads) this.answer(message.say);
    if (message.lines === undefined || this.tabs.leads || this.state === "off") return;
    this.lines = message.lines.map((/** @type {any} */ one) => ({ ...one, at: new Date(one.at) }));
    this.leaderMuted = message.muted;
    for (const watcher of [...this.watchers]) watcher();
  }

  /** @param {Line["who"]} who @param {string} text */
  note(who, text) {
    this.lines = [...this.lines, { who, text, at: new Date() }].slice(-LINES_KEPT);
  }

  /** @param {any} message @returns {boolean} whether there is a line to say it on */
  send(message) {
    if (this.socket?.readyState !== WebSocket.OPEN) return false;
    this.socket.send(JSON.stringify(message));
    return true;
  }

  /** Say something back, in words. @param {string} text */
  answer(text) {
    this.touch();
    this.sound.stop();
    if (this.state === "elsewhere") {
      this.tabs.tell({ say: text });
      return true;
    }
    return this.send(typed(text));
  }

  /** By a button: exact, whatever was said. @param {string} reminder @param {"confirm" | "snooze"} verb */
  async press(reminder, verb) {
    this.touch();
    this.sound.stop();
    await api.post(`/reminders/${reminder}/${verb}`, verb === "snooze" ? { duration: 600 } : {});
    this.rings.drop(reminder);
  }
}
