// @ts-check
/** The card that most lists are: a title, a sentence, lines that reload, a button to add one. */

import { opens } from "../dialogs.js";
import { h, keyed } from "../dom.js";
import { t } from "../words.js";

/**
 * @param {any} context
 * @param {{title: string, explain?: string, none: string, load: () => Promise<any[]>, key: (one: any) => string,
 *          line: (one: any, reload: () => void) => Element, add?: [string, (reload: () => void) => void, string],
 *          more?: (any)[]}} what
 */
export function listCard({ fail }, what) {
  const list = h("ul", { class: "plain" });
  const none = h("p", { class: "hint", hidden: true }, what.none);
  const reload = () => what.load().then((items) => {
    none.hidden = items.length > 0;
    keyed(list, items, what.key, (one) => what.line(one, reload));
  }).catch(fail);
  const add = what.add && h(
    "button", { class: "small", type: "button", ...opens(what.add[2], () => what.add?.[1](reload)) }, what.add[0],
  );
  const element = h("section", { class: "card" }, h("h2", {}, what.title),
    what.explain && h("p", { class: "hint" }, what.explain), none, list,
    (add || what.more) && h("div", { class: "row" }, add, what.more));
  reload();
  return { element, reload };
}

/**
 * One line of such a list: what it is, how it stands, what can be done about it.
 * @param {string} name @param {string} state @param {any[]} verbs @param {string} [tone]
 */
export const listLine = (name, state, verbs, tone = "") => h("li", { class: "series" },
  h("div", { class: "what" }, h("strong", {}, name), h("small", { class: tone }, state)), h("div", { class: "row" }, verbs));

/**
 * A small button that says what it is about. @param {string} word @param {string} about @param {() => void} go
 * @param {{kind?: string, key?: string}} [more] `key`: the address of the dialog that it opens
 */
export const lineButton = (word, about, go, { kind = "quiet", key = "" } = {}) => h(
  "button", { class: `small ${kind}`, type: "button", "aria-label": `${word}: ${about}`, ...(key ? opens(key, go) : { onclick: go }) }, word,
);

/** Something to be copied once: it is not shown again. @param {string} text */
export function copied(text) {
  const button = h("button", { class: "small", type: "button" }, t("copy"));
  button.addEventListener("click", () => navigator.clipboard?.writeText(text).then(() => (button.textContent = t("copied"))));
  return h("div", { class: "stack" }, h("pre", {}, text), navigator.clipboard && button);
}
