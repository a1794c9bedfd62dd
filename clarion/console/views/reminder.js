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

/** @param {any} context @param {string} id */
export async function openReminder(context, id) {
  const { live, fail } = context;
  try {
    const body = h("div", { class: "life" });
    const [reminder, history] = await Promise.all(
      [api.get(`/reminders/${id}`), api.get(`/reminders/${id}/history`)],
    );
    const dialog = openDialog(reminder.content, [body], { reminder: id });
    draw(context, dialog, body, reminder, history.items);
    const reload = async () => {
      const [newer, facts] = await Promise.all(
        [api.get(`/reminders/${id}`), api.get(`/reminders/${id}/history`)],
      );
      draw(context, dialog, body, newer, facts.items);
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

/** @param {any} context @param {any} dialog @param {any} body @param {any} reminder @param {any[]} facts */
function draw(context, dialog, body, reminder, facts) {
  const { house, now } = context;
  const zone = zoneOf(context, reminder);
  const { word, tone } = standing(reminder, now(), zone);
  const around = aroundOf(context, zone);
  const about = [
    dayAndClock(reminder.trigger_at, now(), zone), foreign(zone, now()), house.userName(reminder.user_id),
    reminder.reason && reason(reminder.reason),
  ];
  const list = h("ol", { class: "facts" });
  keyed(list, facts, (one) => String(one.id), (one) =>
    h(
      "li", { class: toneOf(one) }, h("time", { datetime: one.at }, moment(one, now(), zone)),
      h("span", {}, sentence(one, around)),
    ));
  body.replaceChildren(
    h("p", {}, h("span", { class: `pill ${tone}` }, word), " ", about.filter(Boolean).join(" · ")),
    ...(reminder.guarantee ? [h("p", { class: `guarantee ${reminder.guarantee.level}` }, reminder.guarantee.sentence)] : []),
    verbs(context, dialog, reminder, zone), list);
}

/** @param {any} context @param {any} dialog @param {any} reminder @param {string} zone */
function verbs(context, dialog, reminder, zone) {
  const edit = () => instead(dialog, () => editReminder(context, reminder, zone));
  return h("div", { class: "row verbs" },
    mayConfirm(reminder) && h(
      "button", { class: "primary", type: "button", onclick: () => confirmReminder(context, reminder) },
      icon("check"), t("verb.confirm"),
    ),
    isOpen(reminder) && SNOOZES.map((minutes) =>
      h(
        "button", { type: "button", onclick: () => snoozeReminder(context, reminder, minutes * 60) },
        icon("later"), t("verb.snooze", { n: minutes }),
      )),
    reminder.status === "pending" && h(
      "button", { type: "button", onclick: edit }, icon("edit"), t("verb.edit"),
    ),
    isOpen(reminder) && h(
      "button", { class: "danger", type: "button", onclick: () => cancelReminder(context, reminder) },
      t("verb.cancel"),
    ));
}
