// @ts-check
/** A long list of rows of one height: only what can be seen is on the page. */

import { h } from "./dom.js";

const SPARE = 8; // rows drawn beyond each edge, so that fast scrolling shows no gaps

/**
 * Which rows are in sight.
 * @param {number} top how far the list's beginning is above the window @param {number} height of the window
 * @param {number} rowHeight @param {number} count
 */
export function inSight(top, height, rowHeight, count) {
  const first = Math.max(0, Math.floor(top / rowHeight) - SPARE);
  const last = Math.min(count, Math.ceil((top + height) / rowHeight) + SPARE);
  return { first: Math.min(first, count), last: Math.max(last, Math.min(first, count)) };
}

export class LongList {
  /**
   * @param {number} rowHeight in pixels
   * @param {(item: any) => Element} make
   * @param {() => void} more called when the end comes near
   */
  constructor(rowHeight, make, more) {
    this.rowHeight = rowHeight;
    this.make = make;
    this.more = more;
    /** @type {any[]} */
    this.items = [];
    /** @type {Map<number, Element>} */
    this.drawn = new Map();
    this.element = h("ul", { class: "long" });
    this.scroll = () => this.draw();
    addEventListener("scroll", this.scroll, { passive: true });
    addEventListener("resize", this.scroll, { passive: true });
  }

  close() {
    removeEventListener("scroll", this.scroll);
    removeEventListener("resize", this.scroll);
  }

  /** @param {any[]} items */
  set(items) {
    this.items = items;
    this.drawn.clear();
    this.element.replaceChildren();
    this.draw();
  }

  /** @param {any[]} items */
  add(items) {
    this.items = this.items.concat(items);
    this.draw();
  }

  draw() {
    this.element.style.height = `${this.items.length * this.rowHeight}px`;
    const top = -this.element.getBoundingClientRect().top;
    const { first, last } = inSight(top, innerHeight, this.rowHeight, this.items.length);
    for (const [index, row] of this.drawn) {
      if (index >= first && index < last) continue;
      row.remove();
      this.drawn.delete(index);
    }
    for (let index = first; index < last; index += 1) {
      if (this.drawn.has(index)) continue;
      const row = /** @type {HTMLElement} */ (this.make(this.items[index]));
      row.style.transform = `translateY(${index * this.rowHeight}px)`;
      this.drawn.set(index, row);
      this.element.append(row);
    }
    if (last >= this.items.length - SPARE) this.more();
  }
}
