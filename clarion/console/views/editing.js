// @ts-check
/** The forms of a reminder and of a series, in full. */

import * as api from "../api.js";
import { formDialog } from "../dialogs.js";
import { field, h, select } from "../dom.js";
import { instant, localField, t } from "../words.js";
import { zoneInput, zones } from "./zone.js";

const LEVELS = [["100", "level.critical"], ["50", "level.high"], ["10", "level.normal"], ["0", "level.bulk"]];

/** A number that stands between the usual levels keeps its own line. @param {number} base */
export function levelsWith(base) {
  const known = LEVELS.map(([value, key]) => /** @type {[string, string]} */ ([value, t(key)]));
  return known.some(([value]) => value === String(base)) ? known : [.../** @type {[string, string][]} */ ([[String(base), String(base)]]), ...known];
}

/** Words that count as a yes, as somebody types them. @param {string} text */
export const wordsOf = (text) => text.split(/[,，、\n]+/).map((one) => one.trim()).filter(Boolean);

/** How contacts are told of this one; who they are is asked for when somebody looks. @param {any} context @param {any} one */
function ownPolicy({ house, fail }, one) {
  const known = one.confirmation.escalation ?? null;
  let value = () => known;
  const place = h("div", { class: "stack" });
  const load = async () => {
    const owner = house.isAdmin ? { user_id: one.user_id } : {};
    const [{ policyFields, stepsOf }, contacts, turns] = await Promise.all(
      [import("./oncall.js"), api.get("/contacts", owner), api.get("/oncall", owner)],
    );
    if (!contacts.items.length) return place.replaceChildren(h("p", { class: "hint" }, t("contacts.none")));
    const usual = house.users.find((/** @type {any} */ user) => user.id === one.user_id)?.escalation;
    const policy = policyFields(known ?? usual, stepsOf(contacts.items, turns.items));
    const rest = h("div", { class: "stack", hidden: !known }, policy.elements);
    const own = h("input", { type: "checkbox", checked: Boolean(known), onchange: () => { rest.hidden = !own.checked; } });
    value = () => (own.checked ? policy.value() : null);
    return place.replaceChildren(h("label", { class: "check" }, own, h("span", {}, t("edit.contacts_own"))), rest);
  };
  const element = h("details", { class: "rest" }, h("summary", {}, t("edit.contacts")), place);
  element.addEventListener("toggle", () => load().catch(fail), { once: true });
  return { element, value: () => value() };
}

/** What a reminder and a series have in common. @param {any} context @param {any} one */
function commonFields(context, one) {
  const { house } = context;
  const { confirmation } = one;
  const devices = [...house.devices.values()].filter((/** @type {any} */ device) => device.user_id === one.user_id);
  const number = (/** @type {number} */ value, /** @type {number} */ least, /** @type {number} */ most) => h("input", { type: "number", min: least, max: most, value });
  return {
    content: h("input", { name: "content", required: true, maxlength: "500", value: one.content }),
    asks: h("input", { name: "asks", type: "checkbox", checked: confirmation.required }),
    needs: select([["", t("needs.usual")], ["heard", t("needs.heard")], ["done", t("needs.done")]], confirmation.needs),
    timeout: number(Math.round(confirmation.timeout / 60), 1, 1_440),
    interval: number(Math.round(confirmation.retry_interval / 60), 1, 1_440),
    calls: number(confirmation.max_retries, 1, 20),
    words: h("input", { maxlength: "500", value: confirmation.confirm_keywords.join("，"), placeholder: t("edit.words_example") }),
    base: select(levelsWith(one.base), String(one.base)),
    device: select([["", t("edit.anywhere")], ...devices.map((/** @type {any} */ d) => /** @type {[string, string]} */ ([d.id, house.deviceName(d.id)]))], one.device_id ?? ""),
    policy: ownPolicy(context, one),
  };
}

/** @param {ReturnType<typeof commonFields>} f @param {any} one */
const commonValues = (f, one) => ({
  content: f.content.value,
  confirmation: {
    ...one.confirmation, required: f.asks.checked, needs: f.needs.value, timeout: Number(f.timeout.value) * 60,
    retry_interval: Number(f.interval.value) * 60, max_retries: Number(f.calls.value), confirm_keywords: wordsOf(f.words.value),
    escalation: f.policy.value(),
  },
  base: Number(f.base.value), device_id: f.device.value || null,
});

/** @param {ReturnType<typeof commonFields>} f @param {any[]} own what only this kind has */
const shownFields = (f, own) => [
  field(t("edit.content"), f.content), ...own,
  h("label", { class: "check" }, f.asks, h("span", {}, t("edit.asks"))),
  h("details", { class: "rest" }, h("summary", {}, t("edit.more")), h("div", { class: "stack" },
    h("div", { class: "grid2" }, field(t("edit.needs"), f.needs), field(t("edit.calls"), f.calls)),
    h("div", { class: "grid2" }, field(t("edit.timeout"), f.timeout), field(t("edit.interval"), f.interval)),
    field(t("edit.words"), f.words, t("edit.words_hint")),
    h("div", { class: "grid2" }, field(t("edit.base"), f.base), field(t("edit.device"), f.device)),
    h("p", { class: "hint" }, t("edit.quiet_hint"), " ", h("a", { href: "#/people" }, t("page.people"))))), f.policy.element];

/** What `commonValues` has changed, as it was. @param {any} one */
const asBefore = ({ content, confirmation, base, device_id }) => ({ content, confirmation, base, device_id });

/** @param {any} context @param {any} reminder @param {string} zone @param {() => void} [again] */
export function editReminder(context, reminder, zone, again) {
  const f = commonFields(context, reminder);
  const at = h("input", { name: "at", type: "datetime-local", required: true, value: localField(reminder.trigger_at, zone) });
  const save = () => {
    const moved = at.value !== localField(reminder.trigger_at, zone);
    const change = { ...commonValues(f, reminder), ...(moved ? { trigger_at: instant(at.value, zone).toISOString() } : {}) };
    return api.patch(`/reminders/${reminder.id}`, change, reminder.version);
  };
  const undo = () => api.patch(`/reminders/${reminder.id}`, { ...asBefore(reminder), trigger_at: reminder.trigger_at }, "*");
  formDialog(context, reminder.content, shownFields(f, [field(t("edit.at"), at, zone)]), save, { again, undo, address: { edit: reminder.id } });
}

/** @param {any} context @param {any} series @param {() => void} again */
export function editSeries(context, series, again) {
  const f = commonFields(context, series);
  const pattern = h("input", { required: true, maxlength: "500", value: series.pattern });
  const ends = h("input", { type: "datetime-local", value: series.ends_at ? localField(series.ends_at, series.zone) : "" });
  const count = h("input", { type: "number", min: "1", max: "10000", value: series.count ?? "" });
  const zone = zoneInput(series.zone);
  const save = () => api.patch(`/series/${series.id}`, {
    ...commonValues(f, series), zone: zone.value,
    ...(pattern.value === series.pattern ? {} : { pattern: pattern.value }),
    end_date: ends.value ? instant(ends.value, zone.value).toISOString() : null,
    count: count.value ? Number(count.value) : null,
  }, series.version);
  const own = [field(t("edit.pattern"), pattern, t("edit.pattern_hint")),
    h("div", { class: "grid2" }, field(t("edit.ends"), ends), field(t("edit.count"), count)), field(t("person.zone"), zone), zones()];
  const undo = () => api.patch(`/series/${series.id}`, {
    ...asBefore(series), pattern: series.pattern, zone: series.zone, end_date: series.ends_at, count: series.count,
  }, "*");
  formDialog(context, series.content, shownFields(f, own), save, { again, undo });
}
