// @ts-check
/** A person's reminders in other programs: calendar feed, calendar file, table. */

import * as api from "../api.js";
import { openDialog } from "../dialogs.js";
import { h } from "../dom.js";
import { calledBy } from "../house.js";
import { t } from "../words.js";
import { copied } from "./lists.js";

const EVER = { since: "2000-01-01T00:00:00Z", until: "2100-01-01T00:00:00Z" }; // the table has what comes, too

/** @param {any} context */
export function exchangeCard(context) {
  const { house, fail, say } = context;
  const user = house.user;
  if (!user) return null;
  const feed = async () => {
    if (!confirm(t("feed.sure"))) return;
    try {
      const made = await api.post(`/users/${user.id}/calendar`);
      openDialog(t("feed.title"), [h("p", {}, t("feed.explain")), copied(new URL(made.path, location.origin).href)]);
    } catch (error) {
      fail(error);
    }
  };
  const file = h("input", { type: "file", accept: ".ics,text/calendar", hidden: true, "aria-label": t("import.label") });
  file.addEventListener("change", async () => {
    try {
      const made = await api.upload(`/users/${user.id}/calendar/import`, await file.files[0].text(), "text/calendar");
      say(t("import.done", { n: made.reminders, m: made.series, k: made.skipped.length }), "good");
      if (made.skipped.length) openDialog(t("import.skipped"), [h("ul", {}, made.skipped.map((/** @type {any} */ one) => h("li", {}, `${one.uid}: ${one.why}`)))]);
    } catch (error) {
      fail(error);
    }
    file.value = "";
  });
  const table = (/** @type {string} */ form) => h(
    "a", { class: "button small", href: api.addressOf(api.withQuery(`/users/${encodeURIComponent(user.id)}/export`, { form, ...EVER })), download: `reminders.${form}` },
    t(`export.${form}`),
  );
  return h("section", { class: "card" }, h("h2", {}, t("exchange.title", { name: calledBy(user) })),
    h("p", { class: "hint" }, t("exchange.explain")),
    h("div", { class: "row" },
      h("button", { class: "small", type: "button", onclick: feed }, t("feed.make")),
      h("button", { class: "small", type: "button", onclick: () => file.click() }, t("import.label")), file,
      table("csv"), table("json"), h("a", { class: "button small", href: "#/sheet" }, t("page.sheet"))));
}
