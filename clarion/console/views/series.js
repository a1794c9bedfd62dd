// @ts-check
/** What comes again: each series with its next time, to pause, skip or end. */

import * as api from "../api.js";
import { opens } from "../dialogs.js";
import { h, keyed } from "../dom.js";
import { endSeries, skipOnce } from "../undo.js";
import { dayAndClock, t } from "../words.js";
import { editSeries } from "./editing.js";

/** @param {any} context */
export function seriesList(context) {
  const { house, fail } = context;
  const list = h("ul", { class: "plain" });
  const element = h("section", { class: "card", hidden: true }, h("h2", {}, t("series.title")), list);
  const load = async () => {
    if (!house.user) return;
    const found = await api.all("/series", house.isAdmin ? { user_id: house.user.id } : {}, 200);
    const open = found.filter((one) => !one.ended_at);
    element.hidden = open.length === 0;
    keyed(list, open, (one) => one.id, (one) => line(context, one, reload));
  };
  const reload = () => load().catch(fail);
  reload();
  return { element, load: reload };
}

/** @param {any} context @param {any} series @param {() => void} reload */
function line(context, series, reload) {
  const { house, now, fail } = context;
  const act = (/** @type {string} */ verb) => () => api.post(
    `/series/${series.id}/${verb}`,
  ).then(reload).catch(fail);
  const end = () => endSeries(context, series).then(reload);
  const next = series.enabled && series.next_at ? t(
    "series.next", { at: dayAndClock(series.next_at, now(), house.zone) },
  ) : t("series.paused");
  const label = (/** @type {string} */ key) => (
    { type: "button", class: "quiet small", "aria-label": `${t(key)}: ${series.content}` }
  );
  return h("li", { class: "series" },
    h("div", { class: "what" }, h("strong", {}, series.content), h("small", {}, series.pattern)),
    h("small", { class: "when" }, next),
    h("div", { class: "row" },
      series.enabled
        ? [
          h("button", { ...label("series.skip"), onclick: () => skipOnce(context, series).then(reload) }, t("series.skip")),
          h("button", { ...label("series.pause"), onclick: act("pause") }, t("series.pause")),
        ]
        : h("button", { ...label("series.resume"), onclick: act("resume") }, t("series.resume")),
      h("button", { ...label("edit"), ...opens(`series:${series.id}`, () => editSeries(context, series, reload)) }, t("edit")),
      h("button", { ...label("series.end"), onclick: end }, t("series.end"))));
}
