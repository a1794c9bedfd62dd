// @ts-check
/** Everything that is set up once: other pages, tokens, webhooks, exchange, and the way out. */

import * as api from "../api.js";
import { h } from "../dom.js";
import { icon } from "../icons.js";
import { open } from "../pages.js";
import { turnPushOff } from "../push.js";
import { t } from "../words.js";
import { exchangeCard } from "./exchange.js";
import { hookCard } from "./hooks.js";
import { tokenCard } from "./tokens.js";

/** @param {any} context */
export function page(context) {
  const { house, ringer, fail } = context;
  const links = open(house).filter((one) => one.name !== "more").map(({ name }) => h(
    "a", { class: "button", href: `#/${name}` }, icon(name), t(`page.${name}`),
  ));
  // Whoever uses this browser next must not read what rings for the one who leaves.
  const out = () => turnPushOff().then(() => api.remove("/session")).then(() => {
    ringer.tabs.tell({ out: true });
    location.assign("/login");
  }).catch(fail);
  return h("div", { class: "page" },
    h("header", { class: "page-head" }, h("h1", {}, t("page.more")), h("p", {}, t("more.who", { name: house.me?.name || t(`tokens.kind.${house.me?.kind}`) }))),
    h("section", { class: "card" }, h("h2", {}, t("menu")), h("div", { class: "row" }, links)),
    exchangeCard(context), tokenCard(context), hookCard(context),
    h("div", { class: "row" }, h("button", { type: "button", onclick: out }, t("logout"))));
}
