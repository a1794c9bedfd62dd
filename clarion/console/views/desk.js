// @ts-check
/** What a dispatcher does by hand: report an event, keep teams, ask what if. */

import * as api from "../api.js";
import { formDialog, openDialog } from "../dialogs.js";
import { field, h, select } from "../dom.js";
import { canListen, listen } from "../speech.js";
import { BOOKS, language, span, t } from "../words.js";
import { capability, etaOf } from "./schemes.js";

const KINDS = ["car", "boat", "helicopter", "foot"];

/** A capability's own name from the screen's words for it, or from what it is called elsewhere. @param {string} said */
function capabilityOf(said) {
  const key = Object.keys(BOOKS[language()]).find((one) => one.startsWith("cap.") && t(one) === said.toLowerCase());
  return key ? key.slice("cap.".length) : said.replaceAll(" ", "_");
}

/** `medical 2, search` means two medics and one searcher; null when it cannot be read.
 * @param {string} text @returns {Record<string, number> | null} */
export function amounts(text) {
  /** @type {Record<string, number>} */
  const found = {};
  for (const part of text.split(/[,，、;；]/).map((one) => one.trim()).filter(Boolean)) {
    const match = /^([\p{L}\p{N}_ -]+?)(?:\s*[x×=:]?\s*(\d{1,5}))?$/u.exec(part);
    if (!match) return null;
    found[capabilityOf(match[1])] = Number(match[2] ?? 1);
  }
  return found;
}

/** @param {Record<string, number>} found */
const written = (found) => Object.entries(found).map(([name, n]) => `${capability(name)} ${n}`).join(t("list.comma"));

/** @param {any} place */
function placeFields(place) {
  const number = (/** @type {number} */ most, /** @type {any} */ value) => h("input", {
    type: "number", step: "any", required: true, min: -most, max: most, value: value ?? "",
  });
  const f = { latitude: number(90, place?.latitude), longitude: number(180, place?.longitude) };
  const shown = h("div", {}, h("div", { class: "grid2" }, field(t("desk.latitude"), f.latitude),
    field(t("desk.longitude"), f.longitude)), h("small", {}, t("desk.place.hint")));
  const value = () => ({ latitude: Number(f.latitude.value), longitude: Number(f.longitude.value) });
  return { shown, value };
}

/** Somebody speaks: this browser writes it down, or the server does from a recording.
 * @param {any} context @param {any} text where the words go @param {boolean} hears whether the server can
 * @param {() => void} changed */
function speaking({ fail }, text, hears, changed) {
  const put = (/** @type {string} */ words) => { text.value = words; changed(); };
  const sent = (/** @type {Blob} */ sound) => api.call("POST", "/ai/reports/hear", { body: sound, kind: sound.type || "audio/webm" })
    .then((found) => put([text.value, found.text].filter(Boolean).join(" "))).catch(fail);
  /** @type {(() => void) | null} */
  let stop = null;
  const ended = () => { stop = null; speak.setAttribute("aria-pressed", "false"); speak.textContent = t("desk.speak"); };
  const begin = async () => {
    if (canListen()) return listen(language(), put, ended);
    const microphone = await navigator.mediaDevices.getUserMedia({ audio: true });
    const recorder = new MediaRecorder(microphone);
    /** @type {Blob[]} */
    const parts = [];
    recorder.ondataavailable = (part) => parts.push(part.data);
    recorder.onstop = () => {
      for (const track of microphone.getTracks()) track.stop();
      ended();
      sent(new Blob(parts, { type: recorder.mimeType }));
    };
    recorder.start();
    return () => recorder.stop();
  };
  const speak = h("button", { type: "button", class: "small", "aria-pressed": "false", onclick: async () => {
    if (stop) return stop();
    speak.setAttribute("aria-pressed", "true");
    speak.textContent = t("desk.speak.stop");
    try {
      stop = await begin();
    } catch (error) {
      ended();
      fail(new api.Refusal(400, { message: t("desk.speak.none") }));
    }
    return undefined;
  } }, t("desk.speak"));
  const file = h("input", { type: "file", accept: "audio/*", onchange: () => file.files?.[0] && sent(file.files[0]) });
  return h("div", { class: "row" }, (canListen() || hears) && speak, hears && field(t("desk.speak.file"), file));
}

/** Free words are read by the server, said back, and kept when the person says yes.
 * @param {any} context @param {any} place @param {boolean} hears @param {(event: string) => void} kept */
export function reportEvent(context, place, hears, kept) {
  const { fail, say } = context;
  const text = h("textarea", { required: true, maxlength: "5000", rows: "3" });
  const where = placeFields(place);
  const back = h("p", { class: "said", role: "status" });
  const keep = h("button", { class: "primary", type: "button", hidden: true }, t("desk.report.keep"));
  /** @type {any} */
  let read = null;
  const changed = () => { read = null; back.textContent = ""; keep.hidden = true; };
  const ask = (/** @type {Event} */ event) => {
    event.preventDefault();
    const body = { report: text.value, place: where.value(), language: language() };
    api.post("/ai/reports/read", body).then((found) => {
      read = found.event;
      back.textContent = found.said;
      keep.hidden = false;
      keep.focus();
    }).catch(fail);
  };
  keep.addEventListener("click", () => {
    keep.disabled = true;
    api.post("/ai/generate-scheme", { event: read, approval: true })
      .then((run) => { dialog.close(); say(t("desk.report.kept"), "good"); kept(run.event_id); })
      .catch(fail).finally(() => { keep.disabled = false; });
  });
  const form = h("form", { class: "stack", onsubmit: ask, oninput: changed },
    field(t("desk.report.text"), text), speaking(context, text, hears, changed), where.shown,
    h("div", { class: "row" }, h("button", {}, t("desk.report.read"))), back, keep);
  const dialog = openDialog(t("desk.report"), [form]);
}

/** @param {any} context @param {any} team null: a new one @param {any} place @param {() => void} again */
export function teamForm(context, team, place, again) {
  const f = {
    id: h("input", { required: true, maxlength: "128", value: team?.id ?? "", disabled: Boolean(team) }),
    name: h("input", { required: true, maxlength: "200", value: team?.name ?? "" }),
    can: h("input", { required: true, value: team ? written(team.capabilities) : "" }),
    kind: select(KINDS.map((one) => [one, t(`desk.kind.${one}`)]), team?.kind ?? "car"),
    person: h("input", { maxlength: "128", value: team?.user_id ?? "" }),
  };
  const where = placeFields(team?.place ?? place);
  const save = () => {
    const capabilities = amounts(f.can.value);
    if (!capabilities) return Promise.reject(new api.Refusal(0, { message: t("desk.team.can") }));
    const body = {
      name: f.name.value, capabilities, kind: f.kind.value, place: where.value(), user_id: f.person.value || null,
    };
    return team ? api.call("PATCH", `/ai/teams/${team.id}`, { body, version: team.version })
      : api.post("/ai/teams", { id: f.id.value, ...body });
  };
  const title = team ? t("desk.team.edit", { name: team.name }) : t("desk.team.add");
  formDialog(context, title, [
    field(t("desk.team.id"), f.id), field(t("desk.team.name"), f.name), field(t("desk.team.can"), f.can),
    field(t("desk.team.kind"), f.kind), where.shown, field(t("desk.team.person"), f.person)],
  save, { again, ...(team ? { remove: () => api.call("DELETE", `/ai/teams/${team.id}`) } : {}) });
}

/** Teams to tick: those of the plan first, then whoever is searched for.
 * @param {any} context @param {string} label */
export function teamPicker({ fail }, label) {
  /** @type {Map<string, string>} */
  const taken = new Map();
  const chips = h("div", { class: "chips" });
  const ids = "desk-teams";
  const options = h("datalist", { id: ids });
  const input = h("input", { list: ids, autocomplete: "off", placeholder: t("desk.team.find"), oninput: () => look() });
  const draw = () => chips.replaceChildren(...[...taken].map(([id, name]) => h("button", {
    class: "chip", type: "button", "aria-label": t("desk.if.back", { name }), onclick: () => { taken.delete(id); draw(); },
  }, `${name} ✕`)));
  const take = (/** @type {any} */ one) => { taken.set(one.id, one.name); input.value = ""; draw(); };
  const look = () => api.get("/ai/teams", { text: input.value.trim(), limit: 20 }).then((found) => {
    const exact = found.items.find((/** @type {any} */ one) => [one.id, one.name].includes(input.value.trim()));
    if (exact) take(exact);
    options.replaceChildren(...found.items.map((/** @type {any} */ one) => h("option", { value: one.name }, one.id)));
  }).catch(fail);
  look();
  return { shown: h("div", {}, field(label, input), options, chips), value: () => [...taken.keys()] };
}

/** A plan as it would be; nobody is held by looking. @param {any} context @param {any} event @param {string} title */
export function whatIf(context, event, title) {
  const { fail, now } = context;
  const without = teamPicker(context, t("desk.if.without"));
  const more = h("input", { placeholder: `${t("cap.medical")} 2` });
  const shown = h("div", { role: "status" });
  const look = (/** @type {Event} */ submitted) => {
    submitted.preventDefault();
    const extra = amounts(more.value) ?? {};
    api.post("/ai/what-if", {
      event_id: event.id, language: language(),
      without: without.value(),
      more: Object.entries(extra).map(([name, amount]) => ({ capability: name, amount })),
    }).then((found) => shown.replaceChildren(
      h("p", {}, found.explanation),
      h("ul", {}, found.teams.map((/** @type {any} */ one) => h("li", {},
        one.name, " ", h("small", {}, `${capability(one.role)} · ${span(one.eta_seconds)} · ${etaOf(one, now())}`)))),
    )).catch(fail);
  };
  openDialog(`${t("desk.if")} ${title}`, [h("form", { class: "stack", onsubmit: look },
    without.shown, field(t("desk.if.more"), more),
    h("div", { class: "row" }, h("button", { class: "primary" }, t("desk.if.look")))), shown]);
}

/** Districts with too little left, and who could move up. @param {any} context */
export function bareDistricts({ fail, now }) {
  const list = h("ul", { class: "plain" });
  const element = h("section", { class: "card", hidden: true }, h("h2", {}, t("desk.bare")), list);
  const load = () => api.get("/ai/move-ups").then((found) => {
    element.hidden = !found.items.length;
    list.replaceChildren(...found.items.map((/** @type {any} */ one) => h("li", { class: "device" },
      h("div", { class: "what" },
        h("strong", {}, t("desk.bare.line", {
          district: one.district || one.station_id, there: one.there, least: one.least,
          what: capability(one.capability),
        })),
        ...(one.moves.length ? one.moves : [null]).map((/** @type {any} */ move) => h("small", {}, move
          ? `${t("desk.bare.move", { team: move.team, span: span(move.eta_seconds) })} · ${etaOf(move, now())}`
          : t("desk.bare.nobody")))))));
  }).catch(fail);
  return { element, load };
}
