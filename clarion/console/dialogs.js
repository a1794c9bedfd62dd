// @ts-check
/**
 * Dialogs that the back button closes, and that can have an address: `#/today?reminder=rem_1`.
 * And the form that most of them hold.
 */

import { h } from "./dom.js";
import { t } from "./words.js";

/** @type {any[]} */
const open = [];
const LOOKED_FOR = 10_000; // milliseconds; then the address names nothing that is here

/** The way back that is being gone; browsers take their time. @type {Promise<unknown> | null} */
let leaving = null;

/** The page's name and what is asked of it. @param {string} hash */
export function readAddress(hash) {
  const [name, query = ""] = hash.replace(/^#\/?/, "").split("?");
  return { name: name || "today", query: new URLSearchParams(query) };
}

/** @param {string} name @param {Record<string, string>} query */
export function addressWith(name, query) {
  const search = new URLSearchParams(query).toString();
  return `#/${name}${search ? `?${search}` : ""}`;
}

let opening = "";

/**
 * What a button is given that opens a dialog with an address: `#/people?open=person:ana`. Who comes by the
 * address presses the button.
 * @param {string} key the same after a reload @param {() => any} work opens it, at once or when its promise is kept
 */
export const opens = (key, work) => ({
  "data-opens": key,
  onclick: async () => {
    opening = key;
    const done = work();
    if (done instanceof Promise) await done;
    opening = "";
  },
});

/** The button that opens it, once it is on the page. @param {Element} place @param {string} key */
export function pressed(place, key) {
  const press = () => {
    const found = /** @type {any} */ ([...place.querySelectorAll("[data-opens]")].find((one) => one.getAttribute("data-opens") === key));
    found?.click();
    return Boolean(found);
  };
  if (press()) return;
  const watch = new MutationObserver(() => press() && watch.disconnect());
  watch.observe(place, { childList: true, subtree: true });
  setTimeout(() => watch.disconnect(), LOOKED_FOR);
}

/**
 * A dialog that closes by Escape, by its backdrop, by its own button and by going back; it is gone
 * afterwards. With an `address` it opens again after a reload, and can be sent to somebody.
 * @param {string} title
 * @param {any[]} children
 * @param {Record<string, string> | undefined} [address]
 */
export function openDialog(title, children, address = opening ? { open: opening } : undefined) {
  const close = h("button", { class: "icon", type: "button", "aria-label": t("close") }, "✕");
  const id = `dialog-${open.length}`;
  const head = h("header", {}, h("h2", { id }, title), close);
  const dialog = h("dialog", { "aria-labelledby": id }, head, children);
  close.addEventListener("click", () => dialog.close());
  dialog.addEventListener("click", (/** @type {Event} */ e) => e.target === dialog && dialog.close());
  dialog.addEventListener("close", () => forget(dialog));
  document.body.append(dialog);
  open.push(dialog);
  const { name, query } = readAddress(location.hash);
  const here = Object.entries(address ?? {}).every(([key, value]) => query.get(key) === value);
  const target = address ? addressWith(name, address) : location.hash || "#/today";
  // One that was opened by its address is where the address says; going back leaves the page.
  if (!(address && here)) history.pushState({ dialogs: open.length }, "", target);
  dialog.pushed = !(address && here);
  dialog.address = address;
  dialog.showModal();
  return dialog;
}

/** The one in front. @returns {Element | undefined} */
export const lastOpen = () => open.at(-1);

/** @param {any} dialog */
function forget(dialog) {
  const told = dialog.querySelector(".toasts"); // what was said outlives where it was said
  if (told) (open.filter((one) => one !== dialog).at(-1) ?? document.body).append(told);
  dialog.remove();
  const at = open.indexOf(dialog);
  if (at < 0) return;
  open.splice(at, 1);
  if (dialog.pushed) goBack();
  else history.replaceState(null, "", addressWith(readAddress(location.hash).name, {}));
}

function goBack() {
  leaving = new Promise((gone) => addEventListener("popstate", () => { leaving = null; gone(undefined); }, { once: true }));
  history.back();
}

/** Close it, and open what follows once the way back has been gone: that would close it too. @param {any} dialog @param {() => void} open */
export function instead(dialog, open) {
  dialog.addEventListener("close", () => Promise.resolve(leaving).then(open));
  dialog.close();
}

/** Somebody went back: what was opened since then closes. Answers whether something did. */
export function wentBack() {
  const depth = history.state?.dialogs ?? 0;
  const { query } = readAddress(location.hash);
  const gone = (/** @type {any} */ one) => Object.entries(one.address ?? {}).some(([key, value]) => query.get(key) !== value);
  const closing = [...open.filter((one) => !one.pushed && gone(one)), ...open.filter((one) => one.pushed).slice(depth)];
  for (const dialog of closing.reverse()) {
    open.splice(open.indexOf(dialog), 1);
    dialog.close();
  }
  return closing.length > 0;
}

/** Another page: nothing of the old one stays open. */
export function closeAll() {
  for (const dialog of open.splice(0)) dialog.close();
}

/**
 * A form in a dialog. `save` may reject: then the dialog stays, with what was typed.
 * @param {any} context @param {string} title @param {any[]} fields @param {() => Promise<any>} save
 * @param {{again?: () => void, remove?: () => Promise<any>, sure?: string, told?: string, label?: string, drop?: string,
 *          undo?: () => Promise<any>, address?: Record<string, string>, next?: (made: any) => void}} [more] `undo` takes back
 *          what was saved, `next` opens what follows
 */
export function formDialog({ fail, say }, title, fields, save, more = {}) {
  const done = (/** @type {string} */ told, /** @type {(() => void) | undefined} */ back, /** @type {(() => void) | undefined} */ next = undefined) => {
    if (next) instead(dialog, next);
    else dialog.close();
    say(told, "good", back);
    more.again?.();
  };
  const undo = more.undo && (() => more.undo?.().then(() => done(t("undo.done"), undefined)).catch(fail));
  const submit = (/** @type {Event} */ event) => {
    event.preventDefault();
    save().then((made) => done(more.told ?? t("done.saved"), undo, more.next && (() => more.next?.(made)))).catch(fail);
  };
  const drop = () => confirm(more.sure ?? t("sure")) && more.remove?.().then(() => done(more.told ?? t("done.saved"), undefined)).catch(fail);
  const form = h("form", { class: "stack", onsubmit: submit }, fields,
    h("div", { class: "row" }, h("button", { class: "primary" }, more.label ?? t("save")),
      more.remove && h("button", { class: "danger", type: "button", onclick: drop }, more.drop ?? t("remove"))));
  const dialog = openDialog(title, [form], more.address);
  return dialog;
}
