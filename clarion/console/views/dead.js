// @ts-check
/** Tasks that died: why, and whether they get another chance. */

import * as api from "../api.js";
import { h, keyed } from "../dom.js";
import { away, t } from "../words.js";
import { workOf } from "./log.js";

const MOST = 5_000; // of one press; whoever has more presses again

/** The last line of a traceback says what went wrong; where errors live in our code is no news. @param {string | null} error */
export function lastLine(error) {
  const lines = (error ?? "").trim().split("\n").map((one) => one.trim()).filter(Boolean);
  return (lines[lines.length - 1] ?? "").replace(/^clarion\.[\w.]+: /, "");
}

/** @param {any} context */
export function deadList(context) {
  const { fail } = context;
  const list = h("ul", { class: "plain" });
  const none = h("p", { class: "hint" }, t("dead.none"));
  const each = (/** @type {string} */ told, /** @type {(task: any) => Promise<any>} */ work) => async () => {
    let done = 0;
    for (const one of await api.all("/tasks", { status: "dead" }, MOST)) {
      await work(one).then(() => (done += 1)).catch(() => {}); // some may be gone by now
    }
    context.say(t(told, { n: done }), "good");
    reload();
  };
  const bulk = h("div", { class: "row", hidden: true },
    h("button", { class: "small", type: "button", onclick: each("dead.all_replayed", (one) => api.post(`/tasks/${one.id}/replay`)) }, t("dead.replay_all")),
    h("button", {
      class: "small danger", type: "button",
      onclick: () => confirm(t("dead.all_sure", { n: known })) && each("dead.all_dropped", (one) => api.remove(`/tasks/${one.id}`))(),
    }, t("dead.drop_all")));
  const element = h("section", { class: "card" }, h("h2", {}, t("dead.title")), none, bulk, list);
  let known = -1;
  const load = async () => {
    const found = await api.get("/tasks", { status: "dead", limit: 50 });
    none.hidden = found.items.length > 0;
    bulk.hidden = found.items.length < 2;
    keyed(list, found.items, (one) => one.id, (one) => line(context, one, reload));
  };
  const reload = () => load().catch(fail);
  /** Look again only when their number has changed. @param {number} n */
  const count = (n) => {
    if (n !== known) reload();
    known = n;
  };
  return { element, count };
}

/** @param {any} context @param {any} task @param {() => void} reload */
function line({ now, fail, say }, task, reload) {
  const replay = () => api.post(`/tasks/${task.id}/replay`).then(
    () => say(t("dead.replayed"), "good"),
  ).catch(fail).finally(reload);
  const drop = () => confirm(t("dead.sure")) && api.remove(`/tasks/${task.id}`).then(
    () => say(t("dead.dropped")),
  ).catch(fail).finally(reload);
  return h("li", { class: "dead" },
    h("div", { class: "what" }, h("strong", { title: task.kind }, workOf(task.kind)), h("small", {}, lastLine(task.error))),
    h(
      "small", { class: "when" }, task.ended_at ? away(task.ended_at, now()) : "", " · ",
      t("dead.tries", { n: task.attempt }),
    ),
    h(
      "details", {}, h("summary", {}, t("dead.error")), h("pre", {}, task.error ?? ""),
      h("pre", {}, JSON.stringify(task.payload, null, 2)),
    ),
    h("div", { class: "row" },
      h("button", { class: "small", type: "button", onclick: replay }, t("dead.replay")),
      h("button", { class: "small danger", type: "button", onclick: drop }, t("dead.drop"))));
}
