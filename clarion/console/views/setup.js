// @ts-check
/** The first start in five questions, answered in advance as far as this browser knows. */

import * as api from "../api.js";
import { field, h, select } from "../dom.js";
import { browserZone } from "../house.js";
import { language, speak, t } from "../words.js";
import { idOf } from "./forms.js";
import { zoneInput, zones } from "./zone.js";

const OVER = { "reminder.confirmed": "good", "reminder.timeout": "bad", "reminder.failed": "bad" };

/**
 * The tests under way, by what they try. The page may be drawn anew meanwhile: a person was added.
 * @type {Record<"ring" | "contact", {id: string, words: string, tone: string} | null>}
 */
const tests = { ring: null, contact: null };

/** @param {any} context */
export function page(context) {
  const { house, ringer, hear, fail, go } = context;
  const before = house.user;
  const states = {
    ring: h("p", { class: "summary", role: "status" }), contact: h("p", { class: "summary", role: "status" }),
  };
  const draw = () => {
    for (const what of /** @type {("ring" | "contact")[]} */ (["ring", "contact"])) {
      const test = tests[what];
      const words = { good: "setup.works", bad: "setup.fails" };
      states[what].className = `summary ${test?.tone ?? ""}`;
      states[what].textContent = test ? t(/** @type {any} */ (words)[test.tone] ?? test.words) : "";
    }
  };
  hear(["reminder."], (/** @type {any} */ event) => {
    const tone = /** @type {Record<string, string>} */ (OVER)[event.kind];
    for (const test of Object.values(tests)) if (tone && test?.id === event.subject) test.tone = tone;
    draw();
  });

  const name = h("input", { required: true, maxlength: "100", value: before?.name || t("me") });
  const tongue = select([["zh", t("language.zh")], ["en", t("language.en")]], before?.language ?? language());
  const zone = zoneInput(before?.zone ?? browserZone());
  const about = h("form", { class: "card stack", onsubmit: (/** @type {Event} */ e) => { e.preventDefault(); keep(); } },
    field(t("setup.name"), name), field(t("setup.language"), tongue), field(t("setup.zone"), zone), zones(),
    h("div", { class: "row" }, h("button", { class: "primary" }, t("setup.next"))));

  const keep = async () => {
    try {
      const wanted = { name: name.value, language: tongue.value, zone: zone.value };
      if (house.user) await api.patch(`/users/${house.user.id}`, wanted, house.user.version);
      else await api.post("/users", { id: idOf(name.value), ...wanted });
      await house.loadPeople();
      speak(tongue.value);
      house.changed();
    } catch (error) {
      fail(error);
    }
  };

  const rings = () => {
    const ring = async () => {
      try {
        await ringer.turnOn(house.user.id);
        await ready(ringer);
        await begin("ring", `/devices/${ringer.id}/test`, "setup.answer");
      } catch (error) {
        fail(error);
      }
    };
    return h("section", { class: "card stack" }, h("h2", {}, t("setup.ring")), h("p", {}, t("setup.ring_explain")),
      h("div", { class: "row" }, h("button", { class: "primary", type: "button", onclick: ring }, t("setup.ring_test"))),
      states.ring);
  };

  const contact = () => {
    const who = h("input", { required: true, maxlength: "100" });
    const address = h("input", { required: true, maxlength: "1000", placeholder: "ntfy://…" });
    /** @type {any} */
    let made = null;
    const tell = async (/** @type {Event} */ event) => {
      event.preventDefault();
      try {
        const body = { name: who.value, address: address.value };
        const owner = house.isAdmin ? { user_id: house.user.id } : {};
        made = made ? await api.patch(`/contacts/${made.id}`, body, "*") : await api.post("/contacts", { ...body, ...owner });
        await begin("contact", `/contacts/${made.id}/test`, "setup.told");
      } catch (error) {
        fail(error);
      }
    };
    return h("form", { class: "card stack", onsubmit: tell }, h("h2", {}, t("setup.contact")),
      h("p", {}, t("setup.contact_explain")), field(t("setup.contact_name"), who),
      field(t("contact.address"), address, t("contact.address_hint")),
      h("div", { class: "row" }, h("button", {}, t("setup.contact_test"))), states.contact);
  };

  /** @param {"ring" | "contact"} what @param {string} path @param {string} words */
  const begin = async (what, path, words) => {
    tests[what] = { id: (await api.post(path)).id, words, tone: "" };
    draw();
  };
  const end = () => h("div", { class: "row" },
    h("button", { class: "primary", type: "button", onclick: () => { house.changed(); go("today"); } }, t("setup.done")));

  draw();
  return h("div", { class: "page setup" },
    h("header", { class: "page-head" }, h("h1", {}, t("page.setup")), h("p", {}, t("setup.explain"))), about,
    before && [rings(), contact(), end()]);
}

/** Resolves when this browser's line is up. @param {any} ringer @returns {Promise<void>} */
function ready(ringer) {
  return new Promise((resolve) => {
    const look = () => {
      if (ringer.state !== "ready") return;
      ringer.watchers.delete(look);
      resolve();
    };
    ringer.watchers.add(look);
    look();
  });
}
