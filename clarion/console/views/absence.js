// @ts-check
/** A holiday or a stay in hospital: while somebody is away, nothing rings in an empty flat. */

import * as api from "../api.js";
import { formDialog } from "../dialogs.js";
import { field, h, select } from "../dom.js";
import { calledBy } from "../house.js";
import { dayAndClock, instant, localField, t } from "../words.js";

/** Since or until when somebody is away, in words; empty when they are here. @param {any} user @param {Date} now */
export function absenceOf(user, now) {
  const { begins, ends } = user.absence ?? {};
  if (!begins || (ends && Date.parse(ends) <= now.getTime())) return "";
  if (Date.parse(begins) > now.getTime()) return t("absence.from", { at: dayAndClock(begins, now, user.zone) });
  return ends ? t("absence.until", { at: dayAndClock(ends, now, user.zone) }) : t("absence.open");
}

/** What rings all the same, by name, each once. @param {any[]} reminders */
export const mustBeDone = (reminders) => [
  ...new Set(reminders.filter((one) => one.confirmation.needs === "done" || one.base >= 100).map((one) => one.content)),
];

/** @param {any} context @param {any} user */
export function editAbsence(context, user) {
  const { house, now, fail } = context;
  const local = (/** @type {string | null | undefined} */ at) => (at ? localField(at, user.zone) : "");
  const begins = h("input", { type: "datetime-local", value: local(user.absence?.begins ?? now().toISOString()), required: true });
  const ends = h("input", { type: "datetime-local", value: local(user.absence?.ends) });
  const medicines = select(
    [["ring", t("absence.ring")], ["pause", t("absence.pause")]], user.absence?.medicines ?? "ring",
  );
  const which = h("p", { class: "hint" });
  const name = calledBy(user);
  const fields = [
    h("p", { class: "hint" }, t("absence.explain", { name })),
    h("div", { class: "grid2" }, field(t("absence.begins"), begins), field(t("absence.ends"), ends, t("absence.ends_hint"))),
    field(t("absence.medicines"), medicines), which,
  ];
  const owner = house.isAdmin ? { user_id: user.id } : {};
  api.all("/reminders", { ...owner, status: "pending" }, 300).then((found) => {
    const names = mustBeDone(found);
    which.textContent = names.length ? t("absence.which", { names: names.join(t("list.comma")) }) : t("absence.no_medicines");
  }).catch(fail);
  const at = (/** @type {any} */ input) => (input.value ? instant(input.value, user.zone).toISOString() : null);
  const save = (/** @type {any} */ absence) => api.patch(`/users/${user.id}`, { absence }, user.version);
  const remove = user.absence ? () => save(null) : undefined;
  formDialog(
    context, t("absence.title", { name }), fields,
    () => save({ begins: at(begins), ends: at(ends), medicines: medicines.value }),
    { remove, sure: t("absence.back_sure", { name }), drop: t("absence.back") },
  );
}
