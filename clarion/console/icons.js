// @ts-check
/** Small drawings, in the colour of the text around them. */

import { svg } from "./dom.js";

const PATHS = {
  bell: "M12 3c-3.6 0-5.5 2.7-5.5 6v3.5L5 16h14l-1.5-3.5V9c0-3.300-1.900-6-5.500-6zM9.500 18.500a2.500 2.500 0 0 0 5 0",
  today: "M5 5h14v15H5zM5 9.500h14M9 3v4M15 3v4M9 14l2 2 4-4",
  ring: "M12 4c-3.200 0-5 2.400-5 5.500v3L5.500 16h13L17 12.500v-3C17 6.400 15.200 4 12 4zM10 18.500a2 2 0 0 0 4 0M3.500 8.500c0-2 .8-3.600 2-4.800M20.500 8.500c0-2-.8-3.600-2-4.800",
  chat: "M4 5h16v11H11l-4.500 4v-4H4z",
  people: "M9 11a3.500 3.500 0 1 0 0-7 3.500 3.500 0 0 0 0 7zM2.500 20c.3-4 3-6 6.500-6s6.200 2 6.500 6M16 4.500a3.200 3.200 0 0 1 0 6.200M18 14.500c2 .8 3.300 2.600 3.500 5.500",
  queue: "M4 6h16M4 12h11M4 18h6M17 12l3.500 3-3.500 3",
  dispatch: "M12 21s-6.500-6-6.500-11a6.500 6.500 0 0 1 13 0c0 5-6.500 11-6.500 11zM12 12.500a2.500 2.500 0 1 0 0-5 2.500 2.500 0 0 0 0 5z",
  health: "M3 12.500h4l2.500-6 4.500 11 2.500-5H21",
  all: "M4 6h16M4 12h16M4 18h16",
  theme: "M12 3.500a8.500 8.500 0 1 0 8.500 8.500A6.500 6.500 0 0 1 12 3.500z",
  mic: "M12 15a3 3 0 0 0 3-3V6.500a3 3 0 0 0-6 0V12a3 3 0 0 0 3 3zM6 11.500a6 6 0 0 0 12 0M12 17.500V21",
  edit: "M4 20l1-4L16 5l3 3L8 19z",
  check: "M4.500 12.500l5 5 10-11",
  later: "M12 4a8 8 0 1 0 0 16 8 8 0 0 0 0-16zM12 8v4.500l3 2",
  repeat: "M5 11a7 7 0 0 1 12-4l2 2M19 13a7 7 0 0 1-12 4l-2-2M19 4v5h-5M5 20v-5h5",
};

/** @param {string} name */
export function icon(name) {
  const d = /** @type {Record<string, string>} */ (PATHS)[name] ?? "";
  return svg(
    "svg",
    { viewBox: "0 0 24 24", class: "i", "aria-hidden": "true", focusable: "false" },
    svg("path", { d }),
  );
}
