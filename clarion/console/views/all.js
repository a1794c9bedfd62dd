// @ts-check
/** Every reminder there is, as long as the list may be. */

import * as api from "../api.js";
import { h, select } from "../dom.js";
import { LongList } from "../virtual.js";
import { clock, day, foreign, midnight, number, t } from "../words.js";
import { standing, whenOf } from "./facts.js";
import { openReminder } from "./reminder.js";
import { soon } from "./today.js";

const ROW = 60; // pixels, as `.long > li` in the style sheet
const STATUSES = ["pending", "triggered", "confirmed", "completed", "timeout", "failed", "cancelled"];

/** @param {any} context */
export function page(context) {
  const { house, now, fail, onClose, hear } = context;
  let cursor = /** @type {string | null | undefined} */ (undefined);
  let loading = false;
  let round = 0;
  const state = h("p", { class: "summary", role: "status" });
  const filter = select(
    [
      ["", t("all.every")],
      ...STATUSES.map((one) => /** @type {[string, string]} */ ([one, t(`status.${one}`)])),
    ],
    "", { "aria-label": t("all.filter"), onchange: () => begin() },
  );
  const from = select(
    [["today", t("all.coming")], ["", t("all.past")]], "today",
    { "aria-label": t("all.from"), onchange: () => begin() },
  );
  const search = h("input", {
    type: "search", name: "search", maxlength: "100", placeholder: t("all.search"), "aria-label": t("all.search"),
    oninput: soon(() => begin(), 250),
  });
  const list = new LongList(ROW, (one) => line(context, one), () => more());
  const fresh = h(
    "button", { class: "quiet", type: "button", hidden: true, onclick: () => begin() }, t("all.fresh"),
  );
  onClose(() => list.close());
  // The list stays where it is under a reader's eyes; it says that there is something new.
  hear(["reminder."], () => (fresh.hidden = false));

  const more = async () => {
    if (loading || cursor === null) return;
    loading = true;
    const mine = round;
    try {
      const owner = house.isAdmin ? { user_id: house.user?.id } : {};
      const page = await api.get(
        "/reminders",
        {
          ...owner, text: search.value.trim(), status: filter.value, since: from.value && midnight(now(), house.zone).toISOString(),
          limit: 100, cursor,
        },
      );
      if (mine !== round) return;
      cursor = page.next_cursor;
      loading = false;
      list.add(page.items);
      state.textContent = t(cursor ? "all.some" : "all.count", { n: number(list.items.length) });
    } catch (error) {
      if (mine === round) state.textContent = t("offline.failed");
      fail(error);
    } finally {
      if (mine === round) loading = false;
    }
  };
  const begin = () => {
    round += 1;
    cursor = undefined;
    loading = false;
    fresh.hidden = true;
    list.set([]);
    more();
  };
  queueMicrotask(begin);
  const other = foreign(house.zone, now());
  return h("div", { class: "page" },
    h("header", { class: "page-head" }, h("h1", {}, t("page.all")), other && h("p", {}, other), state),
    h(
      "div", { class: "row" }, search, from, filter, fresh,
      h("a", { class: "button quiet", href: "#/today" }, t("page.today")),
    ),
    h("section", { class: "card flush" }, list.element));
}

/** @param {any} context @param {any} reminder */
function line(context, reminder) {
  const { house, now } = context;
  const { word, tone } = standing(reminder, now(), house.zone);
  const at = whenOf(reminder);
  return h("li", { class: tone },
    h("button", { class: "row-button", type: "button", onclick: () => openReminder(context, reminder.id) },
      h("time", { datetime: at }, h("small", {}, day(at, now(), house.zone)), clock(at, house.zone)),
      h("span", { class: "dot", "aria-hidden": "true" }),
      h("span", { class: "what" }, h("strong", {}, reminder.content), h("small", {}, word))));
}
