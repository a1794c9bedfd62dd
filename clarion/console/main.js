// @ts-check
/** Joins everything: who is here, which page is shown, and whether the line to the server is up. */

import * as api from "./api.js";
import { h } from "./dom.js";
import { drawHead, drawMenu } from "./frame.js";
import { House, prefs } from "./house.js";
import { Live } from "./live.js";
import { BrowserDevice } from "./device.js";
import { closeAll, lastOpen, pressed, readAddress, wentBack } from "./dialogs.js";
import { open } from "./pages.js";
import { keepPush, startWorker } from "./push.js";
import { alarm, blinkTitle } from "./views/alarm.js";
import { language, speak, t } from "./words.js";

const live = new Live();
const house = new House(live);
const ringer = new BrowserDevice(house, live);
const main = h("main", { id: "main", tabindex: "-1" });
const nav = h("nav", {});
const bar = h("div", { class: "lost", role: "status", "aria-live": "polite" });
const toasts = h("div", { class: "toasts", role: "status", "aria-live": "polite" });
/** @type {(() => void)[]} */
let closers = [];
let shown = "";
let turn = 0;

/** What every page is handed. */
const context = {
  house,
  live,
  ringer,
  now: () => new Date(),
  say,
  fail,
  go: (/** @type {string} */ page) => (location.hash = `#/${page}`),
  /** Done when the page is left. @param {() => void} close */
  onClose: (close) => closers.push(close),
  /** Hear events while the page is open. @param {string[]} kinds @param {(e: any) => void} hear */
  hear: (kinds, hear) => closers.push(live.on(kinds, hear)),
  /** Hear keys while the page is open. @param {(e: KeyboardEvent) => void} hear */
  press(hear) {
    document.addEventListener("keydown", hear);
    closers.push(() => document.removeEventListener("keydown", hear));
  },
  /** Do it now and every so often while somebody looks. @param {() => any} work @param {number} ms */
  every(work, ms) {
    const tick = () => !document.hidden && work();
    const timer = setInterval(tick, ms);
    closers.push(() => clearInterval(timer));
  },
};

/** @type {ReturnType<typeof alarm> | null} */
let ringing = null;
let isOld = false;

/**
 * One line at the foot of the page, for some seconds; for a minute where it can be taken back.
 * @param {string} text @param {string} [kind] @param {() => void} [undo]
 */
function say(text, kind = "", undo) {
  const back = undo && h("button", { class: "small", type: "button", onclick: () => (line.remove(), undo()) }, t("undo"));
  const line = h("p", { class: `toast ${kind}` }, text, back);
  toasts.append(line);
  // Beside an open dialog everything else is out of reach.
  (lastOpen() ?? document.body).append(toasts);
  setTimeout(() => line.remove(), undo ? 60_000 : kind === "bad" ? 8_000 : 4_000);
}

/** @param {any} error */
function fail(error) {
  if (error?.name === "AbortError") return;
  if (!(error instanceof api.Refusal)) console.error(error);
  if (error.status === 401) location.assign("/login");
  else say(
    error.status === 0 ? t("offline.failed") : [error.message, error.hint].filter(Boolean).join(" "), "bad",
  );
}

/**
 * @param {boolean} [anew] the same page again, as another person or language is looked at
 * @param {boolean} [wasTyping] somebody was at the line in which reminders are said
 */
async function show(anew = false, wasTyping = false) {
  const { name, query } = readAddress(location.hash);
  const page = open(house).find((one) => one.name === name) ?? open(house)[0];
  const person = query.get("user");
  if (person && person !== house.user?.id && house.users.some((one) => one.id === person)) {
    return house.choose(person); // which draws everything anew
  }
  if (shown === page.name && !anew) return openAddressed(query);
  if (isOld && shown) return location.reload(); // files of another version must not be mixed
  const mine = ++turn;
  try {
    const view = await page.load();
    if (mine !== turn) return; // somebody has gone on meanwhile
    leave();
    const element = view.page(context);
    main.replaceChildren(element);
    if (anew && wasTyping) main.querySelector(".say input")?.focus(); // the line is another one now
    document.title = `${t(`page.${page.name}`)} · Clarion`;
    drawMenu(nav, house, page.name);
    if (shown && shown !== page.name) main.focus({ preventScroll: true });
    if (shown !== page.name) scrollTo(0, 0);
    if (!shown) performance.mark("ready");
    const redrawn = shown === page.name;
    shown = page.name;
    openAddressed(query, redrawn);
  } catch (error) {
    main.replaceChildren(h("p", { class: "empty" }, t("page.failed")));
    fail(error);
  }
}

/**
 * A dialog that the address names.
 * @param {URLSearchParams} query @param {boolean} [redrawn] the page was: a form that was saved just now stays closed
 */
async function openAddressed(query, redrawn = false) {
  const [id, edited, button] = ["reminder", "edit", "open"].map((name) => query.get(name));
  if (!(id || ((edited || button) && !redrawn)) || document.querySelector("dialog[open]:not(.alarm)")) return;
  if (button) return pressed(main, button);
  const { editById, openReminder } = await import("./views/reminder.js");
  if (id) openReminder(context, id);
  else editById(context, String(edited));
}

function leave() {
  closeAll();
  const leaving = closers;
  closers = [];
  for (const close of leaving) close();
}

/** @param {string} state */
function drawLine(state) {
  bar.replaceChildren(state === "lost" ? t("offline.lost") : "");
  bar.classList.toggle("on", state === "lost");
  if (state === "out") location.assign("/login");
}

function draw() {
  document.documentElement.lang = language() === "zh" ? "zh-CN" : "en";
  const skip = h(
    "a",
    {
      class: "skip", href: "#main",
      onclick: (/** @type {Event} */ e) => { e.preventDefault(); main.focus(); },
    },
    t("skip"),
  );
  const wasTyping = Boolean(document.activeElement?.closest(".say"));
  closeAll();
  ringing?.close();
  ringing = alarm(context);
  document.body.replaceChildren(skip, drawHead(house, draw), nav, bar, main, toasts);
  ringer.changed();
  drawLine(live.state);
  show(true, wasTyping);
}

async function begin() {
  const wished = prefs.get("language") ?? (navigator.language.startsWith("zh") ? "zh" : "en");
  speak(wished === "en" ? "en" : "zh");
  const theme = prefs.get("theme");
  if (theme) document.documentElement.dataset.theme = theme;
  try {
    await house.load();
  } catch (error) {
    if (error instanceof api.Refusal && error.status === 401) return location.assign("/login");
    document.body.replaceChildren(
      h(
        "main", {}, h("p", { class: "empty" }, t("offline.begin")),
        h("p", { class: "empty" }, h("button", { onclick: () => location.reload() }, t("again"))),
      ),
    );
    return setTimeout(() => location.reload(), 5_000);
  }
  live.watchers.add(drawLine);
  house.watchers.add(draw);
  house.useChanged = () => shown && drawMenu(nav, house, shown);
  addEventListener("popstate", () => wentBack());
  addEventListener("hashchange", () => show());
  draw();
  if (!house.isDesk) live.start(); // the desk looks for itself
  if (!house.isDesk) ringer.resume();
  blinkTitle(ringer);
  startWorker({ go: (address) => location.assign(address), renewed: () => (isOld = true) })
    .then(keepPush).catch((error) => console.warn(error));
  return undefined;
}

// For people who look under the bonnet, and for tests that listen.
/** @type {any} */ (globalThis).clarion = { house, live, ringer };
begin();
