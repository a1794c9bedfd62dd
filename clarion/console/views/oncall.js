// @ts-check
/** Who is called when nobody answers: have they agreed, how often, and whose turn it is. */

import * as api from "../api.js";
import { formDialog, openDialog, opens } from "../dialogs.js";
import { field, h, select } from "../dom.js";
import { enCare } from "../i18n/en_care.js";
import { zhCare } from "../i18n/zh_care.js";
import { between, dayAndClock, dayKey, instant, learn, t } from "../words.js";
import { dayLines } from "./lines.js";

learn({ zh: zhCare, en: enCare });

/** What is missing before a contact may be told; empty when nothing is. @param {any} contact */
export function consentOf(contact) {
  if (contact.consent === "agreed") return "";
  return contact.consent === "refused" ? t("consent.refused") : t("consent.asked");
}

/** Ask a contact once more, or show the link to pass on. @param {any} context @param {any} contact */
export async function inviteAgain({ fail, say }, contact) {
  try {
    const { invitation } = await api.post(`/contacts/${contact.id}/invite`);
    if (!invitation) say(t("consent.sent"), "good");
    else showInvitation(contact, invitation);
  } catch (error) {
    fail(error);
  }
}

/** For somebody who names their address themselves. @param {any} contact @param {string} invitation */
export function showInvitation(contact, invitation) {
  openDialog(t("consent.link"), [h("p", {}, t("consent.pass_on", { name: contact.name })), h("pre", {}, invitation)]);
}

/** When somebody is not called at first: away today, or quiet hours. @param {any} contact @param {string} today */
export function quietOrAway(contact, today) {
  const gone = (contact.away ?? []).find((/** @type {any} */ one) => one.first <= today && today <= one.last);
  if (gone) return t("contact.gone", { last: gone.last });
  return contact.quiet ? t("quiet.hours", { hours: between(contact.quiet) }) : "";
}

/** `Sue, until Sunday 20:00; then Tom`. @param {any} one @param {Date} now @param {string} zone */
export function turnOf(one, now, zone) {
  if (!one.now) return t("oncall.nobody");
  if (!one.next) return one.now.name;
  const until = dayAndClock(one.now.ends_at, now, zone);
  return t("oncall.turn", { name: one.now.name, until, next: one.next.name });
}

/** The people of a card who take turns, and how everybody is told. @param {any} context @param {any} whole @param {() => void} reload */
export function calling(context, { user, contacts, onCall }, reload) {
  const lines = onCall.map((/** @type {any} */ one) => {
    const open = (/** @type {any} */ form) => () => api.get(`/rotations/${one.rotation_id}`)
      .then((rotation) => form(context, user, contacts, rotation, reload)).catch(context.fail);
    return h("li", { class: "device" },
      h("div", { class: "what" }, h("strong", {}, one.name), h("small", {}, turnOf(one, context.now(), user.zone))),
      quiet(t("oncall.stand_in"), `stand-in:${one.rotation_id}`, open(standIn), one.name),
      quiet(t("edit"), `turns:${one.rotation_id}`, open(editRotation), one.name));
  });
  return [
    lines.length > 0 && h("h3", {}, t("oncall.title")), lines.length > 0 && h("ul", { class: "plain oncall" }, lines),
    contacts.length > 0 && h("div", { class: "row" },
      quiet(t("policy.button"), `policy:${user.id}`, () => editPolicy(context, user, contacts, onCall)),
      contacts.length > 1 && quiet(t("oncall.add"), `turns-new:${user.id}`, () => editRotation(context, user, contacts, null, reload)))];
}

/** @param {string} words @param {string} key @param {() => any} work @param {string} [about] */
const quiet = (words, key, work, about) =>
  h("button", { class: "small quiet", type: "button", ...opens(key, work), "aria-label": about && `${words}: ${about}` }, words);

/** Boxes to tick; which are. @param {string} title @param {any[]} contacts @param {(one: any) => boolean} chosen */
function ticked(title, contacts, chosen) {
  const boxes = contacts.map((one) => [one, h("input", { type: "checkbox", checked: chosen(one) })]);
  const element = h("fieldset", { class: "checks" }, h("legend", {}, title),
    boxes.map(([one, box]) => h("label", { class: "check" }, box, h("span", {}, one.name))));
  return { element, value: () => boxes.filter(([, box]) => box.checked).map(([one]) => one.id) };
}

/** What contacts may see and are warned of, kept beside what else is remembered. @param {any} context @param {any} shared @param {boolean} warn */
export function contextWith(context, shared, warn) {
  const seen = Object.fromEntries(Object.entries(shared).filter(([, value]) => value));
  const { for_contacts: _, warn_contacts: __, ...others } = context ?? {};
  return { ...others, ...(Object.keys(seen).length && { for_contacts: seen }), ...(warn && { warn_contacts: true }) };
}

/** Everybody who can be called: contacts, and those who take turns. @param {any[]} contacts @param {any[]} onCall */
export const stepsOf = (contacts, onCall) => [...contacts, ...onCall.map((one) => ({ id: one.rotation_id, name: one.name }))];

/** How often, and who of `steps`. @param {any} policy null: as usual @param {any[]} steps */
export function policyFields(policy, steps) {
  const known = policy ?? { rounds: 1, pause: 600, all_must: [], only: [] };
  const rounds = h("input", { type: "number", min: "1", max: "20", value: known.rounds, required: true });
  const pause = h("input", { type: "number", min: "1", max: "1440", value: Math.round(known.pause / 60), required: true });
  const all = h("input", { value: known.all_must.join(" "), pattern: "[\\-0-9 ]*" });
  const only = ticked(t("policy.only"), steps, (one) => !known.only.length || known.only.includes(one.id));
  const chosen = () => (only.value().length === steps.length ? [] : only.value());
  return {
    elements: [h("div", { class: "grid2" }, field(t("policy.rounds"), rounds), field(t("policy.pause"), pause)),
      field(t("policy.all_must"), all, t("policy.all_must_hint")), only.element],
    value: () => ({ rounds: Number(rounds.value), pause: Number(pause.value) * 60, all_must: numbersIn(all.value), only: chosen() }),
  };
}

/** @param {any} context @param {any} user @param {any[]} contacts @param {any[]} onCall who takes turns */
export function editPolicy(context, user, contacts, onCall) {
  const policy = policyFields(user.escalation, stepsOf(contacts, onCall));
  const warn = h("input", { type: "checkbox", checked: user.context?.warn_contacts ?? false });
  const shared = user.context?.for_contacts ?? {};
  const [phone, address] = ["phone", "address"].map((one) => h("input", { maxlength: "200", value: shared[one] ?? "" }));
  const fields = [h("p", { class: "hint" }, t("policy.explain")), policy.elements,
    h("label", { class: "check" }, warn, h("span", {}, t("policy.warn"))), h("p", { class: "hint" }, t("policy.warn_hint")),
    h("div", { class: "grid2" }, field(t("policy.phone"), phone), field(t("policy.address"), address, t("policy.shared_hint")))];
  formDialog(context, t("policy.button"), fields, () => api.patch(`/users/${user.id}`, {
    escalation: policy.value(), context: contextWith(user.context, { phone: phone.value, address: address.value }, warn.checked),
  }, user.version));
}

/** Who takes turns as they do, then the others. @param {any[]} contacts @param {string[]} members */
export const inTurn = (contacts, members) => [
  ...members.flatMap((id) => contacts.filter((one) => one.id === id)), ...contacts.filter((one) => !members.includes(one.id)),
];

/** Orders as people type them. @param {string} text */
export const numbersIn = (text) => text.split(/\s+/).filter(Boolean).map(Number);

/** @param {any} context @param {any} user @param {any[]} contacts @param {any} rotation null: a new one @param {() => void} again */
function editRotation(context, user, contacts, rotation, again) {
  const name = h("input", { required: true, maxlength: "100", value: rotation?.name ?? "" });
  const every = select([["week", t("oncall.week")], ["day", t("oncall.day")]], rotation?.every ?? "week");
  const hour = h("input", { type: "time", required: true, value: rotation?.hands_over ?? "08:00" });
  const begins = h("input", { type: "date", required: true, value: rotation?.begins_on ?? dayKey(context.now(), user.zone) });
  const members = ticked(t("oncall.members"), inTurn(contacts, rotation?.members ?? []), (one) => !rotation || rotation.members.includes(one.id));
  const holidays = dayLines(t("oncall.holidays"), rotation?.holidays ?? [], () => dayKey(context.now(), user.zone));
  const others = ticked(t("oncall.holiday_members"), contacts, (one) => Boolean(rotation?.holiday_members.includes(one.id)));
  const instead = ticked(t("oncall.overrides"), (rotation?.overrides ?? []).map((/** @type {any} */ one, /** @type {number} */ id) => (
    { id, name: `${contacts.find((who) => who.id === one.contact_id)?.name ?? ""} ${dayAndClock(one.begins_at, context.now(), user.zone)}–${dayAndClock(one.ends_at, context.now(), user.zone)}` })), () => true);
  const fields = [h("p", { class: "hint" }, t("oncall.explain")), field(t("oncall.name"), name),
    h("div", { class: "grid2" }, field(t("oncall.every"), every), field(t("oncall.hour"), hour)),
    field(t("oncall.begins"), begins), members.element, rotation?.overrides.length > 0 && instead.element,
    h("details", { open: Boolean(rotation?.holidays.length) }, h("summary", {}, t("oncall.holidays")), h("div", { class: "stack" }, holidays.element, others.element))];
  const body = () => ({
    name: name.value, every: every.value, hands_over: hour.value, begins_on: begins.value, members: members.value(),
    holidays: holidays.value(), holiday_members: others.value(),
    ...(rotation && { overrides: instead.value().map((/** @type {number} */ id) => rotation.overrides[id]) }),
  });
  const owner = context.house.isAdmin ? { user_id: user.id } : {};
  const save = rotation
    ? () => api.patch(`/rotations/${rotation.id}`, body(), rotation.version)
    : () => api.post("/rotations", { ...body(), ...owner });
  const remove = rotation ? () => api.remove(`/rotations/${rotation.id}`) : undefined;
  formDialog(context, rotation?.name ?? t("oncall.add"), fields, save, { again, remove });
}

/** Somebody else for a while. @param {any} context @param {any} user @param {any[]} contacts @param {any} rotation @param {() => void} again */
function standIn(context, user, contacts, rotation, again) {
  const who = select(contacts.map((one) => [one.id, one.name]), contacts[0]?.id ?? "");
  const [begins, ends] = [0, 1].map(() => h("input", { type: "datetime-local", required: true }));
  const at = (/** @type {any} */ input) => instant(input.value, user.zone).toISOString();
  const fields = [field(t("oncall.who"), who),
    h("div", { class: "grid2" }, field(t("absence.begins"), begins), field(t("absence.ends"), ends))];
  formDialog(context, `${t("oncall.stand_in")}: ${rotation.name}`, fields, () => api.patch(`/rotations/${rotation.id}`, {
    overrides: [...rotation.overrides, { contact_id: who.value, begins_at: at(begins), ends_at: at(ends) }],
  }, rotation.version), { again });
}
