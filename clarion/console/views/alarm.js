// @ts-check
/** What covers everything while this browser rings: who, what, two large answers, and a word. */

import { h, keyed } from "../dom.js";
import { icon } from "../icons.js";
import { canListen, listen } from "../speech.js";
import { language, t } from "../words.js";

const TITLE_BLINK = 1_000;
const HANDS_OFF = 900; // milliseconds in which somebody who is typing may not answer by accident

/** Which answer a key is, for what is not a field. @param {string} key */
export function verbOf(key) {
  if (key === "Enter" || key === " ") return "confirm";
  return key === "s" || key === "S" ? "snooze" : null;
}

/** Whether a key that is pressed there belongs to a text. @param {any} element */
const isTyping = (element) => Boolean(element?.matches?.("input, textarea, select, [contenteditable]"));

/** @param {any} context */
export function alarm(context) {
  const { ringer, fail } = context;
  const list = h("ol", { class: "rings" });
  const mute = h(
    "button", { class: "quiet unmute", type: "button", onclick: () => ringer.wake() }, icon("ring"), t("ring.unmute"),
  );
  const dialog = h("dialog", { class: "alarm", "aria-label": t("ring.alarm") },
    h("div", { class: "alarm-head" }, h("span", { class: "swing" }, icon("bell")), mute), list, answerLine(context));
  let opened = 0;
  const press = (/** @type {any} */ one, /** @type {any} */ verb) => ringer.press(one.reminder, verb).catch(fail);
  const draw = () => {
    const { now } = ringer.rings;
    mute.hidden = !ringer.sound.isMuted || (ringer.state === "elsewhere" && !ringer.leaderMuted);
    keyed(list, now, (/** @type {any} */ one) => one.reminder, (one) => ring(context, one, press));
    if (now.length && !dialog.open) open();
    else if (!now.length && dialog.open) shut();
    else if (dialog.open && !dialog.contains(document.activeElement)) first()?.focus();
  };
  const shut = () => {
    dialog.close();
    dialog.remove();
  };
  const first = () => dialog.querySelector(".rings button");
  const open = () => {
    const busy = isTyping(document.activeElement) && /** @type {any} */ (document.activeElement).value;
    opened = performance.now() + (busy ? HANDS_OFF : 0);
    document.body.append(dialog);
    dialog.showModal();
    first()?.focus();
  };
  dialog.addEventListener("cancel", (/** @type {Event} */ event) => {
    event.preventDefault(); // Escape silences it; only an answer ends it
    ringer.touch();
  });
  dialog.addEventListener("pointerdown", () => ringer.touch());
  dialog.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
    if (performance.now() < opened) return event.preventDefault();
    ringer.touch();
    const verb = verbOf(event.key);
    if (!verb || isTyping(event.target) || event.repeat) return undefined;
    const row = /** @type {any} */ (event.target).closest?.("[data-key]") ?? list.firstElementChild;
    const pressed = /** @type {any} */ (event.target).closest?.("button");
    if (pressed && verb === "confirm") return undefined; // the button does what it says
    const one = ringer.rings.now.find((/** @type {any} */ other) => other.reminder === row?.getAttribute("data-key"));
    if (!one) return undefined;
    event.preventDefault();
    return press(one, verb);
  });
  ringer.watchers.add(draw);
  return { draw, close: () => { ringer.watchers.delete(draw); dialog.remove(); } };
}

/** @param {any} context @param {any} one @param {(one: any, verb: string) => void} press */
function ring({ house }, one, press) {
  const who = house.userName(one.user);
  return h("li", {},
    h("p", { class: "for" }, who === t("me") ? "" : who),
    h("h2", {}, one.content),
    one.text && h("p", { class: "spoken" }, one.text),
    h("div", { class: "answers" },
      h("button", { class: "primary", type: "button", onclick: () => press(one, "confirm") }, icon("check"), t("ring.done")),
      h("button", { type: "button", onclick: () => press(one, "snooze") }, icon("later"), t("ring.later"), h("kbd", {}, "S"))));
}

/** @param {any} context */
function answerLine({ ringer, say }) {
  const input = h("input", {
    type: "text", name: "alarm-answer", maxlength: "500", autocomplete: "off",
    "aria-label": t("ring.type"), placeholder: t("ring.type"),
  });
  const answer = (/** @type {string} */ text) => {
    if (!text) return;
    if (ringer.answer(text)) input.value = "";
    else say(t("ring.no_line"), "bad");
  };
  return h("form", {
    class: "say-row answer",
    onsubmit: (/** @type {Event} */ e) => { e.preventDefault(); answer(input.value.trim()); },
  }, input, canListen() && micButton(input, ringer, answer), h("button", { class: "quiet" }, t("ring.send")));
}

/** @param {any} input @param {any} ringer @param {(text: string) => void} answer */
export function micButton(input, ringer, answer) {
  const button = h(
    "button", { class: "icon", type: "button", "aria-label": t("say.speak"), "aria-pressed": "false" }, icon("mic"),
  );
  button.addEventListener("click", () => {
    button.setAttribute("aria-pressed", "true");
    ringer.touch();
    ringer.sound.stop();
    listen(
      language(), (text) => (input.value = text),
      (text) => { button.setAttribute("aria-pressed", "false"); answer(text.trim()); },
    );
  });
  return button;
}

/** The tab says so too. @param {any} ringer */
export function blinkTitle(ringer) {
  let plain = "";
  setInterval(() => {
    const [first] = ringer.rings.now;
    const marked = document.title.startsWith("🔔");
    if (first && !marked) {
      plain = document.title;
      document.title = `🔔 ${first.content}`;
    } else if (marked) {
      document.title = plain;
    }
  }, TITLE_BLINK);
}
