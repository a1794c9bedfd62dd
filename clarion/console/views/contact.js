// @ts-check
/** One contact by hand: where they are told and in which order, when not, and in which language. */

import * as api from "../api.js";
import { formDialog } from "../dialogs.js";
import { field, h, select } from "../dom.js";
import { dayKey, t } from "../words.js";
import { quietOf } from "./forms.js";
import { dayLines, lines } from "./lines.js";
import { showInvitation } from "./oncall.js";

/** Every way of a contact, the first at once. @param {any} contact null: nobody yet */
export const waysOf = (contact) => [{ address: contact?.address ?? "", after: 0 }, ...(contact?.ways ?? [])];

/** As the server wants it: the first is the address, the others follow. @param {{address: string, after: number}[]} ways */
export function addressed(ways) {
  const [first, ...others] = ways.filter((one) => one.address);
  return first ? { address: first.address, ways: others } : { ways: [] };
}

/** @param {any} contact */
function wayLines(contact) {
  const make = (/** @type {any} */ one) => [
    h("input", { class: "grow", maxlength: "1000", value: one?.address ?? "", placeholder: "ntfy://…", "aria-label": t("contact.address") }),
    h("input", { type: "number", min: "0", max: "1440", value: Math.round((one?.after ?? 300) / 60), "aria-label": t("ways.after") }),
  ];
  const made = lines(t("ways.title"), `${t("contact.address_hint")} ${t("ways.explain")}`, t("ways.add"), waysOf(contact), make, true);
  return { element: made.element, value: () => addressed(made.rows().map(([address, after]) => ({ address: address.value, after: Number(after.value) * 60 }))) };
}

/** @param {any} context @param {any} user @param {any} contact null: a new one @param {() => void} again */
export function editContact(context, user, contact, again) {
  const name = h("input", { required: true, maxlength: "100", value: contact?.name ?? "" });
  const number = (/** @type {number} */ least, /** @type {number} */ most, /** @type {number} */ value) => h("input", { type: "number", min: least, max: most, value });
  const [order, delay] = [number(-1000, 1000, contact?.order ?? 0), number(0, 1440, Math.round((contact?.delay ?? 0) / 60))];
  const [begins, ends] = ["begins", "ends"].map((one) => h("input", { type: "time", value: contact?.quiet?.[one] ?? "" }));
  const language = select([["", t("contact.language_theirs")], ["zh", t("language.zh")], ["en", t("language.en")]], contact?.language ?? "");
  const ways = wayLines(contact);
  const away = dayLines(t("contact.away"), contact?.away ?? [], () => dayKey(context.now(), user.zone));
  const fields = [field(t("person.name"), name), ways.element,
    h("div", { class: "grid2" }, field(t("contact.order"), order), field(t("contact.delay"), delay)),
    h("details", { open: Boolean(contact?.quiet || contact?.away?.length) }, h("summary", {}, t("contact.when_not")),
      h("div", { class: "stack" }, h("div", { class: "grid2" }, field(t("quiet.begins"), begins), field(t("quiet.ends"), ends)),
        h("p", { class: "hint" }, t("contact.quiet_explain")), away.element, field(t("person.language"), language)))];
  const body = () => ({
    name: name.value, ...ways.value(), order: Number(order.value), delay: Number(delay.value) * 60,
    quiet: quietOf(begins.value, ends.value), away: away.value(), language: language.value,
  });
  const owner = context.house.isAdmin ? { user_id: user.id } : {};
  if (contact) {
    formDialog(context, contact.name, fields,
      () => api.patch(`/contacts/${contact.id}`, body(), contact.version),
      { again, remove: () => api.remove(`/contacts/${contact.id}`) });
    return;
  }
  const shown = (/** @type {any} */ made) => { if (made.invitation) showInvitation(made, made.invitation); };
  formDialog(context, t("contacts.add"), fields, () => api.post("/contacts", { ...body(), ...owner }), { again, next: shown });
}
