// @ts-check
/** The event log with a search: what happened, line by line. */

import * as api from "../api.js";
import { h, keyed } from "../dom.js";
import { enLog } from "../i18n/en_log.js";
import { zhLog } from "../i18n/zh_log.js";
import { BOOKS, clockSeconds, day, foreign, has, language, learn, t } from "../words.js";
import { aroundOf, sentence } from "./facts.js";
import { openReminder } from "./reminder.js";
import { soon } from "./today.js";

learn({ zh: zhLog, en: enLog });

const KINDS_MAX = 20; // as many as the server takes

/** What a task does, in words; kinds of other programs have none. @param {string} kind */
export const workOf = (kind) => (has(`work.${kind}`) ? t(`work.${kind}`) : kind);

/** Whether its subject is a reminder, whose life can be opened. @param {any} event */
const isOfReminder = (event) => event.subject.startsWith("rem_");

/** What is asked of the server: somebody types the words on the screen, and it knows kinds. @param {string} typed */
export function asked(typed) {
  const wanted = typed.trim().toLowerCase();
  const kinds = wanted ? kindsWith(wanted) : [];
  return kinds.length ? { kind: kinds } : { words: wanted && typed.trim() };
}

/** @param {string} wanted */
function kindsWith(wanted) {
  const found = Object.entries(BOOKS[language()])
    .map(([key, words]) => [/^fact\.(\w+\.\w+)/.exec(key)?.[1], words.replace(/\{\w+\}/g, " ").toLowerCase()])
    .filter(([kind, words]) => kind && !kind.startsWith("short.") && words?.includes(wanted));
  return [...new Set(found.map(([kind]) => String(kind)))].slice(0, KINDS_MAX);
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
      "/events/log", { ...asked(search.value), limit: 30, cursor: more ? cursor : "" },
    );
    if (mine !== turn) return;
    cursor = found.next_cursor ?? "";
    shown = more ? [...shown, ...found.items] : found.items;
    older.hidden = !cursor;
    none.hidden = shown.length > 0;
    keyed(list, shown, (one) => String(one.id), line, { sameAs: (one) => String(one.id) });
  };
  const line = (/** @type {any} */ event) => {
    const words = sentence(event, aroundOf(context));
    const what = isOfReminder(event)
      ? h("button", { class: "link", type: "button", onclick: () => openReminder(context, event.subject) }, words)
      : words;
    return h("li", {},
      h(
        "time", { datetime: event.at },
        `${day(event.at, now(), house.zone)} ${clockSeconds(event.at, house.zone)}`,
      ),
      // Programs call it by its kind: whoever connects one finds it under the words.
      h("span", { title: event.kind }, what), h("small", {}, event.user_id ? house.userName(event.user_id) : ""));
  };
  const other = foreign(house.zone, now());
  const begin = soon(() => load(false).catch(fail), 200);
  // While somebody reads on, the list stays as it is.
  hear([""], () => shown.length <= 30 && begin());
  begin();
  return h("section", { class: "card" }, h("h2", {}, t("log.title")), other && h("p", { class: "hint" }, other), search, list, none, older);
}
