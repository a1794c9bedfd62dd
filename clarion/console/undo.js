// @ts-check
/** What was done by mistake can be taken back for a minute: what it was is made again. */

import * as api from "./api.js";
import { t } from "./words.js";

/** A reminder as it is made anew; what is past rings at once. @param {any} reminder @param {Date} now */
export function remade(reminder, now) {
  const at = new Date(Math.max(Date.parse(reminder.trigger_at), now.getTime() + 5_000)).toISOString();
  const { content, user_id, device_id, confirmation, base, context } = reminder;
  return { content, user_id, device_id, confirmation, base, context, trigger_at: at };
}

/** @param {any} series */
export function remadeSeries({ content, pattern, user_id, device_id, confirmation, base, zone, context, ends_at, count, made }) {
  const left = count ? Math.max(1, count - made) : null;
  return { content, pattern, user_id, device_id, confirmation, base, zone, context, end_date: ends_at, count: left };
}

/** Whose it is is said by admins only. @param {any} house @param {any} body */
const mine = (house, body) => (house.isAdmin ? body : { ...body, user_id: undefined });

/**
 * Do it, say so, and offer to take it back.
 * @param {any} context @param {() => Promise<any>} work @param {string} told @param {() => Promise<any>} undo
 */
export async function undoable({ say, fail }, work, told, undo) {
  try {
    await work();
    say(told, "good", () => undo().then(() => say(t("undo.done"), "good")).catch(fail));
  } catch (error) {
    fail(error);
  }
}

/** @param {any} context @param {any} reminder */
export const cancelReminder = (context, reminder) => undoable(
  context, () => api.post(`/reminders/${reminder.id}/cancel`), t("done.cancelled"),
  () => api.post("/reminders", mine(context.house, remade(reminder, context.now())), api.newKey()),
);

/** A yes that was none: it asks again. @param {any} context @param {any} reminder */
export const confirmReminder = (context, reminder) => undoable(
  context, () => api.post(`/reminders/${reminder.id}/confirm`, {}), t("done.confirmed"),
  () => api.post("/reminders", mine(context.house, remade(reminder, context.now())), api.newKey()),
);

/** @param {any} context @param {any} reminder @param {number} seconds */
export const snoozeReminder = (context, reminder, seconds) => undoable(
  context, () => api.post(`/reminders/${reminder.id}/snooze`, { duration: seconds }), t("done.snoozed"),
  () => api.patch(`/reminders/${reminder.id}`, { trigger_at: remade(reminder, context.now()).trigger_at }, "*"),
);

/** Taken back, that one time is a reminder of its own. @param {any} context @param {any} series */
export const skipOnce = (context, series) => undoable(
  context, () => api.post(`/series/${series.id}/skip`), t("series.skipped"),
  () => api.post("/reminders", mine(context.house, remade({ ...series, trigger_at: series.next_at }, context.now())), api.newKey()),
);

/** @param {any} context @param {any} series */
export const endSeries = async (context, series) => {
  const open = (await api.all("/reminders", { series_id: series.id, status: ["pending", "triggered"] }))
    .filter((one) => one.id !== series.current);
  // What it has snoozed, asks again or rings just now: ended with it, unless somebody says no.
  const kept = open.length > 0 && !confirm(t("series.end_open", { n: open.length }));
  return undoable(
    context, () => api.remove(`/series/${series.id}${kept ? "?keep_open=true" : ""}`, "*"), t("series.ended"),
    () => api.post("/series", mine(context.house, remadeSeries(series)), api.newKey()),
  );
};
