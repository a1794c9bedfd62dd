// @ts-check
/** What stands around every page: the menu, whom it is about, language, light. */

import { h, select } from "./dom.js";
import { isChat, prefs } from "./house.js";
import { icon } from "./icons.js";
import { open } from "./pages.js";
import { language, speak, t } from "./words.js";

const GROUPS = ["people", "operations"];

/** @param {Element} nav @param {import("./house.js").House} house @param {string} current */
export function drawMenu(nav, house, current) {
  const may = open(house).filter((one) => one.group && (one.when?.(house) ?? true));
  const link = (/** @type {any} */ { name }) => h(
    "a", { href: `#/${name}`, "aria-current": name === current && "page" }, icon(name), h("span", {}, t(`nav.${name}`)),
  );
  const groups = GROUPS.map((group) => {
    const links = may.filter((one) => one.group === group).map(link);
    return links.length > 0 && h("div", { class: "group" }, h("small", {}, t(`nav.group.${group}`)), links);
  });
  nav.setAttribute("aria-label", t("menu"));
  nav.replaceChildren(...groups.filter(Boolean));
}

/** @param {import("./house.js").House} house @param {() => void} redraw */
export function drawHead(house, redraw) {
  const name = (/** @type {any} */ one) => (isChat(one) ? `# ${one.name || one.id}` : one.name || one.id);
  const person = house.users.length > 1 && select(house.users.map((one) => [one.id, name(one)]), house.user?.id ?? "", {
    "aria-label": t("person.choose"), class: "person",
    onchange: (/** @type {any} */ event) => house.choose(event.target.value),
  });
  const other = language() === "zh" ? "en" : "zh";
  const choose = () => {
    prefs.set("language", other);
    speak(other);
    redraw();
  };
  const tongue = h(
    "button", { class: "icon", type: "button", lang: other, "aria-label": t("language.other"), onclick: choose },
    other === "en" ? "EN" : "中",
  );
  const theme = h(
    "button", { class: "icon", type: "button", "aria-label": t("theme.toggle"), onclick: toggleTheme }, icon("theme"),
  );
  return h("header", { class: "top" },
    h("a", { class: "brand", href: "#/today", "aria-label": "Clarion" }, icon("bell"), h("span", {}, "Clarion")),
    h("span", { class: "grow" }), person, tongue, theme);
}

function toggleTheme() {
  const dark = matchMedia("(prefers-color-scheme: dark)").matches;
  const is = document.documentElement.dataset.theme ?? (dark ? "dark" : "light");
  const next = is === "dark" ? "light" : "dark";
  document.documentElement.dataset.theme = next;
  prefs.set("theme", next);
}
