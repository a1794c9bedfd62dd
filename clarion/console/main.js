// @ts-check
/** Joins everything: who is here, which page is shown, and whether the line to the server is up. */

import * as api from "./api.js";
import { h, select } from "./dom.js";
import { House, isChat, prefs } from "./house.js";
import { icon } from "./icons.js";
import { Live } from "./live.js";
import { BrowserDevice } from "./device.js";
import { blinkTitle, ringBar } from "./views/ringbar.js";
import { language, speak, t } from "./words.js";

/** Pages in the order of the menu; `admin` ones are only for those who look after everything. */
const PAGES = [
  { name: "today", load: () => import("./views/today.js") },
  { name: "ring", load: () => import("./views/ring.js") },
  { name: "chat", load: () => import("./views/chat.js") },
  { name: "people", load: () => import("./views/people.js") },
  { name: "queue", load: () => import("./views/queue.js"), admin: true },
  { name: "dispatch", load: () => import("./views/dispatch.js"), admin: true },
  { name: "health", load: () => import("./views/health.js") },
  { name: "all", load: () => import("./views/all.js"), hidden: true },
];

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
  /** Do it now and every so often while somebody looks. @param {() => any} work @param {number} ms */
  every(work, ms) {
    const tick = () => !document.hidden && work();
    const timer = setInterval(tick, ms);
    closers.push(() => clearInterval(timer));
  },
};

const ringing = ringBar(context);

/** One line at the foot of the page, for some seconds. @param {string} text @param {string} [kind] */
function say(text, kind = "") {
  const line = h("p", { class: `toast ${kind}` }, text);
  toasts.append(line);
  setTimeout(() => line.remove(), kind === "bad" ? 8_000 : 4_000);
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

async function show() {
  const name = location.hash.replace(/^#\/?/, "").split("?")[0] || "today";
  const page = PAGES.find((one) => one.name === name && (!one.admin || house.isAdmin)) ?? PAGES[0];
  const mine = ++turn;
  try {
    const view = await page.load();
    if (mine !== turn) return; // somebody has gone on meanwhile
    leave();
    const element = view.page(context);
    main.replaceChildren(element);
    document.title = `${t(`page.${page.name}`)} · Clarion`;
    drawMenu(page.name);
    if (shown && shown !== page.name) main.focus({ preventScroll: true });
    if (shown !== page.name) scrollTo(0, 0);
    if (!shown) performance.mark("ready");
    shown = page.name;
  } catch (error) {
    main.replaceChildren(h("p", { class: "empty" }, t("page.failed")));
    fail(error);
  }
}

function leave() {
  const leaving = closers;
  closers = [];
  for (const close of leaving) close();
}

/** @param {string} current */
function drawMenu(current) {
  const links = PAGES.filter((one) => !one.hidden && (!one.admin || house.isAdmin)).map(({ name }) =>
    h(
      "a", { href: `#/${name}`, "aria-current": name === current && "page" }, icon(name),
      h("span", {}, t(`nav.${name}`)),
    ),
  );
  nav.setAttribute("aria-label", t("menu"));
  nav.replaceChildren(...links);
}

function drawHead() {
  const person =
    house.users.length > 1 &&
    select(house.users.map((one) => [one.id, isChat(one) ? `# ${one.name || one.id}` : one.name || one.id]), house.user?.id ?? "", {
      "aria-label": t("person.choose"),
      class: "person",
      onchange: (/** @type {any} */ event) => house.choose(event.target.value),
    });
  const other = language() === "zh" ? "en" : "zh";
  const tongue = h(
    "button",
    {
      class: "icon", type: "button", lang: other, "aria-label": t("language.other"),
      onclick: () => choose(other),
    },
    other === "en" ? "EN" : "中",
  );
  const theme = h(
    "button", { class: "icon", type: "button", "aria-label": t("theme.toggle"), onclick: toggleTheme },
    icon("theme"),
  );
  return h(
    "header", { class: "top" },
    h("a", { class: "brand", href: "#/today" }, icon("bell"), h("span", {}, "Clarion")),
    h("span", { class: "grow" }), person, tongue, theme,
  );
}

/** @param {"zh" | "en"} wanted */
function choose(wanted) {
  prefs.set("language", wanted);
  speak(wanted);
  draw();
}

function toggleTheme() {
  const dark = matchMedia("(prefers-color-scheme: dark)").matches;
  const is = document.documentElement.dataset.theme ?? (dark ? "dark" : "light");
  const next = is === "dark" ? "light" : "dark";
  document.documentElement.dataset.theme = next;
  prefs.set("theme", next);
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
  document.body.replaceChildren(skip, drawHead(), nav, bar, ringing, main, toasts);
  ringer.changed();
  drawLine(live.state);
  show();
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
  addEventListener("hashchange", show);
  draw();
  live.start();
  ringer.resume();
  blinkTitle(ringer);
  return undefined;
}

// For people who look under the bonnet, and for tests that listen.
/** @type {any} */ (globalThis).clarion = { house, live, ringer };
begin();
