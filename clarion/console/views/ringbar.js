// @ts-check
/** What is seen on every page while this browser rings: the words and two large buttons. */

import { h } from "../dom.js";
import { icon } from "../icons.js";
import { language, t } from "../words.js";

const TITLE_BLINK = 1_000;

/** @param {any} context */
export function ringBar(context) {
  const { ringer } = context;
  const place = h("section", { class: "ringbar", "aria-live": "assertive", hidden: true });
  let drawn = "";
  const draw = () => {
    const now = ringer.ringing;
    const state = now ? `${language()} ${now.text} ${now.since}` : "";
    place.hidden = !now;
    if (state === drawn) return;
    drawn = state;
    place.replaceChildren(...(now ? inside(context, now.text) : []));
  };
  ringer.watchers.add(draw);
  draw();
  return place;
}

/** @param {any} context @param {string} text */
function inside({ ringer, fail }, text) {
  const press = (/** @type {"confirm" | "snooze"} */ verb) => () => ringer.press(verb).catch(fail);
  return [
    h("span", { class: "swing" }, icon("bell")),
    h("p", {}, text || t("ring.begins")),
    h("div", { class: "row" },
      h(
        "button", { class: "primary", type: "button", onclick: press("confirm") }, icon("check"),
        t("ring.done"),
      ),
      h("button", { type: "button", onclick: press("snooze") }, icon("later"), t("ring.later")),
      h("a", { class: "button", href: "#/ring" }, t("ring.talk"))),
  ];
}

/** The tab says so too. @param {any} ringer */
export function blinkTitle(ringer) {
  let plain = "";
  setInterval(() => {
    const ringing = Boolean(ringer.ringing);
    const marked = document.title.startsWith("🔔");
    if (ringing && !marked) {
      plain = document.title;
      document.title = `🔔 ${ringer.ringing.text || plain}`;
    } else if (marked) {
      document.title = plain;
    }
  }, TITLE_BLINK);
}
