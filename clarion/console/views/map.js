// @ts-check
/** The dispatcher's map: places as points over tiles of the server, or over a plain grid. */

import { h, svg } from "../dom.js";
import { t } from "../words.js";
import { titled } from "./schemes.js";

export const WIDTH = 640;
export const HEIGHT = 420;
const EDGE = 46;
const TILE = 256; // pixels of the world at zoom 0
const NEAREST = 16; // a single place is shown with the streets around it
const DRAWN_ALONE = 400; // more dots than this are drawn as one path for each state
const NAMED = 30;
const TILES_KEPT = 200;

/** @typedef {{latitude: number, longitude: number}} Place */
/** @typedef {{x: number, y: number, zoom: number}} View the middle, as shares of the world; a zoom may lie between two */

/** Web Mercator, as every tile has it: shares of the world from its north-western corner.
 * @param {Place} place @returns {[number, number]} */
export function toWorld({ latitude, longitude }) {
  const sine = Math.sin((Math.max(-85, Math.min(85, latitude)) * Math.PI) / 180);
  return [longitude / 360 + 0.5, 0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI)];
}

/** @param {[number, number]} spot @returns {Place} */
export function toPlace([x, y]) {
  const round = (/** @type {number} */ n) => Math.round(n * 1e5) / 1e5; // a metre
  return { latitude: round((Math.atan(Math.sinh(Math.PI * (1 - 2 * y))) * 180) / Math.PI), longitude: round((x - 0.5) * 360) };
}

/** The closest view that shows all of them. @param {Place[]} places @returns {View} */
export function fit(places) {
  if (!places.length) return { x: 0.5, y: 0.5, zoom: 1 };
  let [west, north, east, south] = [1, 1, 0, 0];
  for (const place of places) {
    const [x, y] = toWorld(place);
    [west, east, north, south] = [Math.min(west, x), Math.max(east, x), Math.min(north, y), Math.max(south, y)];
  }
  const wide = (WIDTH - 2 * EDGE) / Math.max(east - west, 1e-9);
  const tall = (HEIGHT - 2 * EDGE) / Math.max(south - north, 1e-9);
  return { x: (west + east) / 2, y: (north + south) / 2, zoom: Math.min(NEAREST, Math.log2(Math.min(wide, tall) / TILE)) };
}

/** From places to points of the picture. @param {View} view @returns {(place: Place) => [number, number]} */
export function projection({ x, y, zoom }) {
  const scale = TILE * 2 ** zoom;
  const round = (/** @type {number} */ n) => Math.round(n * 10) / 10;
  return (place) => {
    const [east, south] = toWorld(place);
    return [round(WIDTH / 2 + (east - x) * scale), round(HEIGHT / 2 + (south - y) * scale)];
  };
}

/** Which tiles cover the view, and where they lie in the picture. @param {View} view @param {number} deepest */
export function tilesIn({ x, y, zoom }, deepest) {
  const z = Math.max(0, Math.min(deepest, Math.round(zoom)));
  const [count, size] = [2 ** z, TILE * 2 ** (zoom - z)];
  const first = (/** @type {number} */ middle, /** @type {number} */ side) => Math.floor(middle * count - side / 2 / size);
  const found = [];
  for (let column = first(x, WIDTH); column <= first(x, -WIDTH); column += 1) {
    for (let row = Math.max(0, first(y, HEIGHT)); row <= Math.min(count - 1, first(y, -HEIGHT)); row += 1) {
      found.push({
        address: `/ai/map/${z}/${((column % count) + count) % count}/${row}`,
        left: WIDTH / 2 + (column - x * count) * size, top: HEIGHT / 2 + (row - y * count) * size, size,
      });
    }
  }
  return found;
}

/**
 * @param {{fail: (error: any) => void}} context
 * @param {(place: Place) => void} pick told where somebody points
 */
export function mapView({ fail }, pick) {
  /** @type {View | null} */
  let view = null; // null: everybody is in sight
  let facts = { kind: "none", deepest: 0, credit: "" };
  /** @type {any[]} */
  let [teams, events, ways] = [[], [], []];
  let held = new Set();
  /** @type {Place | null} */
  let picked = null;
  /** @type {{x: number, y: number, view: View} | null} */
  let drag = null;
  /** @type {Map<string, Promise<Uint8Array>>} */
  const kept = new Map();
  const ground = svg("g", {});
  const things = svg("g", {});
  const labelled = () => t("map.label", { teams: teams.length, events: events.length });
  const picture = svg("svg", { class: "map", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": labelled() }, ground, things);
  const credit = h("small", { class: "credit" });
  const now = () => view ?? fit([...teams, ...events].map((one) => one.place));
  const spotOf = (/** @type {any} */ event) => {
    const box = picture.getBoundingClientRect();
    const { x, y, zoom } = now();
    const scale = TILE * 2 ** zoom;
    return /** @type {[number, number]} */ ([
      x + (((event.clientX - box.left) / box.width) * WIDTH - WIDTH / 2) / scale,
      y + (((event.clientY - box.top) / box.height) * HEIGHT - HEIGHT / 2) / scale,
    ]);
  };
  const go = (/** @type {View | null} */ next) => {
    view = next && { ...next, zoom: Math.max(1, Math.min(20, next.zoom)), y: Math.max(0, Math.min(1, next.y)) };
    draw();
  };
  const closer = (/** @type {number} */ steps) => go({ ...now(), zoom: now().zoom + steps });
  const draw = () => {
    const at = projection(now());
    drawGround();
    const place = new Map([...teams, ...events].map((one) => [one.id, one.place]));
    const routes = ways.filter((one) => place.has(one.team_id) && place.has(one.event_id)).map((one) => {
      const [x1, y1] = at(/** @type {any} */ (place.get(one.team_id)));
      const [x2, y2] = at(/** @type {any} */ (place.get(one.event_id)));
      return `M${x1} ${y1}L${x2} ${y2}`;
    });
    const pin = picked && at(picked);
    picture.setAttribute("aria-label", labelled());
    things.replaceChildren(
      svg("path", { class: "way", d: routes.join("") }),
      ...(teams.length > DRAWN_ALONE ? crowd(teams, at, held)
        : teams.map((one) => team(one, at(one.place), held.has(one.id), teams.length < NAMED))),
      ...events.map((one) => event(one, at(one.place), events.length < NAMED)),
      ...(pin ? [svg("path", { class: "pin", d: `M${pin[0]} ${pin[1]}l-7 -16a7.5 7.5 0 1 1 14 0z` })] : []),
    );
  };
  const drawGround = () => {
    if (facts.kind === "none") return ground.replaceChildren(...grid());
    const tiles = tilesIn(now(), facts.deepest);
    if (facts.kind === "image") {
      return ground.replaceChildren(...tiles.map(({ address, left, top, size }) =>
        svg("image", { href: address, x: left, y: top, width: size + 0.5, height: size + 0.5 })));
    }
    const holders = tiles.map(() => svg("g", {}));
    tiles.forEach((one, n) => tileOf(one.address).then(async (bytes) => {
      const { drawn } = await import("../tiles.js");
      holders[n].replaceChildren(drawn(bytes, one));
    }).catch(() => {})); // what is missing of the map hides nobody
    return ground.replaceChildren(...holders);
  };
  const tileOf = (/** @type {string} */ address) => {
    if (kept.size > TILES_KEPT) kept.clear();
    const asked = kept.get(address) ?? fetch(address).then(async (one) => {
      if (!one.ok) throw new Error(String(one.status));
      return new Uint8Array(await one.arrayBuffer());
    });
    kept.set(address, asked);
    asked.catch(() => kept.delete(address));
    return asked;
  };
  picture.addEventListener("pointerdown", (/** @type {any} */ e) => {
    if (e.pointerType !== "touch") drag = { x: e.clientX, y: e.clientY, view: now() };
  });
  picture.addEventListener("pointermove", (/** @type {any} */ e) => {
    if (!drag || Math.hypot(e.clientX - drag.x, e.clientY - drag.y) < 4) return;
    const scale = (TILE * 2 ** drag.view.zoom * picture.getBoundingClientRect().width) / WIDTH;
    go({ ...drag.view, x: drag.view.x - (e.clientX - drag.x) / scale, y: drag.view.y - (e.clientY - drag.y) / scale });
  });
  for (const over of ["pointerup", "pointerleave"]) picture.addEventListener(over, () => setTimeout(() => (drag = null)));
  picture.addEventListener("click", (/** @type {any} */ e) => {
    if (drag && Math.hypot(e.clientX - drag.x, e.clientY - drag.y) >= 4) return;
    picked = toPlace(spotOf(e));
    pick(picked);
    draw();
  });
  picture.addEventListener("dblclick", (/** @type {any} */ e) => {
    const [x, y] = spotOf(e);
    go({ x, y, zoom: now().zoom + 1 });
  });
  const button = (/** @type {string} */ sign, /** @type {string} */ label, /** @type {() => void} */ act) =>
    h("button", { class: "small quiet", type: "button", "aria-label": t(label), title: t(label), onclick: act }, sign);
  const element = h("div", { class: "map-box" }, picture,
    h("div", { class: "row" }, button("+", "map.closer", () => closer(1)), button("−", "map.wider", () => closer(-1)),
      button("⤢", "map.all", () => go(null)), h("small", {}, t("map.pick")), credit));
  return {
    element,
    /** @param {any} found what `/ai/map` says */
    use(found) {
      facts = found;
      credit.textContent = found.credit;
      draw();
    },
    /** @param {any[]} someTeams @param {any[]} someEvents @param {any[]} someWays @param {Set<string>} someHeld */
    show(someTeams, someEvents, someWays, someHeld) {
      [teams, events, ways, held] = [someTeams, someEvents, someWays, someHeld];
      try {
        draw();
      } catch (error) {
        fail(error);
      }
    },
    forget() {
      picked = null;
      draw();
    },
  };
}

function grid() {
  return [1, 2, 3].flatMap((n) => [
    svg("line", { class: "road", x1: 0, x2: WIDTH, y1: (HEIGHT * n) / 4, y2: (HEIGHT * n) / 4 }),
    svg("line", { class: "road", y1: 0, y2: HEIGHT, x1: (WIDTH * n) / 4, x2: (WIDTH * n) / 4 })]);
}

/** Thousands of teams as a handful of paths. @param {any[]} teams @param {any} at @param {Set<string>} held */
function crowd(teams, at, held) {
  /** @type {Map<string, string[]>} */
  const dots = new Map();
  for (const one of teams) {
    const [x, y] = at(one.place);
    if (x < 0 || y < 0 || x > WIDTH || y > HEIGHT) continue;
    const kind = `${one.status} ${held.has(one.id) ? "held" : ""}`;
    if (!dots.has(kind)) dots.set(kind, []);
    dots.get(kind)?.push(`M${x} ${y}h.01`);
  }
  return [...dots].map(([kind, d]) => svg("path", { class: `crowd team ${kind}`, d: d.join("") }));
}

/** @param {any} one @param {[number, number]} point @param {boolean} held @param {boolean} named */
function team(one, [x, y], held, named) {
  const text = `${one.name}: ${t(`team.${one.status}`)}${held ? ` · ${t("team.held")}` : ""}`;
  return svg("g", { class: `team ${one.status} ${held ? "held" : ""}` }, svg("title", {}, text),
    svg("circle", { cx: x, cy: y, r: 7 }),
    named && svg("text", { x, y: y + 20, "text-anchor": "middle" }, short(one.name)));
}

/** @param {any} one @param {[number, number]} point @param {boolean} named */
function event(one, [x, y], named) {
  const over = ["closed", "cancelled"].includes(one.status) ? "over" : one.severity;
  return svg("g", { class: `event ${over}` }, svg("title", {}, titled(one)),
    svg("path", { d: `M${x} ${y - 13}l12 21h-24z` }),
    named && svg("text", { x, y: y - 17, "text-anchor": "middle" }, short(titled(one))));
}

/** @param {string} name */
const short = (name) => (name.length > 14 ? `${name.slice(0, 13)}…` : name);
