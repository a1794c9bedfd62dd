// @ts-check
/** Offers this browser as a device, also where others exist; said no, it does not ask again. */

import { h } from "../dom.js";
import { prefs } from "../house.js";
import { canPush, isPushed, turnPushOn } from "../push.js";
import { t } from "../words.js";

/**
 * What there is to offer: to ring while a page is open, or also while none is.
 * @param {{rings: boolean, pushes: boolean, mayPush: boolean, refused: boolean}} browser
 */
export function offered({ rings, pushes, mayPush, refused }) {
  if (refused || pushes) return "";
  if (mayPush) return rings ? "push" : "both";
  return rings ? "" : "ring";
}

/** @param {any} context */
export function offerCard(context) {
  const { house, ringer, fail, say, onClose } = context;
  const place = h("section", { class: "card offer", hidden: true });
  let drawn = "";
  const draw = () => {
    const what = house.user ? offered({
      rings: ringer.state !== "off", pushes: isPushed(), mayPush: canPush(),
      refused: prefs.get("offer") === "no",
    }) : "";
    place.hidden = !what;
    if (what !== drawn) place.replaceChildren(...(what ? inside(what) : []));
    drawn = what;
  };
  const accept = (/** @type {string} */ what) => async () => {
    try {
      await ringer.turnOn(house.user.id);
      if (what !== "ring") await turnPushOn(house, house.user.id);
      say(t(what === "ring" ? "ring.here_now" : "push.done"), "good");
    } catch (error) {
      fail(error);
    }
    draw();
  };
  const refuse = () => {
    prefs.set("offer", "no");
    draw();
  };
  const inside = (/** @type {string} */ what) => [
    h("p", {}, t(`offer.${what}`, { name: house.userName(house.user.id) })),
    h("div", { class: "row" },
      h("button", { class: "primary", type: "button", onclick: accept(what) }, t(what === "push" ? "push.on" : "ring.on")),
      h("button", { class: "quiet", type: "button", onclick: refuse }, t("offer.no"))),
  ];
  ringer.watchers.add(draw);
  onClose(() => ringer.watchers.delete(draw));
  draw();
  return place;
}
