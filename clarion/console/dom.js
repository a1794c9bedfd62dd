// @ts-check
/**
 * Elements without a framework. Text only ever becomes text nodes, so nothing that people or
 * machines wrote can turn into markup.
 */

/** @typedef {Node | string | number | null | undefined | false} Child */

const SVG = "http://www.w3.org/2000/svg";

/**
 * `h("button", { class: "quiet", onclick: go, "aria-label": "…" }, "Go")`.
 * What begins with `on` is a listener; false, null and undefined leave an attribute out.
 * @param {string} tag
 * @param {Record<string, any>} [props]
 * @param {...(Child | Child[])} children
 * @returns {any}
 */
export function h(tag, props = {}, ...children) {
  return fill(document.createElement(tag), props, children);
}

/**
 * The same for drawings.
 * @param {string} tag
 * @param {Record<string, any>} [props]
 * @param {...(Child | Child[])} children
 * @returns {any}
 */
export function svg(tag, props = {}, ...children) {
  return fill(document.createElementNS(SVG, tag), props, children);
}

/** @param {Element} element @param {Record<string, any>} props @param {any[]} children */
function fill(element, props, children) {
  for (const [name, value] of Object.entries(props)) {
    if (value === false || value === null || value === undefined) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "value") /** @type {any} */ (element).value = value;
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...children.flat(3).filter((child) => child || child === 0).map(asNode));
  return element;
}

/** @param {any} child */
function asNode(child) {
  return child instanceof Node ? child : document.createTextNode(String(child));
}

/**
 * Show `items` in `parent`, keeping what has not changed: focus, scrolling and animations live on.
 * With `moves`, what changes its place glides there.
 * @template T
 * @param {Element} parent
 * @param {T[]} items
 * @param {(item: T) => string} keyOf
 * @param {(item: T) => Element} make
 * @param {{moves?: boolean, sameAs?: (item: T) => string}} [options]
 */
export function keyed(parent, items, keyOf, make, options = {}) {
  const sameAs = options.sameAs ?? ((item) => JSON.stringify(item));
  const before = new Map([...parent.children].map((child) => [attribute(child), child]));
  const places = options.moves ? placesOf(parent) : null;
  const wanted = items.map((item) => {
    const key = keyOf(item);
    const print = sameAs(item);
    const old = before.get(key);
    if (old && /** @type {any} */ (old).print === print) return old;
    const made = make(item);
    made.setAttribute("data-key", key);
    /** @type {any} */ (made).print = print;
    return made;
  });
  const kept = new Set(wanted);
  for (const child of [...parent.children]) if (!kept.has(child)) child.remove();
  wanted.forEach((child, index) => {
    if (parent.children[index] !== child) parent.insertBefore(child, parent.children[index] ?? null);
  });
  if (places) glide(parent, places);
}

/** @param {Element} child */
function attribute(child) {
  return child.getAttribute("data-key") ?? "";
}

/** @param {Element} parent */
function placesOf(parent) {
  return new Map([...parent.children].map((c) => [attribute(c), c.getBoundingClientRect()]));
}

/** @param {Element} parent @param {Map<string, DOMRect>} places */
function glide(parent, places) {
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  for (const child of parent.children) {
    const was = places.get(attribute(child));
    const is = child.getBoundingClientRect();
    const dx = was ? was.left - is.left : 24;
    const dy = was ? was.top - is.top : 0;
    if (!dx && !dy) continue;
    const from = { transform: `translate(${dx}px, ${dy}px)`, opacity: was ? 1 : 0 };
    child.animate([from, { transform: "none", opacity: 1 }], { duration: 320, easing: "ease-out" });
  }
}

/** A labelled field. @param {string} label @param {any} input @param {string} [hint] */
export function field(label, input, hint = "") {
  return h("label", { class: "field" }, h("span", {}, label), input, hint && h("small", {}, hint));
}

/** @param {[string, string][]} options @param {string} chosen @param {Record<string, any>} [props] */
export function select(options, chosen, props = {}) {
  const made = h("select", props, options.map(([value, text]) => h("option", { value }, text)));
  made.value = chosen;
  return made;
}
