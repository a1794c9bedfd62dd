// @ts-check
/** Ring me here: this browser as a device, and the conversation with it. */

import { h, keyed, select } from "../dom.js";
import { calledBy } from "../house.js";
import { icon } from "../icons.js";
import { canPush, isPushed, turnPushOff, turnPushOn } from "../push.js";
import { canListen } from "../speech.js";
import { clock, t } from "../words.js";
import { micButton } from "./alarm.js";

/** @param {any} context */
export function page(context) {
  const { house, ringer, onClose, fail } = context;
  const lines = h("ol", { class: "talk", tabindex: "0", "aria-live": "polite", "aria-label": t("ring.conversation") });
  const lamp = h("div", { class: "lamp" });
  const state = h("p", { class: "summary", role: "status" });
  const toggle = h("button", { class: "primary", type: "button" });
  const input = h(
    "input",
    {
      type: "text", name: "answer", maxlength: "500", autocomplete: "off", "aria-label": t("ring.type"),
      placeholder: t("ring.type"),
    },
  );
  const person = house.users.length > 1 && select(
    house.users.map((/** @type {any} */ one) => [one.id, calledBy(one)]),
    ringer.userId || house.user?.id || "", { "aria-label": t("ring.for") },
  );
  const form = h(
    "form",
    {
      class: "say-row answer",
      onsubmit: (/** @type {Event} */ e) => { e.preventDefault(); answer(input.value.trim()); },
    },
    input, canListen() && micButton(input, ringer, (text) => answer(text)), h("button", { class: "primary" }, t("ring.send")),
  );

  const answer = (/** @type {string} */ text) => {
    if (!text) return;
    if (ringer.answer(text)) input.value = "";
    else context.say(t("ring.no_line"), "bad");
  };
  const wanted = async () => (person ? person.value : (await house.someone()).id);
  toggle.addEventListener("click", async () => {
    try {
      if (ringer.state === "off") await ringer.turnOn(await wanted());
      else ringer.turnOff();
    } catch (error) {
      fail(error);
    }
  });
  const push = canPush() && pushButton(context, wanted);
  const draw = () => {
    const on = ringer.state !== "off";
    const rings = ringer.rings.now.length > 0;
    const look = rings ? "ringing" : ringer.state;
    lamp.className = `lamp ${look}`;
    lamp.replaceChildren(icon(rings ? "ring" : "bell"));
    state.textContent = t(`ring.state.${look}`, { name: house.userName(ringer.userId) });
    toggle.textContent = t(on ? "ring.off" : "ring.on");
    toggle.className = on ? "quiet" : "primary";
    form.hidden = !on;
    muted.hidden = !(on && ringer.sound.isMuted);
    if (person) person.disabled = on;
    keyed(lines, ringer.lines, (one) => `${one.at.getTime()} ${one.text}`, line);
    lines.scrollTop = lines.scrollHeight;
  };
  const muted = h(
    "button",
    {
      class: "quiet", type: "button", hidden: true,
      onclick: () => { ringer.sound.unlock(); ringer.sound.chime(); setTimeout(draw, 200); },
    },
    t("ring.unmute"),
  );
  ringer.watchers.add(draw);
  onClose(() => ringer.watchers.delete(draw));
  queueMicrotask(draw);
  return h("div", { class: "page ring" },
    h("header", { class: "page-head" }, h("h1", {}, t("page.ring"))),
    h(
      "section", { class: "card center" }, lamp, state, h("p", { class: "hint" }, t("ring.explain")),
      h("div", { class: "row middle" }, person, toggle, muted),
    ),
    h("section", { class: "card" }, h("h2", {}, t("push.title")),
      h("p", { class: "hint" }, t(canPush() ? "push.explain" : "push.needs")), push),
    h("section", { class: "card" }, h("h2", {}, t("ring.conversation")), lines, form,
      canListen() && h("p", { class: "hint" }, t("ring.privacy"))));
}

/** @param {any} context @param {() => Promise<string>} wanted for whom */
function pushButton({ house, fail, say }, wanted) {
  const button = h("button", { type: "button" });
  const draw = () => {
    button.textContent = t(isPushed() ? "push.off" : "push.on");
    button.className = isPushed() ? "quiet" : "primary";
  };
  button.addEventListener("click", async () => {
    button.disabled = true;
    try {
      if (isPushed()) await turnPushOff();
      else {
        await turnPushOn(house, await wanted());
        say(t("push.done"), "good");
      }
    } catch (error) {
      fail(error);
    }
    button.disabled = false;
    draw();
  });
  draw();
  return button;
}

/** @param {import("../device.js").Line} one */
function line(one) {
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  return h("li", { class: `bubble ${one.who}` }, h("p", {}, one.text), h("time", {}, clock(one.at, zone)));
}
