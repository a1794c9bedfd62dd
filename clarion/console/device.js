// @ts-check
/**
 * This browser as a device: it keeps a line open as a voice device does, is rung, speaks and
 * answers. One line a device: where two tabs want it, the newest has it.
 */

import * as api from "./api.js";
import { prefs } from "./house.js";
import { waitBefore } from "./live.js";
import { Sound } from "./sound.js";
import { t } from "./words.js";

const PATH = "/xiaozhi/v1/";
const LINES_KEPT = 60;
const OVER = ["reminder.confirmed", "reminder.completed", "reminder.snoozed", "reminder.cancelled",
  "reminder.timeout", "reminder.failed", "reminder.retried"];

/** @typedef {{who: "clarion" | "me" | "note", text: string, at: Date}} Line */
/** @typedef {{reminder: string, text: string, since: Date}} Ringing */

/** What we say first. @returns {any} */
export const hello = () => ({
  type: "hello",
  version: 1,
  transport: "websocket",
  features: { persistent: true },
  audio_params: { format: "opus", sample_rate: 16_000, channels: 1, frame_duration: 60 },
});

/** Typed or spoken words, as the protocol carries them. @param {string} text */
export const typed = (text) => ({ type: "listen", state: "detect", text });

/** A new name for a browser, which is also its id as a device. */
export const newDeviceId = () => `browser-${api.newKey().replace(/[^a-z0-9]/gi, "").slice(0, 12)}`;

/** Which of the reminders under way was just spoken. @param {any[]} open @param {string} spoken */
export function meant(open, spoken) {
  return open.find((one) => spoken.includes(one.content)) ?? open[open.length - 1] ?? null;
}

export class BrowserDevice {
  /** @param {import("./house.js").House} house @param {import("./live.js").Live} live */
  constructor(house, live) {
    this.house = house;
    this.sound = new Sound();
    /** @type {"off" | "joining" | "ready" | "lost" | "elsewhere"} */
    this.state = "off";
    /** @type {Line[]} */
    this.lines = [];
    /** @type {Ringing | null} */
    this.ringing = null;
    this.userId = "";
    this.id = "";
    /** @type {WebSocket | null} */
    this.socket = null;
    /** @type {Set<() => void>} */
    this.watchers = new Set();
    this.tries = 0;
    this.timer = 0;
    live.on(["reminder.", "ring.moved"], (event) => this.happened(event));
  }

  changed() {
    for (const watcher of [...this.watchers]) watcher();
  }

  /**
   * Ring here for this user from now on; asked for by a click, so sound is allowed.
   * @param {string} userId
   */
  async turnOn(userId) {
    this.sound.unlock();
    if (globalThis.Notification?.permission === "default") Notification.requestPermission().catch(() => {});
    if (this.state !== "off" && this.userId === userId) return;
    this.close();
    this.userId = userId;
    this.state = "joining";
    this.changed();
    try {
      this.id = await this.register(userId);
    } catch (error) {
      this.turnOff();
      throw error;
    }
    prefs.set("ringing", userId);
    this.open();
  }

  turnOff() {
    this.close();
    this.state = "off";
    this.ringing = null;
    prefs.set("ringing", null);
    this.changed();
  }

  /** After a reload: as it was. */
  resume() {
    const userId = prefs.get("ringing");
    if (userId && this.house.users.some((one) => one.id === userId)) this.turnOn(userId).catch(() => {});
    addEventListener("pointerdown", () => this.sound.isMuted && this.state !== "off" && this.sound.unlock());
    addEventListener("online", () => this.state === "lost" && this.open());
  }

  /** @param {string} userId @returns {Promise<string>} */
  async register(userId) {
    const known = prefs.get(`device.${userId}`);
    if (known) {
      try {
        const found = await api.get(`/devices/${known}`);
        if (found.user_id === userId) return known;
      } catch (error) {
        if (!(error instanceof api.Refusal) || error.status !== 404) throw error;
      }
    }
    const id = newDeviceId();
    const owner = this.house.isAdmin ? { user_id: userId } : {};
    await api.post("/devices", { id, kind: "browser", name: t("browser.name"), ...owner });
    prefs.set(`device.${userId}`, id);
    return id;
  }

  open() {
    clearTimeout(this.timer);
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
    if (reason.includes("replaced")) {
      this.state = "elsewhere";
    } else {
      this.state = "lost";
      this.timer = setTimeout(() => this.open(), waitBefore(this.tries++));
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
    } else if (message.type === "llm" && message.emotion === "happy") {
      this.rung("");
    } else if (message.type === "alert") {
      this.rung(message.message);
      this.note("clarion", message.message);
    } else if (message.type === "tts" && message.state === "sentence_start") {
      this.spoken(message.text);
    } else if (message.type === "stt") {
      this.note("me", message.text);
    } else if (message.type === "ping") {
      this.send({ type: "pong" });
      return;
    }
    this.changed();
  }

  /** A ring begins: be noticed. @param {string} text */
  rung(text) {
    this.sound.chime();
    this.ringing = { reminder: "", text, since: new Date() };
  }

  /** @param {string} text */
  spoken(text) {
    this.note("clarion", text);
    if (!this.ringing || this.ringing.text) return;
    this.ringing.text = text;
    if (
      document.hidden && globalThis.Notification?.permission === "granted"
    ) new Notification("Clarion", { body: text, tag: "ring" });
    this.find().catch(() => {});
  }

  /** Which reminder rings, for the buttons. */
  async find() {
    const owner = this.house.isAdmin ? { user_id: this.userId } : {};
    const page = await api.get("/reminders", { ...owner, status: "triggered", limit: 50 });
    const found = meant(page.items, this.ringing?.text ?? "");
    if (this.ringing && found) this.ringing.reminder = found.id;
    this.changed();
  }

  /** @param {import("./live.js").Happened} event */
  happened(event) {
    if (!this.ringing || event.subject !== this.ringing.reminder || !OVER.includes(event.kind)) return;
    this.ringing = null;
    this.note("note", t(`fact.short.${event.kind}`));
    this.changed();
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
    this.sound.stop();
    return this.send(typed(text));
  }

  /** By a button: exact, whatever was said. @param {"confirm" | "snooze"} verb */
  async press(verb) {
    this.sound.stop();
    const id = this.ringing?.reminder;
    if (!id) return this.answer(t(`say.${verb}`));
    await api.post(`/reminders/${id}/${verb}`, verb === "snooze" ? { duration: 600 } : {});
    this.ringing = null;
    this.changed();
    return true;
  }
}
