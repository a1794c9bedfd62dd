// @ts-check
/** Ring me here: this browser as a device, and the conversation with it. */

import { h, keyed, select } from "../dom.js";
import { icon } from "../icons.js";
import { canListen, listen } from "../speech.js";
import { clock, language, t } from "../words.js";

/** @param {any} context */
export function page(context) {
  const { house, ringer, onClose, fail } = context;
  const lines = h("ol", { class: "talk", "aria-live": "polite", "aria-label": t("ring.conversation") });
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
    house.users.map((/** @type {any} */ one) => [one.id, one.name || one.id]),
    ringer.userId || house.user?.id || "", { "aria-label": t("ring.for") },
  );
  const form = h(
    "form",
    {
      class: "say-row answer",
      onsubmit: (/** @type {Event} */ e) => { e.preventDefault(); answer(input.value.trim()); },
    },
    input, canListen() && mic(), h("button", { class: "primary" }, t("ring.send")),
  );

  const answer = (/** @type {string} */ text) => {
    if (!text) return;
    if (ringer.answer(text)) input.value = "";
    else context.say(t("ring.no_line"), "bad");
  };
  toggle.addEventListener("click", async () => {
    try {
      if (ringer.state === "off" || ringer.state === "elsewhere") {
        if (ringer.state === "elsewhere") ringer.turnOff();
        const user = await house.someone();
        await ringer.turnOn(person ? person.value : user.id);
      } else ringer.turnOff();
    } catch (error) {
      fail(error);
    }
  });
  function mic() {
    const button = h(
      "button", { class: "icon", type: "button", "aria-label": t("say.speak"), "aria-pressed": "false" },
      icon("mic"),
    );
    button.addEventListener("click", () => {
      button.setAttribute("aria-pressed", "true");
      ringer.sound.stop();
      listen(
        language(), (text) => (input.value = text),
        (text) => { button.setAttribute("aria-pressed", "false"); answer(text.trim()); },
      );
    });
    return button;
  }
  const draw = () => {
    const on = ringer.state !== "off" && ringer.state !== "elsewhere";
    lamp.className = `lamp ${ringer.ringing ? "ringing" : ringer.state}`;
    lamp.replaceChildren(icon(ringer.ringing ? "ring" : "bell"));
    state.textContent = t(
      `ring.state.${ringer.ringing ? "ringing" : ringer.state}`, { name: house.userName(ringer.userId) },
    );
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
    h("section", { class: "card" }, h("h2", {}, t("ring.conversation")), lines, form,
      canListen() && h("p", { class: "hint" }, t("ring.privacy"))));
}

/** @param {import("../device.js").Line} one */
function line(one) {
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  return h("li", { class: `bubble ${one.who}` }, h("p", {}, one.text), h("time", {}, clock(one.at, zone)));
}
