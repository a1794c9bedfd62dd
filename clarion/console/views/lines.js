// @ts-check
/** Lines of a form: as many as there are, added, moved up and removed by hand. */

import { h } from "../dom.js";
import { t } from "../words.js";
import { lineButton } from "./lists.js";

/**
 * Lines that can be added, moved up and removed; what they say, in their order.
 * @param {string} title @param {string} hint @param {string} add what the button says
 * @param {any[]} known @param {(one?: any) => any[]} make the fields of a line
 * @param {boolean} [ordered] whether they can be moved
 */
export function lines(title, hint, add, known, make, ordered = false) {
  const list = h("div", { class: "stack" });
  /** @param {any} [one] */
  const line = (one) => {
    const fields = make(one);
    const row = h("div", { class: "row line" }, fields,
      ordered && lineButton(t("lines.up"), title, () => row.previousElementSibling?.before(row)),
      lineButton(t("lines.remove"), title, () => row.remove()));
    row.fields = fields;
    list.append(row);
  };
  known.forEach(line);
  const element = h("fieldset", { class: "stack" }, h("legend", {}, title), list,
    hint && h("small", {}, hint), h("button", { class: "small quiet", type: "button", onclick: () => line() }, add));
  return { element, rows: () => [...list.children].map((row) => /** @type {any} */ (row).fields) };
}

/** Days away or holidays: a first and a last one each. @param {string} title @param {any[]} known @param {() => string} today */
export function dayLines(title, known, today) {
  const make = (/** @type {any} */ one) => ["first", "last"].map((name) => h(
    "input", { type: "date", required: true, value: one?.[name] ?? today(), "aria-label": t(`days.${name}`) },
  ));
  const made = lines(title, "", t("days.add"), known, make);
  return { element: made.element, value: () => made.rows().map(([first, last]) => ({ first: first.value, last: last.value })) };
}
