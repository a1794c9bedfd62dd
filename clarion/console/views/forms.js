// @ts-check
/** The dialogs about people and their devices. */

import * as api from "../api.js";
import { formDialog, openDialog } from "../dialogs.js";
import { field, h, select } from "../dom.js";
import { browserZone, calledBy } from "../house.js";
import { language, t } from "../words.js";
import { zoneInput, zones } from "./zone.js";

const KINDS = ["xiaozhi", "browser", "terminal", "telegram", "matrix", "chat", "mqtt", "notify", "webhook"];

/**
 * An id out of a name: `Ana María` is `ana-maria`; what has no Latin letters gets a number.
 * @param {string} name
 */
export function idOf(name, chance = Math.random()) {
  const plain = name.normalize("NFD").replace(/[\u0300-\u036f]/g, "").toLowerCase();
  const id = plain.replace(/[^a-z0-9]+/g, "-").replace(/^-+|-+$/g, "");
  return id || `person-${Math.floor(chance * 1e6).toString(36)}`;
}

/** Quiet hours out of two fields: both or none. @param {string} begins @param {string} ends */
export const quietOf = (begins, ends) => (begins && ends ? { begins, ends } : null);

/** @param {any} user */
function userFields(user) {
  return {
    name: h("input", { required: true, maxlength: "100", value: user.name }),
    zone: zoneInput(user.zone),
    language: select([["zh", t("language.zh")], ["en", t("language.en")]], user.language),
    begins: h("input", { type: "time", value: user.quiet?.begins ?? "" }),
    ends: h("input", { type: "time", value: user.quiet?.ends ?? "" }),
  };
}

/** @param {ReturnType<typeof userFields>} f */
const shown = (f) => [
  field(t("person.name"), f.name), field(t("person.zone"), f.zone), zones(),
  field(t("person.language"), f.language),
  h("div", { class: "grid2" }, field(t("quiet.begins"), f.begins), field(t("quiet.ends"), f.ends)),
  h("p", { class: "hint" }, t("quiet.explain"))];

/** @param {ReturnType<typeof userFields>} f */
const values = (f) => (
  {
    name: f.name.value, zone: f.zone.value, language: f.language.value,
    quiet: quietOf(f.begins.value, f.ends.value),
  }
);

/** @param {any} context @param {() => void} again */
export function newUser(context, again) {
  const f = userFields({ name: "", zone: browserZone(), language: language(), quiet: null });
  formDialog(
    context, t("people.add"), shown(f), () => api.post("/users", { id: idOf(f.name.value), ...values(f) }),
    { again },
  );
}

/** @param {any} context @param {any} user */
export function editUser(context, user) {
  const f = userFields(user);
  const remove = context.house.isAdmin ? () => api.remove(`/users/${user.id}`) : undefined;
  formDialog(context, calledBy(user), shown(f),
    () => api.patch(`/users/${user.id}`, values(f), user.version),
    { remove, sure: t("person.remove_sure", { name: calledBy(user) }) });
}

/** @param {any} context @param {any} user @param {any} device null: a new one @param {() => void} again */
export function editDevice(context, user, device, again) {
  const kind = select(KINDS.map((one) => [one, t(`kind.${one}`)]), device?.kind ?? "xiaozhi");
  kind.disabled = Boolean(device);
  const name = h("input", { maxlength: "100", value: device?.name ?? "" });
  const address = h("input", { maxlength: "1000", value: device?.address ?? "" });
  const order = h("input", { type: "number", min: "-1000", max: "1000", value: device?.order ?? 0 });
  const on = h("input", { type: "checkbox", checked: device?.enabled ?? true });
  const fields = [field(t("device.kind"), kind), field(t("device.name"), name),
    field(t("device.address"), address, t("device.address_hint")),
    field(t("device.order"), order), h("label", { class: "check" }, on, h("span", {}, t("device.enabled")))];
  const body = () => (
    { name: name.value, address: address.value, order: Number(order.value), enabled: on.checked }
  );
  const owner = context.house.isAdmin && user ? { user_id: user.id } : {};
  if (device) {
    formDialog(context, device.name || t(`kind.${device.kind}`), fields,
      () => api.patch(`/devices/${device.id}`, body(), device.version),
      { again, remove: () => api.remove(`/devices/${device.id}`) });
  } else {
    formDialog(
      context, t("devices.add"), fields,
      () => api.post("/devices", { kind: kind.value, ...body(), ...owner }), { again },
    );
  }
}

/** A link with which they open the console as themselves, once. @param {any} context @param {any} user */
export async function logInAs({ fail }, user) {
  try {
    const made = await api.post("/login-codes", { user_id: user.id });
    const address = new URL(made.path, location.origin).href;
    openDialog(
      t("people.login"),
      [h("p", {}, t("login.explain", { name: calledBy(user) })), h("pre", {}, address)],
    );
  } catch (error) {
    fail(error);
  }
}
