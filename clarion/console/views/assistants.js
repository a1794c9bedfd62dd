// @ts-check
/** Assistants: what to paste into each, whether it works, who is connected, and xiaozhi's lines. */

import * as api from "../api.js";
import { field, h, keyed, select } from "../dom.js";
import { away, language, t } from "../words.js";
import { soon } from "./today.js";

const DEEDS = 3;
const TONES = { connected: "good", waiting: "ring", taken_over: "bad" };

/** How a line is, as a tone. @param {{state: string, error: string}} point */
export const toneOfLine = (point) =>
  point.state === "waiting" && point.error ? "bad" : /** @type {Record<string, string>} */ (TONES)[point.state];

/** What an assistant did last, in a few words. @param {{did: {action: string}[]}} assistant */
export const didLast = (assistant) => assistant.did.slice(0, DEEDS).map((one) => one.action).join(", ");

/** The snippet with a token in its place. @param {{snippet: string}} host @param {string} token */
export const filled = (host, token) => (token ? host.snippet.replace("{token}", token) : host.snippet);

/** Whether the door says what a host needs to find its way. @param {number} status @param {string | null} header */
export const isOpen = (status, header) => status === 401 && /resource_metadata="/.test(header ?? "");

/** @param {any} context */
export function page(context) {
  const { hear, every, fail } = context;
  const connected = h("ul", { class: "plain" });
  const none = h("p", { class: "hint" }, t("assistants.none"));
  const load = async () => {
    const { items } = await api.get("/assistants");
    none.hidden = items.length > 0;
    keyed(connected, items, (one) => one.id, (one) => row(context, one, reload));
  };
  const reload = () => load().catch(fail);
  hear(["token."], soon(reload));
  every(() => load().catch(() => {}), 15_000);
  reload();
  return h("div", { class: "page" },
    h("header", { class: "page-head" }, h("h1", {}, t("page.assistants")), h("p", {}, t("assistants.explain"))),
    hostsCard(context),
    h("section", { class: "card" }, h("h2", {}, t("assistants.connected")), none, connected),
    xiaozhiCard(context));
}

/** @param {any} context @param {any} one @param {() => void} reload */
function row({ now, fail, say }, one, reload) {
  const end = () => api.remove(`/assistants/${one.id}`)
    .then(() => say(t("assistants.gone", { name: one.name })), fail).finally(reload);
  const used = one.used_at ? t("assistants.used", { when: away(new Date(one.used_at), now()) }) : t("assistants.unused");
  return h("li", { class: "who" },
    h("div", { class: "what" }, h("strong", {}, one.name), h("small", {}, [
      one.user_id ?? t("assistants.everybody"), one.scopes.map((/** @type {string} */ s) => t(`scope.${s}`)).join(" "), used,
      didLast(one),
    ].filter(Boolean).join(" · "))),
    h("button", { class: "small", type: "button", onclick: end }, t("assistants.end")));
}

/** @param {any} context */
function hostsCard({ house, fail, say }) {
  const place = h("div", { class: "stack" });
  const light = h("p", { class: "summary", role: "status" });
  let token = "";
  const draw = (/** @type {any} */ told, /** @type {string} */ id) => {
    const host = told.items.find((/** @type {any} */ one) => one.id === id);
    const text = h("textarea", { readonly: true, rows: "3", "aria-label": t("assistants.paste") });
    text.value = filled(host, token);
    const copy = () => navigator.clipboard?.writeText(text.value).then(() => say(t("assistants.copied")), () => text.select());
    const make = async () => {
      const wanted = { kind: "user", user_id: house.user?.id, name: host.title[language()] };
      token = (await api.post("/tokens", wanted)).token;
      draw(told, id);
    };
    light.replaceChildren();
    place.replaceChildren(h("p", {}, host.where[language()]), text, h("div", { class: "row" },
      h("button", { class: "primary", type: "button", onclick: copy }, t("assistants.copy")),
      host.link && h("a", { class: "button", href: host.link }, t("assistants.open")),
      host.kind === "token" && house.isAdmin && house.user && !token &&
        h("button", { type: "button", onclick: () => make().catch(fail) }, t("assistants.token")),
      h("button", { type: "button", onclick: () => test(told, light).catch(fail) }, t("assistants.test"))),
    host.kind === "oauth" && !told.secure && h("p", { class: "hint" }, t("assistants.insecure")), light);
  };
  const chooser = h("div", {});
  api.get("/assistants/hosts").then((told) => {
    const pairs = told.items.map((/** @type {any} */ one) => [one.id, one.title[language()]]);
    chooser.append(field(t("assistants.host"), select(pairs, pairs[0][0], {
      onchange: (/** @type {any} */ event) => draw(told, event.target.value),
    })));
    draw(told, pairs[0][0]);
  }, fail);
  return h("section", { class: "card stack" }, h("h2", {}, t("assistants.add")), chooser, place);
}

/** Knock as a host does that knows nothing but the address. @param {any} told @param {Element} light */
async function test(told, light) {
  const door = new URL(told.url);
  const here = door.origin === location.origin;
  const path = here ? door.pathname : "/mcp";
  const answer = await fetch(path, { method: "POST", credentials: "omit", body: "{}" });
  const works = isOpen(answer.status, answer.headers.get("www-authenticate"));
  light.className = `summary ${works ? "good" : "bad"}`;
  light.replaceChildren(t(works ? (here ? "assistants.works" : "assistants.works_here") : "assistants.fails"));
}

/** @param {any} context */
function xiaozhiCard({ house, every, fail }) {
  const lines = h("ul", { class: "plain" });
  const address = h("input", { type: "password", required: true, autocomplete: "off", placeholder: "wss://…", pattern: "wss?://.+", title: t("xiaozhi.begins") });
  const load = async () => {
    const { items } = await api.get("/xiaozhi");
    keyed(lines, items, (one) => one.id, (one) => line(one, reload, fail));
  };
  const reload = () => load().catch(fail);
  const add = async () => {
    await api.post("/xiaozhi", { address: address.value, ...(house.isAdmin ? { user_id: house.user?.id } : {}) });
    address.value = "";
    await load();
  };
  every(() => load().catch(() => {}), 3_000);
  reload();
  return h("section", { class: "card stack" }, h("h2", {}, t("xiaozhi.title")), h("p", {}, t("xiaozhi.explain")), lines,
    h("form", { class: "row", onsubmit: (/** @type {Event} */ e) => { e.preventDefault(); add().catch(fail); } },
      field(t("xiaozhi.address"), address), h("button", { class: "primary" }, t("xiaozhi.add"))));
}

/** @param {any} one @param {() => void} reload @param {(error: any) => void} fail */
function line(one, reload, fail) {
  const again = () => api.post(`/xiaozhi/${one.id}/connect`, {}).then(reload, fail);
  const remove = () => api.remove(`/xiaozhi/${one.id}`).then(reload, fail);
  return h("li", { class: "who" },
    h("span", { class: `pill ${toneOfLine(one)}` }, t(`xiaozhi.${one.state}`)),
    h("div", { class: "what" }, h("strong", {}, one.address),
      h("small", {}, [one.user_id, one.error && t(`xiaozhi.error.${one.error}`)].filter(Boolean).join(" · "))),
    one.state !== "connected" && h("button", { class: "small", type: "button", onclick: again }, t("xiaozhi.again")),
    h("button", { class: "small quiet", type: "button", onclick: remove }, t("remove")));
}
