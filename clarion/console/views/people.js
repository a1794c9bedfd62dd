// @ts-check
/** People and devices: who is looked after, who is told, and where it rings. */

import * as api from "../api.js";
import { opens } from "../dialogs.js";
import { h, keyed } from "../dom.js";
import { calledBy, isChat } from "../house.js";
import { away, between, clock, dayKey, span, t } from "../words.js";
import { absenceOf, editAbsence } from "./absence.js";
import { editContact } from "./contact.js";
import { editDevice, editUser, logInAs, newUser } from "./forms.js";
import { calling, consentOf, inviteAgain, quietOrAway } from "./oncall.js";
import { openReminder } from "./reminder.js";
import { soon } from "./today.js";

/** The letter that stands for somebody. @param {any} user */
export const letter = (user) => [...(calledBy(user) || "?")][0].toUpperCase();

/** @param {any} context */
export function page(context) {
  const { house, hear, every, fail } = context;
  const people = h("div", { class: "stack" });
  const chats = h("div", { class: "stack" });
  const count = h("summary", {});
  const rest = h("details", { class: "rest", hidden: true }, count, chats);
  const codes = h("section", { class: "card", hidden: true });
  const load = async () => {
    const users = house.users; // they may change while we ask
    const ofEach = (/** @type {string} */ path) => Promise.all(
      users.map((/** @type {any} */ user) => api.get(path, house.isAdmin ? { user_id: user.id } : {})),
    );
    const [devices, ladders, duty] = await Promise.all(
      [api.all("/devices"), ofEach("/contacts"), ofEach("/oncall")],
    );
    const whole = users.map((/** @type {any} */ user, /** @type {number} */ index) => ({
      user,
      devices: devices.filter((one) => one.user_id === user.id),
      contacts: ladders[index].items,
      onCall: duty[index].items,
    }));
    const draw = (/** @type {any} */ place, /** @type {any[]} */ some) => keyed(
      place, some, (one) => one.user.id, (one) => card(context, one, reload),
    );
    draw(people, whole.filter((/** @type {any} */ one) => !isChat(one.user)));
    const talked = whole.filter((/** @type {any} */ one) => isChat(one.user));
    draw(chats, talked);
    rest.hidden = talked.length === 0;
    count.textContent = t("people.chats", { n: talked.length });
  };
  const loadCodes = async () => {
    if (!house.isAdmin) return;
    const found = await api.get("/devices/activations");
    codes.hidden = found.items.length === 0;
    codes.replaceChildren(h("h2", {}, t("codes.title")), h("p", { class: "hint" }, t("codes.explain")),
      h(
        "ul", { class: "plain" }, found.items.map((/** @type {any} */ one) => waiting(context, one, reload)),
      ));
  };
  const reload = () => Promise.all([load(), loadCodes()]).catch(fail);
  hear(["device.", "contact.", "rotation.", "user."], soon(reload));
  every(() => loadCodes().catch(() => {}), 5_000); // a device that shows its code is waited for now
  reload();
  return h("div", { class: "page" },
    h("header", { class: "page-head" }, h("h1", {}, t("page.people")), h("p", {}, t("people.explain"))),
    house.isAdmin && h(
      "div", { class: "row" },
      h(
        "button", { class: "primary", type: "button", ...opens("person-new", () => newUser(context, reload)) },
        t("people.add"),
      ),
    ),
    !house.users.length && h("p", { class: "empty" }, t("people.none")),
    codes, people, rest);
}

/** @param {any} context @param {any} whole @param {() => void} reload */
function card(context, whole, reload) {
  const { now, house } = context;
  const { user, devices, contacts } = whole;
  const quiet = user.quiet ? t("quiet.hours", { hours: between(user.quiet) }) : t("quiet.none");
  return h("section", { class: "card" },
    h("div", { class: "who" }, h("span", { class: "face", "aria-hidden": "true" }, letter(user)),
      h(
        "div", { class: "what" }, h("h2", {}, calledBy(user)),
        h(
          "small", {},
          `${user.zone} · ${clock(now(), user.zone)} · ${t(`language.${user.language}`)} · ${quiet}`,
        ),
        absenceOf(user, now()) && h("span", { class: "pill ring" }, absenceOf(user, now())),
      ),
      h("button", { class: "small", type: "button", ...opens(`person:${user.id}`, () => editUser(context, user)) }, t("edit")),
      h("button", { class: "small quiet", type: "button", ...opens(`absence:${user.id}`, () => editAbsence(context, user)) }, t("absence.button")),
      house.isAdmin && h(
        "button", { class: "small quiet", type: "button", onclick: () => logInAs(context, user) },
        t("people.login"),
      )),
    h("div", { class: "grid2" },
      h("div", {}, h("h3", {}, t("devices.title")),
        h("ul", { class: "plain" }, devices.map((/** @type {any} */ one) => device(context, one, reload))),
        !devices.length && h("p", { class: "hint" }, t("devices.none")),
        h(
          "button",
          { class: "small quiet", type: "button", ...opens(`device-new:${user.id}`, () => editDevice(context, user, null, reload)) },
          t("devices.add"),
        )),
      h("div", {}, h("h3", {}, t("contacts.title")),
        h(
          "ol", { class: "plain ladder" },
          contacts.map((/** @type {any} */ one) => contact(context, user, one, reload)),
        ),
        !contacts.length && h("p", { class: "hint" }, t("contacts.none")),
        h(
          "button",
          { class: "small quiet", type: "button", ...opens(`contact-new:${user.id}`, () => editContact(context, user, null, reload)) },
          t("contacts.add"),
        ),
        calling(context, whole, reload))));
}

/** @param {any} context @param {any} one @param {() => void} reload */
function device(context, one, reload) {
  const { now } = context;
  const seen = one.online ? t("device.online") : one.last_seen ? t(
    "device.seen", { away: away(one.last_seen, now()) },
  ) : t("device.never");
  const proved = one.proved_at ? ` · ${t("device.proved", { away: away(one.proved_at, now()) })}` : "";
  const state = one.enabled ? `${seen}${proved}` : t("device.off");
  const test = () => api.post(`/devices/${one.id}/test`)
    .then((made) => openReminder(context, made.id)).catch(context.fail);
  return h("li", { class: "device" },
    h("div", { class: "what" }, h("strong", {}, one.name || t(`kind.${one.kind}`)),
      h(
        "small", { class: `online ${one.online && one.enabled ? "yes" : ""}` },
        `${t(`kind.${one.kind}`)} · ${state}`,
      )),
    one.enabled && h(
      "button",
      {
        class: "small quiet", type: "button", "aria-label": `${t("device.test")}: ${one.name || one.kind}`,
        onclick: test,
      },
      t("device.test"),
    ),
    h(
      "button",
      {
        class: "small quiet", type: "button", "aria-label": `${t("edit")}: ${one.name || one.kind}`,
        ...opens(`device:${one.id}`, () => editDevice(context, null, one, reload)),
      },
      t("edit"),
    ));
}

/** @param {any} context @param {any} user @param {any} one @param {() => void} reload */
function contact(context, user, one, reload) {
  const { now } = context;
  const proved = one.proved_at ? t("contact.proved", { away: away(one.proved_at, now()) }) : t("contact.untested");
  const told = one.delay ? t("contact.after", { span: span(one.delay) }) : t("contact.at_once");
  const state = [told, proved, quietOrAway(one, dayKey(now(), user.zone))].filter(Boolean).join(" · ");
  const test = () => api.post(`/contacts/${one.id}/test`)
    .then((made) => openReminder(context, made.id)).catch(context.fail);
  return h("li", { class: "contact" },
    h("div", { class: "what" }, h("strong", {}, one.name), h("small", {}, consentOf(one) || state)),
    one.consent === "asked" && h(
      "button",
      { class: "small quiet", type: "button", "aria-label": `${t("consent.again")}: ${one.name}`, onclick: () => inviteAgain(context, one) },
      t("consent.again"),
    ),
    one.consent === "agreed" && h(
      "button",
      { class: "small quiet", type: "button", "aria-label": `${t("device.test")}: ${one.name}`, onclick: test },
      t("device.test"),
    ),
    h(
      "button",
      {
        class: "small quiet", type: "button", "aria-label": `${t("edit")}: ${one.name}`,
        ...opens(`contact:${one.id}`, () => editContact(context, user, one, reload)),
      },
      t("edit"),
    ));
}

/** @param {any} context @param {any} one @param {() => void} reload */
function waiting({ house, say, fail, now }, one, reload) {
  const who = h(
    "select", { "aria-label": t("person.choose") },
    house.users.map((/** @type {any} */ user) => h("option", { value: user.id }, calledBy(user))),
  );
  const name = h(
    "input", { "aria-label": t("device.name"), placeholder: t("device.name"), maxlength: "100" },
  );
  const accept = () => api.post(
    `/devices/activations/${one.code}`, { user_id: who.value, name: name.value },
  ).then(() => say(t("codes.done"), "good")).catch(fail).finally(reload);
  const refuse = () => api.remove(`/devices/activations/${one.code}`).catch(fail).finally(reload);
  return h("li", { class: "device" }, h("span", { class: "code" }, one.code),
    h(
      "div", { class: "what" }, h("strong", {}, one.hardware),
      h("small", {}, t("codes.asked", { away: away(one.asked_at, now()) })),
    ),
    h("div", { class: "row" }, who, name,
      h("button", { class: "primary small", type: "button", onclick: accept }, t("codes.accept")),
      h("button", { class: "small danger", type: "button", onclick: refuse }, t("codes.refuse"))));
}
