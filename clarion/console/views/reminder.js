// @ts-check
/** One reminder: its life as facts, and what can be done about it. */

import * as api from "../api.js";
import { instead, openDialog } from "../dialogs.js";
import { h, keyed } from "../dom.js";
import { icon } from "../icons.js";
import { cancelReminder, confirmReminder, snoozeReminder } from "../undo.js";
import { dayAndClock, foreign, t } from "../words.js";
import { editReminder } from "./editing.js";
import { aroundOf, isOpen, mayConfirm, moment, reason, sentence, standing, toneOf } from "./facts.js";

const SNOOZES = [10, 30, 60]; // minutes: what people say most
/** @type {Record<string, string>} */
const ICONS = { confirm: "check", snooze: "later", edit: "edit" };

/** @param {any} context @param {string} id */
export async function openReminder(context, id) {
  const { live, fail } = context;
  try {
    const newest = () => Promise.all([api.get(`/reminders/${id}`), api.get(`/reminders/${id}/history`)]);
    const [reminder, history] = await newest();
    const head = h("div");
    const row = h("div", { class: "row verbs" });
    const facts = h("ol", { class: "facts" });
    const dialog = openDialog(reminder.content, [h("div", { class: "life" }, head, row, facts)], { reminder: id });
    const draw = (/** @type {any} */ one, /** @type {any[]} */ happened) => {
      const zone = zoneOf(context, one);
      head.replaceChildren(...about(context, one, zone));
      showVerbs(context, dialog, row, one, zone);
      showFacts(context, facts, happened, zone);
    };
    draw(reminder, history.items);
    const reload = async () => {
      const [newer, happened] = await newest();
      draw(newer, happened.items);
    };
    const stop = live.on(["reminder.", "ring.", "contact."], (/** @type {any} */ event) => {
      if (event.kind === "reset" || event.subject === id) reload().catch(fail);
    });
    dialog.addEventListener("close", stop);
  } catch (error) {
    fail(error);
  }
}

/** @param {any} context @param {string} id */
export const editById = (context, id) => api.get(`/reminders/${id}`)
  .then((reminder) => editReminder(context, reminder, zoneOf(context, reminder))).catch(context.fail);

/** The zone of the one it is for. @param {any} context @param {any} reminder @returns {string} */
const zoneOf = ({ house }, reminder) => (
  house.users.find((/** @type {any} */ one) => one.id === reminder.user_id)?.zone ?? house.zone
);

/** @param {any} context @param {any} reminder @param {string} zone */
function about({ house, now }, reminder, zone) {
  const { word, tone } = standing(reminder, now(), zone);
  const said = [
    dayAndClock(reminder.trigger_at, now(), zone), foreign(zone, now()), house.userName(reminder.user_id),
    reminder.reason && reason(reminder.reason),
  ];
  return [
    h("p", {}, h("span", { class: `pill ${tone}` }, word), " ", said.filter(Boolean).join(" · ")),
    ...(reminder.guarantee ? [h("p", { class: `guarantee ${reminder.guarantee.level}` }, reminder.guarantee.sentence)] : []),
  ];
}

/** @param {any} context @param {Element} list @param {any[]} happened @param {string} zone */
function showFacts(context, list, happened, zone) {
  const around = aroundOf(context, zone);
  keyed(list, happened, (one) => String(one.id), (one) =>
    h(
      "li", { class: toneOf(one) }, h("time", { datetime: one.at }, moment(one, context.now(), zone)),
      h("span", {}, sentence(one, around)),
    ));
}

/**
 * What can be done about it. A button stays the same element while it may be pressed: news that comes
 * between two keys, or between press and release, must not take it away.
 * @param {any} context @param {any} dialog @param {any} row @param {any} reminder @param {string} zone
 */
function showVerbs(context, dialog, row, reminder, zone) {
  row.reminder = reminder;
  const on = (/** @type {(one: any) => any} */ verb) => () => verb(row.reminder);
  const button = (/** @type {(one: any) => any} */ verb, /** @type {string} */ name, /** @type {string} */ look, words = {}) => h(
    "button", { class: look || null, type: "button", onclick: on(verb) }, ICONS[name] && icon(ICONS[name]), t(`verb.${name}`, words),
  );
  const make = (/** @type {string} */ key) => {
    if (key === "confirm") return button((one) => confirmReminder(context, one), key, "primary");
    if (key === "edit") return button((one) => instead(dialog, () => editReminder(context, one, zone)), key, "");
    if (key === "cancel") return button((one) => cancelReminder(context, one), key, "danger");
    return button((one) => snoozeReminder(context, one, Number(key) * 60), "snooze", "", { n: key });
  };
  const may = [
    mayConfirm(reminder) && "confirm", ...(isOpen(reminder) ? SNOOZES : []),
    reminder.status === "pending" && "edit", isOpen(reminder) && "cancel",
  ].filter(Boolean).map(String);
  keyed(row, may, (key) => key, make);
}
