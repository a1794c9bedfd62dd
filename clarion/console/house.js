// @ts-check
/** What all pages share: who is logged in, whom the page is about, and what this browser prefers. */

import * as api from "./api.js";
import { language, t } from "./words.js";

/** @typedef {{id: string, name: string, zone: string, language: string, quiet: any,
 *             version: number, context: any}} User */

const STORE = "clarion.";
/** Who has said no name is “me”. @param {{id: string, name?: string}} user */
export const calledBy = (user) => user.name || (user.id === "me" ? t("me") : user.id);
export const browserZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone || "UTC";

/** What this browser remembers; without storage it forgets, and all goes on. */
export const prefs = {
  /** @param {string} name */
  get(name) {
    try {
      return localStorage.getItem(STORE + name);
    } catch {
      return null;
    }
  },
  /** @param {string} name @param {string | null} value */
  set(name, value) {
    try {
      if (value === null) localStorage.removeItem(STORE + name);
      else localStorage.setItem(STORE + name, value);
    } catch {
      // A private window may refuse: the choice holds until it is closed.
    }
  },
};

/**
 * The user to begin with: the one chosen before, or the first.
 * @param {User[]} users
 * @param {string | null} wanted
 */
export function pick(users, wanted) {
  return users.find((one) => one.id === wanted) ?? users[0] ?? null;
}

/**
 * A chat of Telegram or the console is a user too, for what it asks; it is nobody's grandmother.
 * @param {User} user
 */
export const isChat = (user) => /^(console|telegram|matrix):/.test(user.id);

export class House {
  /** @param {import("./live.js").Live} live */
  constructor(live) {
    this.live = live;
    /** @type {any} */
    this.me = null;
    /** @type {User[]} */
    this.users = [];
    /** @type {User | null} */
    this.user = null;
    /** @type {Set<() => void>} */
    this.watchers = new Set();
    /** @type {Map<string, any>} */
    this.devices = new Map();
    /** Whether there are teams or events: without them nobody needs their page. */
    this.dispatches = false;
    this.useChanged = () => {};
  }

  get isAdmin() {
    return this.me?.kind === "admin";
  }

  /** A dispatcher, or somebody who only looks on: the desk is all that opens for them. */
  get isDesk() {
    return ["dispatcher", "viewer"].includes(this.me?.kind);
  }

  /** Nobody is here yet, and whoever looks may change that. */
  get isNew() {
    return this.isAdmin && this.users.length === 0;
  }

  /** Without the chats, which are users too. */
  get people() {
    return this.users.filter((one) => !isChat(one));
  }

  /** The zone of whom the page is about. */
  get zone() {
    return this.user?.zone ?? browserZone();
  }

  async load() {
    const people = this.loadPeople().catch((error) => error);
    this.me = await api.get("/me");
    this.dispatches = this.isDesk;
    if (this.isDesk) return;
    const failed = await people;
    if (failed) throw failed;
    this.live.on(["user."], () => this.loadPeople().then(() => this.changed()).catch(() => {}));
    this.live.on(["device."], () => this.loadDevices().catch(() => {}));
    this.live.on(["team.", "event."], () => !this.dispatches && this.loadUse().catch(() => {}));
    this.loadDevices().catch(() => {});
    this.loadUse().catch(() => {});
  }

  async loadUse() {
    if (!this.isAdmin) return;
    const found = await Promise.all(["/ai/teams", "/ai/events"].map((path) => api.get(path, { limit: 1 })));
    const dispatches = found.some((one) => one.items.length > 0);
    if (dispatches === this.dispatches) return;
    this.dispatches = dispatches;
    this.useChanged();
  }

  async loadPeople() {
    const found = await api.all("/users");
    this.users = [...found.filter((one) => !isChat(one)), ...found.filter(isChat)];
    this.user = pick(this.users, this.user?.id ?? prefs.get("user"));
  }

  /** Names for the lines that tell where something rang. */
  async loadDevices() {
    const found = await api.all("/devices");
    this.devices = new Map(found.map((one) => [one.id, one]));
  }

  /** @param {string | undefined} id */
  deviceName(id) {
    const found = this.devices.get(id ?? "");
    return found ? found.name || t(`kind.${found.kind}`) : t("device.some");
  }

  /** @param {string} id */
  userName(id) {
    return calledBy(this.users.find((one) => one.id === id) ?? { id });
  }

  /** @param {string} id */
  choose(id) {
    this.user = pick(this.users, id);
    prefs.set("user", id);
    this.changed();
  }

  changed() {
    for (const watcher of [...this.watchers]) watcher();
  }

  /**
   * Somebody to remind. In an empty house that is whoever sits here, in this browser's zone and
   * language: the first minute has no forms.
   * @returns {Promise<User>}
   */
  async someone() {
    if (this.user) return this.user;
    // Without a name: nobody wants to be called “Me”.
    const wanted = { id: "me", name: "", zone: browserZone(), language: language() };
    try {
      await api.post("/users", wanted);
    } catch (error) {
      // Two tabs may both be the first.
      if (!(error instanceof api.Refusal) || error.status !== 409) throw error;
    }
    await this.loadPeople();
    this.changed();
    return /** @type {User} */ (this.user);
  }
}
