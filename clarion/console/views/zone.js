// @ts-check
/** The field for a time zone: it offers those that the browser knows, and takes no other. */

import { h } from "../dom.js";
import { browserZone } from "../house.js";
import { t } from "../words.js";

/** @param {string} zone */
export function isZone(zone) {
  try {
    return Boolean(new Intl.DateTimeFormat("en", { timeZone: zone }));
  } catch {
    return false;
  }
}

/** @param {string} zone */
export function zoneInput(zone) {
  const look = () => input.setCustomValidity(isZone(input.value) ? "" : t("zone.unknown"));
  const input = h("input", { required: true, list: "zones", value: zone, oninput: look });
  return input;
}

export function zones() {
  const known = /** @type {any} */ (Intl).supportedValuesOf?.("timeZone") ?? [browserZone()];
  return h("datalist", { id: "zones" }, known.map((/** @type {string} */ zone) => h("option", { value: zone })));
}
