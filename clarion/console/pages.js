// @ts-check
/** Which pages there are, for whom, and where the menu shows them. */

/**
 * Pages in the order of the menu. `admin` ones are for those who look after everything; `when`
 * says whether there is anything to see; those without a `group` are reached by links.
 * @type {{name: string, group?: string, admin?: boolean, when?: (house: import("./house.js").House) => boolean,
 *         load: () => Promise<any>}[]}
 */
export const PAGES = [
  { name: "today", group: "people", load: () => import("./views/today.js") },
  { name: "wall", group: "people", admin: true, when: (house) => house.people.length > 1, load: () => import("./views/wall.js") },
  { name: "plan", group: "people", load: () => import("./views/plan.js") },
  { name: "people", group: "people", load: () => import("./views/people.js") },
  { name: "ring", group: "people", load: () => import("./views/ring.js") },
  { name: "chat", group: "people", load: () => import("./views/chat.js") },
  { name: "assistants", group: "people", load: () => import("./views/assistants.js") },
  { name: "queue", group: "operations", admin: true, load: () => import("./views/queue.js") },
  {
    name: "dispatch", group: "operations", admin: true, when: (house) => house.dispatches,
    load: () => import("./views/dispatch.js"),
  },
  { name: "health", group: "operations", load: () => import("./views/health.js") },
  { name: "more", group: "operations", load: () => import("./views/more.js") },
  { name: "sheet", load: () => import("./views/sheet.js") },
  { name: "all", load: () => import("./views/all.js") },
  { name: "setup", load: () => import("./views/setup.js") },
];

/** Those that somebody may open. @param {import("./house.js").House} house */
export const open = (house) => PAGES.filter(
  (one) => (house.isDesk ? one.name === "dispatch" : !one.admin || house.isAdmin),
);
