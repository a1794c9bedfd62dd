// @ts-check
/** A map of our own: places as points, no tiles, nobody asked for anything. */

import { svg } from "../dom.js";
import { t } from "../words.js";

const WIDTH = 640;
const HEIGHT = 420;
const EDGE = 46;
const DRAWN_ALONE = 400; // more dots than this are drawn as one path for each state

/**
 * From coordinates to points of the picture: all of them fit, and a kilometre is as long in both
 * directions.
 * @param {{latitude: number, longitude: number}[]} places
 * @returns {(place: {latitude: number, longitude: number}) => [number, number]}
 */
export function projection(places) {
  if (!places.length) return () => [WIDTH / 2, HEIGHT / 2];
  const lat = places.map((one) => one.latitude);
  const lon = places.map((one) => one.longitude);
  const middle = {
    latitude: (Math.min(...lat) + Math.max(...lat)) / 2, longitude: (Math.min(...lon) + Math.max(...lon)) / 2,
  };
  const shrink = Math.max(0.05, Math.cos((middle.latitude * Math.PI) / 180));
  const tall = Math.max(Math.max(...lat) - Math.min(...lat), 1e-4);
  const wide = Math.max((Math.max(...lon) - Math.min(...lon)) * shrink, 1e-4);
  const scale = Math.min((WIDTH - 2 * EDGE) / wide, (HEIGHT - 2 * EDGE) / tall);
  return (place) => [
    Math.round((WIDTH / 2 + (place.longitude - middle.longitude) * shrink * scale) * 10) / 10,
    Math.round((HEIGHT / 2 - (place.latitude - middle.latitude) * scale) * 10) / 10,
  ];
}

/**
 * @param {any[]} teams @param {any[]} events @param {any[]} ways open assignments @param {Set<string>} held
 */
export function map(teams, events, ways, held) {
  const at = projection([...teams, ...events].map((one) => one.place));
  const lines = [1, 2, 3].flatMap((n) => [
    svg("line", { class: "road", x1: 0, x2: WIDTH, y1: (HEIGHT * n) / 4, y2: (HEIGHT * n) / 4 }),
    svg("line", { class: "road", y1: 0, y2: HEIGHT, x1: (WIDTH * n) / 4, x2: (WIDTH * n) / 4 })]);
  const place = new Map([...teams, ...events].map((one) => [one.id, one.place]));
  const routes = ways.filter((one) => place.has(one.team_id) && place.has(one.event_id)).map((one) => {
    const [x1, y1] = at(/** @type {any} */ (place.get(one.team_id)));
    const [x2, y2] = at(/** @type {any} */ (place.get(one.event_id)));
    return svg("path", { class: "way", d: `M${x1} ${y1}L${x2} ${y2}` });
  });
  const label = t("map.label", { teams: teams.length, events: events.length });
  return svg("svg", { class: "map", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": label },
    lines, routes, teams.length > DRAWN_ALONE ? crowd(teams, at, held)
      : teams.map((one) => team(one, at(one.place), held.has(one.id), teams.length < 30)),
    events.map((one) => event(one, at(one.place))));
}

/** Thousands of teams as a handful of paths. @param {any[]} teams @param {any} at @param {Set<string>} held */
function crowd(teams, at, held) {
  /** @type {Map<string, string[]>} */
  const dots = new Map();
  for (const one of teams) {
    const [x, y] = at(one.place);
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

/** @param {any} one @param {[number, number]} point */
function event(one, [x, y]) {
  const over = ["closed", "cancelled"].includes(one.status) ? "over" : one.severity;
  return svg("g", { class: `event ${over}` }, svg("title", {}, one.title || one.type),
    svg("path", { d: `M${x} ${y - 13}l12 21h-24z` }),
    svg("text", { x, y: y - 17, "text-anchor": "middle" }, short(one.title || one.type)));
}

/** @param {string} name */
const short = (name) => (name.length > 14 ? `${name.slice(0, 13)}…` : name);
