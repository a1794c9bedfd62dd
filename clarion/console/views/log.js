// @ts-check
/** The event log with a search: what happened, line by line. */

import * as api from "../api.js";
import { h, keyed } from "../dom.js";
import { clockSeconds, day, t } from "../words.js";
import { sentence } from "./facts.js";
import { soon } from "./today.js";

/** What an event says beyond its kind, short. @param {any} event @param {any} around */
export function brief(event, around) {
  const words = sentence(event, around);
  if (words !== event.kind) return words;
  return Object.entries(event.data ?? {}).filter(([, value]) => value !== null && value !== "")
    .map(
      ([name, value]) => `${name}: ${typeof value === "object" ? JSON.stringify(value) : value}`,
    ).join(" · ").slice(0, 200);
}

/** @param {any} context */
export function logCard(context) {
  const { house, now, hear, fail } = context;
  const list = h("ol", { class: "log" });
  const search = h(
    "input",
    {
      type: "search", "aria-label": t("log.search"), placeholder: t("log.search"), maxlength: "100",
      oninput: () => begin(),
    },
  );
  const older = h(
    "button", { class: "quiet small", type: "button", onclick: () => load(true).catch(fail) }, t("log.older"),
  );
  const none = h("p", { class: "hint", hidden: true }, t("log.none"));
  /** @type {any[]} */
  let shown = [];
  let cursor = "";
  let turn = 0;
  const load = async (/** @type {boolean} */ more) => {
    const mine = ++turn;
    const found = await api.get(
      "/events/log", { words: search.value.trim(), limit: 30, cursor: more ? cursor : "" },
    );
    if (mine !== turn) return;
    cursor = found.next_cursor ?? "";
    shown = more ? [...shown, ...found.items] : found.items;
    older.hidden = !cursor;
    none.hidden = shown.length > 0;
    keyed(list, shown, (one) => String(one.id), line, { sameAs: (one) => String(one.id) });
  };
  const line = (/** @type {any} */ event) => {
    const around = { now: now(), zone: house.zone, device: (/** @type {any} */ id) => house.deviceName(id) };
    return h("li", {},
      h(
        "time", { datetime: event.at },
        `${day(event.at, now(), house.zone)} ${clockSeconds(event.at, house.zone)}`,
      ),
      h("code", {}, event.kind), h("span", {}, brief(event, around)));
  };
  const begin = soon(() => load(false).catch(fail), 200);
  // While somebody reads on, the list stays as it is.
  hear([""], () => shown.length <= 30 && begin());
  begin();
  return h("section", { class: "card" }, h("h2", {}, t("log.title")), search, list, none, older);
}
