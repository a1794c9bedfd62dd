// @ts-check
/** Small charts of our own, as SVG. The geometry is pure; text says what the lines say. */

import { h, svg } from "./dom.js";
import { number } from "./words.js";

export const LEVELS = ["critical", "high", "normal", "bulk"];
const WIDTH = 320;
const HEIGHT = 84;
const FOOT = 4;

/** A round number at or above `n`, for the top of a scale. @param {number} n */
export function roundUp(n) {
  if (n <= 1) return 1;
  const size = 10 ** Math.floor(Math.log10(n));
  return ([1, 2, 5, 10].find((step) => step * size >= n) ?? 10) * size;
}

/**
 * Points of a line through `values`, the newest at the right edge.
 * @param {number[]} values @param {number} top @param {number} [capacity] how many fill the width
 * @returns {[number, number][]}
 */
export function points(values, top, capacity = values.length) {
  const step = WIDTH / Math.max(1, capacity - 1);
  const begin = WIDTH - step * (values.length - 1);
  return values.map(
    (value, index) => [
      round(begin + step * index), round(HEIGHT - FOOT - ((HEIGHT - 2 * FOOT) * value) / top),
    ],
  );
}

const round = (/** @type {number} */ n) => Math.round(n * 10) / 10;

/** @param {[number, number][]} line */
export const path = (line) => line.map(([x, y], index) => `${index ? "L" : "M"}${x} ${y}`).join("");

/**
 * Values laid on one another, for stacked areas.
 * @param {Record<string, number[]>} series @param {string[]} names from the bottom up
 * @returns {{name: string, low: number[], high: number[]}[]}
 */
export function stacked(series, names) {
  let low = series[names[0]].map(() => 0);
  return names.map((name) => {
    const under = low;
    low = series[name].map((value, index) => under[index] + value);
    return { name, low: under, high: low };
  });
}

/**
 * At most `most` of them, each the largest of its part, so that peaks stay.
 * @param {number[]} values
 * @param {number} most
 */
export function thinned(values, most) {
  if (values.length <= most) return values;
  const size = values.length / most;
  return Array.from(
    { length: most },
    (_, index) => Math.max(
      ...values.slice(
        Math.floor(index * size), Math.max(Math.floor((index + 1) * size), Math.floor(index * size) + 1),
      ),
    ),
  );
}

/** @param {string} label @param {any[]} children */
function frame(label, children) {
  return svg("svg",
    {
      class: "chart", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none", role: "img",
      "aria-label": label,
    },
    svg("line", { class: "foot", x1: 0, x2: WIDTH, y1: HEIGHT - FOOT, y2: HEIGHT - FOOT }), children);
}

/**
 * A card with a title, the value of now, and the last hour under it.
 * @param {string} title @param {string} now @param {any} drawing @param {string} [top] what the upper edge means
 */
export function chartCard(title, now, drawing, top = "") {
  return h("figure", { class: "chart-card" },
    h("figcaption", {}, h("span", {}, title), h("strong", {}, now)), drawing, top && h("small", {}, top));
}

/**
 * One line with its area.
 * @param {string} title
 * @param {number[]} values
 * @param {(n: number) => string} [say]
 */
export function spark(title, values, say = number, tone = "") {
  const shown = thinned(values, 120);
  const top = roundUp(Math.max(...shown, 0));
  const line = points(shown.length > 1 ? shown : [0, shown[0] ?? 0], top);
  const area = `${path(line)}L${WIDTH} ${HEIGHT - FOOT}L${line[0][0]} ${HEIGHT - FOOT}Z`;
  const now = say(values.at(-1) ?? 0);
  return chartCard(title, now,
    frame(
      `${title}: ${now}`,
      [
        svg("path", { class: `area ${tone}`, d: area }),
        svg("path", { class: `line ${tone}`, d: path(line) }),
      ],
    ),
    `↑ ${say(top)}`);
}

/**
 * Levels on one another.
 * @param {string} title
 * @param {Record<string, number[]>} series by level
 * @param {string} now
 */
export function levelsChart(title, series, now, say = number) {
  const names = [...LEVELS].reverse();
  const thin = Object.fromEntries(names.map((name) => [name, thinned(series[name], 120)]));
  const layers = stacked(thin, names);
  const top = roundUp(Math.max(...layers[layers.length - 1].high, 0));
  const areas = layers.map(({ name, low, high }) => {
    const upper = points(high, top);
    const lower = points(low, top).reverse();
    return svg(
      "path",
      {
        class: `area level-${name}`, d: upper.length ? `${path(upper)}${path(lower).replace("M", "L")}Z` : "",
      },
    );
  });
  return chartCard(title, now, frame(`${title}: ${now}`, areas), `↑ ${say(top)}`);
}

/**
 * One line for each level.
 * @param {string} title
 * @param {Record<string, number[]>} series
 * @param {string} now
 * @param {(n: number) => string} say
 */
export function linesChart(title, series, now, say) {
  const thin = Object.fromEntries(LEVELS.map((name) => [name, thinned(series[name], 120)]));
  const top = roundUp(Math.max(...LEVELS.flatMap((name) => thin[name]), 0));
  const lines = LEVELS.map(
    (name) => svg("path", { class: `line level-${name}`, d: path(points(thin[name], top)) }),
  );
  return chartCard(title, now, frame(`${title}: ${now}`, lines), `↑ ${say(top)}`);
}
