// @ts-check
/** Lift something and put it down elsewhere: by mouse, or by a finger that stays for a moment first. */

const HOLD_MS = 350; // a finger that moves sooner wants to scroll
const SLIP_PX = 6; // a mouse that moves less wants to click
const EDGE_PX = 60; // this near the edge of the window, the page scrolls along
const SCROLL_PX = 18;

/** Scrolls along while `work` opens or closes places above the item. @param {HTMLElement} item @param {() => void} work */
function kept(item, work) {
  const before = item.getBoundingClientRect().top;
  work();
  const moved = item.getBoundingClientRect().top - before;
  scrollBy({ top: moved, behavior: "instant" });
  return moved;
}

/**
 * Meanwhile the page is `.lifting`, so that places may show themselves. What is dropped outside of all places, or given up with Escape, goes back.
 * @param {HTMLElement} item @param {string} places where it may be put, as a selector
 * @param {(place: HTMLElement) => void} drop
 */
export function liftable(item, places, drop) {
  /** @type {{x: number, y: number} | null} */
  let from = null;
  let lifted = false;
  let dropped = false; // the click that follows a drop is none
  let hold = 0;
  /** @type {HTMLElement | null} */
  let over = null;
  const show = (/** @type {HTMLElement | null} */ place) => {
    over?.classList.remove("over");
    place?.classList.add("over");
    over = place;
  };
  const lift = () => {
    if (!from) return;
    lifted = true;
    item.classList.add("lifted");
    from.y += kept(item, () => document.body.classList.add("lifting"));
    document.addEventListener("keydown", escape);
  };
  const end = () => {
    clearTimeout(hold);
    show(null);
    item.style.transform = "";
    if (lifted) kept(item, () => document.body.classList.remove("lifting"));
    item.classList.remove("lifted");
    document.removeEventListener("keydown", escape);
    from = null;
    lifted = false;
  };
  const escape = (/** @type {KeyboardEvent} */ event) => event.key === "Escape" && end();
  const press = (/** @type {PointerEvent} */ event) => {
    dropped = false;
    if (event.button || !event.isPrimary) return;
    from = { x: event.pageX, y: event.pageY };
    item.setPointerCapture(event.pointerId); // a quick mouse is elsewhere at its first move
    if (event.pointerType === "touch") hold = setTimeout(lift, HOLD_MS);
  };
  const move = (/** @type {PointerEvent} */ event) => {
    if (!from) return;
    const [right, down] = [event.pageX - from.x, event.pageY - from.y];
    if (!lifted && event.pointerType === "touch") return;
    if (!lifted && Math.hypot(right, down) < SLIP_PX) return;
    if (!lifted) lift();
    item.style.transform = `translate(${right}px, ${down}px)`;
    const below = document.elementsFromPoint(event.clientX, event.clientY);
    show(/** @type {HTMLElement | null} */ (below.find((one) => one.matches(places)) ?? null));
    if (event.clientY < EDGE_PX) scrollBy(0, -SCROLL_PX);
    if (event.clientY > innerHeight - EDGE_PX) scrollBy(0, SCROLL_PX);
  };
  const release = () => {
    const place = over;
    dropped = lifted;
    end();
    if (place && !place.contains(item)) drop(place);
  };
  item.addEventListener("pointerdown", press);
  item.addEventListener("pointermove", move);
  item.addEventListener("pointerup", release);
  item.addEventListener("pointercancel", end);
  item.addEventListener("touchmove", (event) => lifted && event.preventDefault(), { passive: false });
  item.addEventListener("contextmenu", (event) => from && event.preventDefault());
  item.addEventListener("click", (event) => dropped && event.stopImmediatePropagation(), true);
}
