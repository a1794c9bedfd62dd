// @ts-check
/** Webhooks: which programs outside are told, what was delivered, and once more what was not. */

import * as api from "../api.js";
import { formDialog, openDialog } from "../dialogs.js";
import { field, h, keyed } from "../dom.js";
import { away, t } from "../words.js";
import { copied, lineButton, listCard, listLine } from "./lists.js";

/** Kinds as somebody types them. @param {string} text */
export const kindsOf = (text) => text.split(/[\s,，、]+/).filter(Boolean);

/** @param {any} context */
export function hookCard(context) {
  return listCard(context, {
    title: t("hooks.title"), explain: t("hooks.explain"), none: t("hooks.none"),
    load: () => api.all("/webhooks"), key: (one) => one.id,
    add: [t("hooks.add"), (reload) => edit(context, null, reload), "hook-new"],
    line: (one, reload) => {
      const name = one.name || one.url;
      const state = one.enabled ? (one.failures ? t("hooks.failing", { n: one.failures }) : t("hooks.on")) : t("hooks.off", { why: one.reason });
      const test = () => api.post(`/webhooks/${one.id}/test`).then(() => context.say(t("hooks.tested"), "good")).catch(context.fail);
      return listLine(name, `${one.kinds.join(", ") || t("hooks.all")} · ${state}`, [
        lineButton(t("hooks.log"), name, () => log(context, one), { key: `hook-log:${one.id}` }), lineButton(t("device.test"), name, test),
        lineButton(t("edit"), name, () => edit(context, one, reload), { key: `hook:${one.id}` }),
      ], one.enabled && !one.failures ? "" : "bad");
    },
  }).element;
}

/** @param {any} context @param {any} hook null: a new one @param {() => void} again */
function edit(context, hook, again) {
  const url = h("input", { type: "url", required: true, maxlength: "2000", value: hook?.url ?? "", placeholder: "https://…" });
  const name = h("input", { maxlength: "100", value: hook?.name ?? "" });
  const kinds = h("input", { maxlength: "500", value: (hook?.kinds ?? []).join(" "), placeholder: "reminder.* ring.*" });
  const on = h("input", { type: "checkbox", checked: hook?.enabled ?? true });
  const body = () => ({ url: url.value, name: name.value, kinds: kindsOf(kinds.value) });
  const save = () => (hook ? api.patch(`/webhooks/${hook.id}`, { ...body(), enabled: on.checked }, hook.version) : api.post("/webhooks", body()));
  const shown = (/** @type {any} */ made) => openDialog(t("hooks.secret"), [h("p", {}, t("tokens.once")), copied(made.secret)]);
  formDialog(context, hook ? hook.name || hook.url : t("hooks.add"),
    [field(t("hooks.url"), url), field(t("person.name"), name), field(t("hooks.kinds"), kinds, t("hooks.kinds_hint")),
      hook && h("label", { class: "check" }, on, h("span", {}, t("device.enabled")))],
    save, { again, next: hook ? undefined : shown, remove: hook ? () => api.remove(`/webhooks/${hook.id}`) : undefined });
}

/** @param {any} context @param {any} hook */
function log({ now, say, fail }, hook) {
  const list = h("ul", { class: "plain" });
  const none = h("p", { class: "hint" }, t("hooks.log_none"));
  const load = async () => {
    const { items } = await api.get(`/webhooks/${hook.id}/deliveries`);
    none.hidden = items.length > 0;
    keyed(list, items, (/** @type {any} */ one) => `${one.sequence} ${one.created_at}`, line);
  };
  const line = (/** @type {any} */ one) => {
    const again = () => api.post(`/webhooks/${hook.id}/deliveries/${one.sequence}`)
      .then(() => say(t("hooks.resent"), "good")).then(load).catch(fail);
    const state = [t(`hooks.status.${one.status}`), away(one.created_at, now()), one.error.trim().split("\n").at(-1)];
    return listLine(`#${one.sequence}`, state.filter(Boolean).join(" · "), lineButton(t("hooks.resend"), `#${one.sequence}`, again),
      one.status === "dead" ? "bad" : "");
  };
  openDialog(t("hooks.log"), [none, list]);
  load().catch(fail);
}
