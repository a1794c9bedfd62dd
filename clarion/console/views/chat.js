// @ts-check
/** The console's own chat: commands and conversation as in Telegram, without a token of theirs. */

import * as api from "../api.js";
import { h, keyed } from "../dom.js";
import { clock, language, t } from "../words.js";
import { soon } from "./today.js";

/** The console's own chats, from the rules that there are. @param {any[]} rules @param {string} main */
export function chatsOf(rules, main = "console:main") {
  const known = rules.filter((one) => one.chat_id.startsWith("console:")).map((one) => one.chat_id);
  return [...new Set([main, ...known])];
}

/** @param {any} context */
export function page(context) {
  const { house, hear, every, fail } = context;
  let chat = "console:main";
  const lines = h("ol", { class: "talk", tabindex: "0", "aria-live": "polite", "aria-label": t("page.chat") });
  const none = h("p", { class: "empty" }, t("chat.none"));
  const input = h(
    "input",
    {
      name: "message", type: "text", maxlength: "4000", autocomplete: "off", "aria-label": t("chat.type"),
      placeholder: t("chat.type"),
    },
  );
  const picker = h("div", { class: "chips", role: "group", "aria-label": t("chat.which") });

  const load = async () => {
    const found = await api.get("/chat/messages", { chat_id: house.isAdmin ? chat : undefined, limit: 80 });
    const atEnd = lines.scrollTop + lines.clientHeight >= lines.scrollHeight - 40;
    none.hidden = found.items.length > 0;
    keyed(lines, found.items, (one) => one.id, (one) => bubble(one, press));
    if (atEnd) lines.scrollTop = lines.scrollHeight;
  };
  const loadChats = async () => {
    if (!house.isAdmin) return;
    const rules = await api.get("/rules");
    const chats = chatsOf(rules.items);
    picker.replaceChildren(
      ...(
        chats.length < 2 ? [] : chats.map(
          (one) => h(
            "button",
            {
              type: "button", class: "chip", "aria-pressed": String(one === chat),
              onclick: () => { chat = one; lines.replaceChildren(); loadChats(); reload(); },
            },
            one.slice(8),
          ),
        )
      ),
    );
  };
  const say = (/** @type {any} */ body) =>
    api.post(
      "/chat/messages", { ...(house.isAdmin ? { chat_id: chat } : {}), language: language(), ...body },
    ).then(reload).catch(fail);
  const press = (/** @type {any} */ line, /** @type {string} */ button) => say(
    { button, message_id: line.id },
  );
  const send = (/** @type {Event} */ event) => {
    event.preventDefault();
    const text = input.value.trim();
    if (!text) return;
    input.value = "";
    lines.scrollTop = lines.scrollHeight;
    say({ text });
  };
  const reload = soon(() => load().catch(fail), 60);
  hear(["chat.", "reminder.", "rule."], reload);
  every(reload, 2_500);
  reload();
  loadChats().catch(fail);
  const examples = ["chat.example1", "chat.example2", "chat.example3"].map((key) =>
    h(
      "button", { class: "chip", type: "button", onclick: () => { input.value = t(key); input.focus(); } },
      t(key),
    ));
  return h("div", { class: "page chat" },
    h("header", { class: "page-head" }, h("h1", {}, t("page.chat")), h("p", {}, t("chat.explain"))),
    h("section", { class: "card" }, picker, none, lines,
      h(
        "form", { class: "say-row answer", onsubmit: send }, input,
        h("button", { class: "primary" }, t("ring.send")),
      ),
      h("div", { class: "chips" }, examples)));
}

/** @param {any} line @param {(line: any, button: string) => void} press */
function bubble(line, press) {
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const buttons = line.buttons.map(
    ([label, data]) => h(
      "button", { class: "small", type: "button", onclick: () => press(line, data) }, label,
    ),
  );
  return h("li", { class: `bubble ${line.mine ? "me" : "clarion"}` }, h("p", {}, line.text),
    buttons.length > 0 && h("div", { class: "row" }, buttons),
    h("time", { datetime: line.at }, clock(line.at, zone)));
}
