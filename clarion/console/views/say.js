// @ts-check
/** The one line to type or say a reminder, read back while it is typed. */

import * as api from "../api.js";
import { h } from "../dom.js";
import { browserZone } from "../house.js";
import { icon } from "../icons.js";
import { canListen, listen } from "../speech.js";
import { away, language, t } from "../words.js";

const PAUSE = 180; // milliseconds after the last letter; quicker only makes it flicker

/**
 * What is shown under the line: what was understood, or what is missing.
 * @param {any} preview @param {any} refusal @param {Date} now
 */
export function readback(preview, refusal, now) {
  if (refusal) return { tone: "hint", text: refusal.details?.readback || refusal.message };
  if (!preview) return { tone: "", text: "" };
  if (preview.missing) return { tone: "hint", text: t("say.unclear") };
  const first = preview.times[0];
  const parts = [
    preview.readback, first ? away(first, now) : "", preview.content,
    preview.confirm ? t("confirm.long") : "",
  ];
  return { tone: "good", text: parts.filter(Boolean).join(" · ") };
}

/** @param {any} context @param {() => void} done */
export function sayLine(context, done) {
  const { house, now, say, fail } = context;
  const heard = h("p", { class: "readback", role: "status", "aria-live": "polite" });
  const input = h(
    "input",
    {
      name: "text", type: "text", autocomplete: "off", maxlength: "500", enterkeyhint: "done",
      placeholder: t("say.placeholder"), "aria-label": t("say.label"), oninput: () => ask(),
    },
  );
  const button = h("button", { class: "primary", type: "submit" }, t("say.set"));
  let timer = 0;
  /** @type {AbortController | null} */
  let asking = null;

  const show = (/** @type {{tone: string, text: string}} */ what) => {
    heard.className = `readback ${what.tone}`;
    heard.textContent = what.text;
  };
  const ask = () => {
    clearTimeout(timer);
    asking?.abort();
    const text = input.value.trim();
    if (!text) return show({ tone: "", text: "" });
    timer = /** @type {any} */ (setTimeout(() => preview(text), PAUSE));
    return undefined;
  };
  const preview = async (/** @type {string} */ text) => {
    const mine = (asking = new AbortController());
    const body = { text, n: 1, unfinished: true, ...(house.user ? {} : { zone: browserZone() }), ...(house.isAdmin ? { user_id: house.user?.id ?? "me" } : {}) };
    try {
      show(
        readback(await api.call("POST", "/reminders/preview", { body, signal: mine.signal }), null, now()),
      );
    } catch (error) {
      if (!mine.signal.aborted) show(
        error instanceof api.Refusal && error.status ? { tone: "hint", text: t("say.unclear") } : {
          tone: "hint", text: t("offline.failed"),
        },
      );
    }
  };
  const submit = async (/** @type {Event} */ event) => {
    event.preventDefault();
    const text = input.value.trim();
    if (!text) return input.focus();
    button.disabled = true;
    clearTimeout(timer);
    asking?.abort();
    try {
      const user = await house.someone();
      await ringHereAtFirst(context, user);
      const made = await api.post(
        "/reminders/natural", { text, ...(house.isAdmin ? { user_id: user.id } : {}) }, api.newKey(),
      );
      input.value = "";
      show({ tone: "", text: "" });
      const alone = made.guarantee?.level === "nobody";
      say(
        [t("say.done", { when: made.readback }), made.guarantee?.sentence].filter(Boolean).join(" "),
        alone ? "bad" : "good",
      );
      done();
    } catch (error) {
      if (error instanceof api.Refusal && error.status === 422) show(readback(null, error, now()));
      else fail(error);
    }
    button.disabled = false;
    return undefined;
  };
  const speak = canListen() && mic(input, ask);
  const examples = ["say.example1", "say.example2", "say.example3"].map((key) =>
    h(
      "button",
      { class: "chip", type: "button", onclick: () => { input.value = t(key); input.focus(); ask(); } },
      t(key),
    ));
  return h("form", { class: "say card", onsubmit: submit },
    h("div", { class: "say-row" }, input, speak, button), heard, h("div", { class: "chips" }, examples));
}

/**
 * Somebody without any device would never hear it: this browser becomes their first. The click
 * that sets the reminder also lets the page make sound. To others it offers itself on the page.
 * @param {any} context @param {any} user
 */
async function ringHereAtFirst({ house, ringer, say }, user) {
  if (ringer.state !== "off") {
    ringer.sound.unlock();
    return ringer.ready(); // after a reload its line may still be being opened
  }
  const page = await api.get("/devices", { ...(house.isAdmin ? { user_id: user.id } : {}), limit: 1 });
  if (page.items.length) return undefined;
  await ringer.turnOn(user.id);
  await ringer.ready(); // else it would be set with the words that nobody can hear it
  return say(t("ring.here_now"));
}

/** @param {any} input @param {() => void} heard */
function mic(input, heard) {
  /** @type {(() => void) | null} */
  let stop = null;
  const button = h(
    "button", { class: "icon", type: "button", "aria-label": t("say.speak"), "aria-pressed": "false" },
    icon("mic"),
  );
  const end = () => {
    stop = null;
    button.setAttribute("aria-pressed", "false");
    heard();
  };
  button.addEventListener("click", () => {
    if (stop) return stop();
    button.setAttribute("aria-pressed", "true");
    stop = listen(language(), (text) => ((input.value = text), heard()), end);
    return undefined;
  });
  return button;
}
