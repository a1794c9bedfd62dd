// @ts-check
/** One reminder: its life as facts, and what can be done about it. */

import * as api from "../api.js";
import { field, h, keyed, openDialog } from "../dom.js";
import { icon } from "../icons.js";
import { dayAndClock, instant, localField, t } from "../words.js";
import { isOpen, mayConfirm, moment, reason, sentence, standing, toneOf } from "./facts.js";

const SNOOZES = [10, 30, 60]; // minutes: what people say most

/** @param {any} context @param {string} id */
export async function openReminder(context, id) {
  const { live, fail } = context;
  try {
    const body = h("div", { class: "life" });
    const [reminder, history] = await Promise.all(
      [api.get(`/reminders/${id}`), api.get(`/reminders/${id}/history`)],
    );
    const dialog = openDialog(reminder.content, [body], t("close"));
    draw(context, dialog, body, reminder, history.items);
    const reload = async () => {
      const [newer, facts] = await Promise.all(
        [api.get(`/reminders/${id}`), api.get(`/reminders/${id}/history`)],
      );
      draw(context, dialog, body, newer, facts.items);
    };
    const stop = live.on(["reminder.", "ring.", "contact."], (/** @type {any} */ event) => {
      // Somebody who is just typing keeps what they typed.
      if (
        (event.kind === "reset" || event.subject === id) && !body.querySelector("form")
      ) reload().catch(fail);
    });
    dialog.addEventListener("close", stop);
  } catch (error) {
    fail(error);
  }
}

/** @param {any} context @param {any} dialog @param {any} body @param {any} reminder @param {any[]} facts */
function draw(context, dialog, body, reminder, facts) {
  const { house, now } = context;
  const zone = house.users.find((/** @type {any} */ one) => one.id === reminder.user_id)?.zone ?? house.zone;
  const { word, tone } = standing(reminder, now(), zone);
  const around = { now: now(), zone, device: (/** @type {any} */ device) => house.deviceName(device) };
  const about = [
    dayAndClock(reminder.trigger_at, now(), zone), house.userName(reminder.user_id),
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
    reminder.guarantee && h(
      "p", { class: `guarantee ${reminder.guarantee.level}` }, reminder.guarantee.sentence,
    ),
    verbs(context, dialog, body, reminder, zone), list);
}

/** @param {any} context @param {any} dialog @param {any} body @param {any} reminder @param {string} zone */
function verbs({ fail, say }, dialog, body, reminder, zone) {
  const act = (/** @type {string} */ verb, /** @type {any} */ data, /** @type {string} */ told) => () =>
    api.post(`/reminders/${reminder.id}/${verb}`, data).then(() => say(t(told), "good")).catch(fail);
  const edit = () => body.replaceChildren(editor({ fail, say }, dialog, reminder, zone));
  return h("div", { class: "row verbs" },
    mayConfirm(reminder) && h(
      "button", { class: "primary", type: "button", onclick: act("confirm", {}, "done.confirmed") },
      icon("check"), t("verb.confirm"),
    ),
    isOpen(reminder) && SNOOZES.map((minutes) =>
      h(
        "button", { type: "button", onclick: act("snooze", { duration: minutes * 60 }, "done.snoozed") },
        icon("later"), t("verb.snooze", { n: minutes }),
      )),
    reminder.status === "pending" && h(
      "button", { type: "button", onclick: edit }, icon("edit"), t("verb.edit"),
    ),
    isOpen(reminder) && h(
      "button", { class: "danger", type: "button", onclick: act("cancel", undefined, "done.cancelled") },
      t("verb.cancel"),
    ));
}

/** @param {any} context @param {any} dialog @param {any} reminder @param {string} zone */
function editor({ fail, say }, dialog, reminder, zone) {
  const content = h("input", { name: "content", required: true, maxlength: "500", value: reminder.content });
  const at = h(
    "input",
    { name: "at", type: "datetime-local", required: true, value: localField(reminder.trigger_at, zone) },
  );
  const asks = h("input", { name: "asks", type: "checkbox", checked: reminder.confirmation.required });
  const save = (/** @type {Event} */ event) => {
    event.preventDefault();
    const moved = at.value !== localField(reminder.trigger_at, zone);
    const change = {
      content: content.value,
      confirmation: { ...reminder.confirmation, required: asks.checked },
      ...(moved ? { trigger_at: instant(at.value, zone).toISOString() } : {}),
    };
    api.patch(`/reminders/${reminder.id}`, change, reminder.version)
      .then(() => (say(t("done.saved"), "good"), dialog.close()))
      .catch(fail);
  };
  return h("form", { class: "stack", onsubmit: save },
    field(t("edit.content"), content), field(t("edit.at"), at, zone),
    h("label", { class: "check" }, asks, h("span", {}, t("edit.asks"))),
    h(
      "div", { class: "row" }, h("button", { class: "primary" }, t("save")),
      h("button", { type: "button", onclick: () => dialog.close() }, t("close")),
    ));
}
