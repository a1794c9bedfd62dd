// @ts-check
/** Tokens: what programs and assistants prove themselves with; made, seen, taken back. */

import * as api from "../api.js";
import { formDialog, openDialog } from "../dialogs.js";
import { field, h, select } from "../dom.js";
import { isChat } from "../house.js";
import { away, t } from "../words.js";
import { copied, lineButton, listCard, listLine } from "./lists.js";

const LIVES = [["", "tokens.forever"], ["2592000", "tokens.month"], ["86400", "tokens.day"]];

/** Those that still open something. @param {any[]} tokens @param {Date} now */
export const living = (tokens, now) => tokens.filter(
  (one) => !one.revoked_at && (!one.expires_at || new Date(one.expires_at) > now),
);

/** @param {any} context */
export function tokenCard(context) {
  const { house, now, fail, say } = context;
  return listCard(context, {
    title: t("tokens.title"), explain: t("tokens.explain"), none: t("tokens.none"),
    load: async () => living(await api.all("/tokens"), now()), key: (one) => one.id,
    add: [t("tokens.add"), (reload) => make(context, reload), "token-new"],
    line: (one, reload) => {
      const used = one.used_at ? t("tokens.used", { away: away(one.used_at, now()) }) : t("tokens.unused");
      const who = one.user_id ? house.userName(one.user_id) : t(`tokens.kind.${one.kind}`);
      const end = () => confirm(t("tokens.sure", { name: one.name || one.id }))
        && api.remove(`/tokens/${one.id}`).then(() => say(t("tokens.ended"), "good")).catch(fail).finally(reload);
      const name = one.name || one.id;
      return listLine(name, `${who} · ${used}`, lineButton(t("tokens.end"), name, end, { kind: "danger" }));
    },
  }).element;
}

/** @param {any} context @param {() => void} reload */
function make(context, reload) {
  const { house } = context;
  const name = h("input", { required: true, maxlength: "100", placeholder: t("tokens.example") });
  const people = house.users.filter((/** @type {any} */ one) => !isChat(one)).map((/** @type {any} */ one) => [one.id, one.name || one.id]);
  const roles = !house.isAdmin ? [] : house.dispatches ? ["admin", "dispatcher", "viewer"] : ["admin"];
  const who = select([...roles.map((one) => [`@${one}`, t(`tokens.kind.${one}`)]), ...people], people[0]?.[0] ?? "@admin");
  const life = select(LIVES.map(([seconds, key]) => [seconds, t(key)]), "");
  const save = () => {
    const person = { kind: "user", ...(house.isAdmin ? { user_id: who.value } : {}) };
    const owner = who.value.startsWith("@") ? { kind: who.value.slice(1) } : person;
    return api.post("/tokens", { name: name.value, ...owner, ...(life.value ? { expires_in: Number(life.value) } : {}) });
  };
  formDialog(context, t("tokens.add"),
    [field(t("person.name"), name), field(t("tokens.who"), who), field(t("tokens.life"), life)], save,
    { again: reload, label: t("tokens.add"), next: (made) => openDialog(name.value, [h("p", {}, t("tokens.once")), copied(made.token)]) });
}
