// @ts-check
/** Vector tiles (MVT 2.1) as drawings: what is water, green, built, a road, and how places are called. */

import { svg } from "./dom.js";

const NAMES_MAX = 5; // of places in one tile; more of them hide the teams
const KINDS = [
  [/water|ocean/, "water"], [/earth|^land$/, ""], [/land|park|natural/, "green"], [/building/, "building"],
  [/road|transport|street/, "street"], [/bound/, "border"], [/^place/, "place"],
];
const ORDER = ["green", "water", "building", "border", "street", "place"];
const text = new TextDecoder();

/** @param {string} layer its name in any of the usual schemas */
export const kindOf = (layer) => String(KINDS.find(([words]) => /** @type {RegExp} */ (words).test(layer))?.[1] ?? "");

/** Walks through the fields of a message: their number, and a number or the bytes in it.
 * @param {Uint8Array} bytes @param {(field: number, value: any) => void} hear */
export function read(bytes, hear) {
  let at = 0;
  const varint = () => {
    let value = 0;
    for (let factor = 1; at < bytes.length; factor *= 128) {
      const byte = bytes[at++];
      value += (byte & 127) * factor;
      if (byte < 128) break;
    }
    return value;
  };
  while (at < bytes.length) {
    const key = varint();
    if ((key & 7) === 0) hear(key >> 3, varint());
    else if ((key & 7) === 2) {
      const end = varint() + at;
      hear(key >> 3, bytes.subarray(at, end));
      at = end;
    } else at += (key & 7) === 1 ? 8 : 4; // numbers with a point, which no drawing needs
  }
}

/** @param {Uint8Array} bytes */
export function varints(bytes) {
  /** @type {number[]} */
  const found = [];
  let value = 0;
  let factor = 1;
  for (const byte of bytes) {
    value += (byte & 127) * factor;
    factor *= 128;
    if (byte > 127) continue;
    found.push(value);
    [value, factor] = [0, 1];
  }
  return found;
}

/** A geometry as the `d` of a path. @param {number[]} commands */
export function pathOf(commands) {
  const zigzag = (/** @type {number} */ n) => (n % 2 ? -(n + 1) / 2 : n / 2);
  let [x, y, d] = [0, 0, ""];
  for (let at = 0; at < commands.length;) {
    const [verb, times] = [commands[at] & 7, commands[at] >> 3];
    at += 1;
    if (verb === 7) d += "z";
    for (let n = 0; n < times && verb !== 7; n += 1, at += 2) {
      x += zigzag(commands[at]);
      y += zigzag(commands[at + 1]);
      d += `${verb === 1 ? "M" : "L"}${x} ${y}`;
    }
  }
  return d;
}

/** @param {Uint8Array} bytes of one layer */
function layerOf(bytes) {
  const found = { name: "", extent: 4096, keys: /** @type {string[]} */ ([]), values: /** @type {string[]} */ ([]),
    features: /** @type {Uint8Array[]} */ ([]) };
  read(bytes, (field, value) => {
    if (field === 1) found.name = text.decode(value);
    if (field === 2) found.features.push(value);
    if (field === 3) found.keys.push(text.decode(value));
    if (field === 4) read(value, (kind, said) => found.values.push(kind === 1 ? text.decode(said) : ""));
    if (field === 5) found.extent = value;
  });
  return found;
}

/** What a tile shows: for each kind its paths, and names with their points.
 * @param {Uint8Array} bytes */
export function shapesOf(bytes) {
  /** @type {Record<string, string>} */
  const paths = {};
  /** @type {{name: string, x: number, y: number}[]} */
  const names = [];
  let extent = 4096;
  read(bytes, (field, value) => {
    const layer = field === 3 ? layerOf(value) : null;
    const kind = layer ? kindOf(layer.name) : "";
    if (!layer || !kind) return;
    extent = layer.extent;
    for (const feature of layer.features) {
      /** @type {Record<string, any>} */
      const found = { tags: [], type: 0, d: "" };
      read(feature, (name, said) => {
        if (name === 2) found.tags = varints(said);
        if (name === 3) found.type = said;
        if (name === 4) found.d = pathOf(varints(said));
      });
      if (kind !== "place" && found.type > 1) paths[kind] = (paths[kind] ?? "") + found.d;
      if (kind === "place" && found.type === 1) {
        const at = found.tags.findIndex((/** @type {number} */ key, /** @type {number} */ n) => n % 2 === 0 && layer.keys[key] === "name");
        const [, x, y] = /^M(-?\d+) (-?\d+)/.exec(found.d) ?? [];
        if (at >= 0 && x) names.push({ name: layer.values[found.tags[at + 1]], x: Number(x), y: Number(y) });
      }
    }
  });
  return { extent, paths, names: names.filter((one) => one.name).slice(0, NAMES_MAX) };
}

/** @param {Uint8Array} bytes @param {{left: number, top: number, size: number}} where */
export function drawn(bytes, { left, top, size }) {
  const { extent, paths, names } = shapesOf(bytes);
  const shown = ORDER.filter((kind) => paths[kind]).map((kind) => svg("path", { class: kind, d: paths[kind] }));
  const labels = names.map(({ name, x, y }) => svg("text", { class: "place", x, y, "font-size": (13 / size) * extent }, name));
  return svg("svg", { x: left, y: top, width: size, height: size, viewBox: `0 0 ${extent} ${extent}` }, shown, labels);
}
