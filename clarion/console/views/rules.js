// @ts-check
/** Each chat's rule: its priority to drag or type, its share, where its messages go, whether it is on; and a dry run. */

import * as api from "../api.js";
import { formDialog, opens } from "../dialogs.js";
import { field, h, keyed } from "../dom.js";
import { number, t } from "../words.js";
import { wordsOf } from "./editing.js";
import { levelOf } from "./queue.js";

/** A priority as somebody types it; null when it is none. @param {string} text */
export function priority(text) {
  const named = { vip: 50, critical: 100, high: 50, normal: 10, bulk: 0, 紧急: 100, 高: 50, 普通: 10, 低: 0 };
  const word = text.trim().toLowerCase();
  if (word in named) return /** @type {Record<string, number>} */ (named)[word];
  const n = Number(word);
  return word !== "" && Number.isInteger(n) && n >= 0 && n <= 100 ? n : null;
}

/** @param {any} context */
export function ruleList(context) {
  const { fail } = context;
  /** @type {Map<string, string>} */
  const titles = new Map();
  const list = h("ul", { class: "plain" });
  const none = h("p", { class: "hint" }, t("rules.none"));
  const element = h(
    "section", { class: "card" }, h("h2", {}, t("rules.title")),
    h("p", { class: "hint" }, t("rules.explain")), none, list,
    h("div", { class: "row" }, h("button", { class: "small", type: "button", ...opens("rule-new", () => editRule(context, null, reload)) }, t("rules.add"))),
  );
  const load = async () => {
    const found = await api.get("/rules");
    none.hidden = found.items.length > 0;
    for (const one of found.items) titles.set(one.chat_id, one.chat_title || one.chat_id);
    // Whoever is dragging keeps what they hold.
    if (list.contains(document.activeElement) && document.activeElement?.matches("input")) return;
    const sorted = [...found.items].sort((a, b) => b.priority - a.priority || a.id - b.id);
    keyed(list, sorted, (one) => String(one.id), (one) => line(context, one, reload), { moves: true });
  };
  const reload = () => load().catch(fail);
  context.every(reload, 4_000);
  reload();
  return { element, load: reload, titles };
}

/** Patterns, each on its line: commas and spaces are part of them. @param {string} text */
export const linesOf = (text) => text.split("\n").filter((one) => one.trim());

const FILTERS = ["words", "without", "senders", "patterns", "kinds"];

/**
 * Where a chat's messages go and which of them. @param {any} context @param {any} rule null: a new one
 * @param {() => void} again
 */
function editRule(context, rule, again) {
  const chat = h("input", { required: true, maxlength: "128", value: rule?.chat_id ?? "", placeholder: "telegram:-100123", pattern: "[A-Za-z0-9][\\w.:@+!#=$\\/\\-]*", title: t("rules.chat_hint") });
  chat.disabled = Boolean(rule);
  const targets = h("textarea", { rows: "2" }, (rule?.targets ?? []).join("\n"));
  const filters = FILTERS.map((name) => (name === "patterns"
    ? h("textarea", { rows: "2", maxlength: "5000" }, (rule?.filters[name] ?? []).join("\n"))
    : h("input", { maxlength: "1000", value: (rule?.filters[name] ?? []).join("，") })));
  const weight = h("input", { type: "number", min: "0.1", max: "100", step: "0.1", value: rule?.weight ?? "" });
  const said = () => ({
    targets: wordsOf(targets.value),
    filters: Object.fromEntries(FILTERS.map((name, at) => [name, (name === "patterns" ? linesOf : wordsOf)(filters[at].value)])),
  });
  const body = () => ({ ...said(), weight: Number(weight.value) }); // 0: as its priority says
  formDialog(context, rule ? `#${rule.id} ${rule.chat_title || rule.chat_id}` : t("rules.add"), [
    field(t("rules.chat"), chat), field(t("rules.targets"), targets, t("rules.targets_hint")),
    field(t("rules.weight"), weight, t("rules.weight_hint")),
    FILTERS.map((name, at) => field(t(`filter.${name}`), filters[at], name === "patterns" ? t("filter.patterns_hint") : "")), trial(context, said)],
  () => (rule ? api.patch(`/rules/${rule.id}`, body(), rule.version) : api.post("/rules", { chat_id: chat.value, ...body() })),
  { again, remove: rule ? () => api.remove(`/rules/${rule.id}`) : undefined });
}

/** What would become of a message, by the rule as it stands in the form. @param {any} context @param {() => any} said */
function trial({ fail }, said) {
  const text = h("input", { maxlength: "4096" });
  const sender = h("input", { maxlength: "128", placeholder: "telegram:42" });
  const kind = h("input", { maxlength: "20", placeholder: "text, photo, voice …" });
  const outcome = h("p", { role: "status" });
  const look = () => api.post("/rules/try", { ...said(), text: text.value, sender: sender.value || null, kind: kind.value || "text" })
    .then((found) => {
      outcome.textContent = foundIn(found);
      outcome.className = found.stopped_by ? "warning" : "";
    }).catch(fail);
  return h("details", { class: "rest" }, h("summary", {}, t("rules.try")), h("div", { class: "stack" },
    field(t("rules.try_text"), text),
    h("div", { class: "grid2" }, field(t("rules.try_sender"), sender), field(t("rules.try_kind"), kind)),
    h("button", { class: "small", type: "button", onclick: look }, t("rules.try_button")), outcome));
}

/** A dry run in words. @param {{stopped_by: string, goes_to: string[]}} found */
export function foundIn(found) {
  if (found.stopped_by) return t("rules.stopped", { list: t(`filter.${found.stopped_by}`) });
  return found.goes_to.length ? t("rules.would_go", { to: found.goes_to.join(t("list.comma")) }) : t("rules.nowhere");
}

/** @param {any} context @param {any} rule @param {() => void} reload */
function line(context, rule, reload) {
  const { fail, say } = context;
  const title = rule.chat_title || rule.chat_id;
  const mark = h(
    "span", { class: `pill level-${levelOf(rule.priority)}` }, t(`level.${levelOf(rule.priority)}`),
  );
  const show = (/** @type {number} */ n) => {
    mark.className = `pill level-${levelOf(n)}`;
    mark.textContent = t(`level.${levelOf(n)}`);
    slide.value = String(n);
    box.value = String(n);
  };
  const save = (/** @type {any} */ change) => {
    /** @type {any} */ (document.activeElement)?.blur?.();
    api.patch(`/rules/${rule.id}`, change, "*")
      .then(() => say(t("rules.saved", { what: title }), "good")).catch(fail).finally(reload);
  };
  const slide = h("input", {type: "range", min: "0", max: "100", value: rule.priority,
    "aria-label": t("rules.drag", { what: title }),
    oninput: (/** @type {any} */ e) => show(Number(e.target.value)),
    onchange: (/** @type {any} */ e) => save({ priority: Number(e.target.value) })});
  const box = h("input", {type: "text", inputmode: "numeric", class: "tiny", value: rule.priority,
    "aria-label": t("rules.type", { what: title }),
    onchange: (/** @type {any} */ e) => {
      const n = priority(e.target.value);
      if (n === null) return say(t("rules.bad"), "bad");
      show(n);
      return save({ priority: n });
    } });
  const on = h(
    "input",
    {
      type: "checkbox", checked: rule.enabled,
      onchange: (/** @type {any} */ e) => save({ enabled: e.target.checked }),
    },
  );
  return h("li", { class: "rule" },
    h(
      "div", { class: "what" }, h("strong", {}, h("code", {}, `#${rule.id}`), ` ${title}`),
      h(
        "small", {},
        rule.targets.length ? t("rules.to", { to: rule.targets.join(", ") }) : t("rules.nowhere"),
      ),
      rule.dead_targets.length
        ? h("small", { class: "bad" }, `⚠ ${t("rules.dead", { to: rule.dead_targets.join(", ") })}`)
        : null,
    ),
    mark, h("div", { class: "drag" }, slide, box),
    h("button", { class: "small quiet", type: "button", "aria-label": `${t("edit")}: ${title}`, ...opens(`rule:${rule.id}`, () => editRule(context, rule, reload)) }, t("edit")),
    h("small", { class: "when" }, t("rules.waiting", { n: number(rule.waiting) })),
    h("label", { class: "check" }, on, h("span", {}, t("rules.on"))));
}
