// @ts-check
/**
 * The part that works while no page is open: it keeps the console's files for slow and lost lines,
 * shows what rings, and carries the answer of a button back. The server writes `SHELL` before it.
 */

const worker = /** @type {any} */ (self);
const { version, files } = worker.SHELL;
const CACHE = `clarion-${version}`;
const MEMORY = "clarion-memory"; // what outlives a version
const PLAIN = { icon: "/console/icon-192.png", badge: "/console/icon-192.png" };
const INSISTENT = { requireInteraction: true, renotify: true, vibrate: [400, 200, 400, 200, 800] };

worker.addEventListener("install", (event) => event.waitUntil(install()));
worker.addEventListener("activate", (event) => event.waitUntil(activate()));
worker.addEventListener("fetch", (event) => {
  const { method, url, mode } = event.request;
  const { origin, pathname } = new URL(url);
  if (method !== "GET" || origin !== worker.location.origin) return;
  const ours = pathname.startsWith("/console/") || (pathname === "/" && mode === "navigate");
  if (ours) event.respondWith(kept(event.request, pathname));
});
worker.addEventListener("push", (event) => event.waitUntil(pushed(event.data?.json() ?? {})));
worker.addEventListener("notificationclick", (event) => {
  const { notification, action } = event;
  notification.close();
  event.waitUntil(action ? answer(notification, action) : look(notification));
});
worker.addEventListener("pushsubscriptionchange", (event) => event.waitUntil(subscribeAgain(event)));

async function install() {
  const cache = await caches.open(CACHE);
  await cache.addAll(files.map((/** @type {string} */ file) => new Request(file, { cache: "reload" })));
  await worker.skipWaiting();
}

async function activate() {
  const names = await caches.keys();
  await Promise.all(names.filter((one) => one !== CACHE && one !== MEMORY).map((one) => caches.delete(one)));
  await worker.clients.claim();
}

/** All files are of one version: a page is never half old. @param {Request} request @param {string} path */
async function kept(request, path) {
  const cache = await caches.open(CACHE);
  return (await cache.match(path)) ?? fetch(request);
}

/** @param {any} message as the server's push door wrote it */
async function pushed(message) {
  if (message.kind === "ring") {
    await show(message, message.text);
    await report(message.ticket, "arrived").catch(() => {});
  } else if (message.kind === "hush") {
    await quiet(message);
  } else {
    const options = { ...PLAIN, body: message.text, data: message, tag: message.title };
    await worker.registration.showNotification(message.title || "Clarion", options);
  }
}

/** @param {any} message @param {string} body */
function show(message, body) {
  const usual = [["done", message.done], ["later", message.later]].filter(([, title]) => title);
  const actions = /** @type {string[][]} */ (message.actions ?? usual);
  return worker.registration.showNotification(message.title, {
    ...PLAIN, ...INSISTENT, body, tag: message.reminder, lang: message.language, data: message,
    timestamp: Date.now(), actions: actions.map(([action, title]) => ({ action, title })),
  });
}

/**
 * Somebody answered elsewhere. Browsers want to see something for each push, so the notification
 * does not vanish: it says so, without a sound.
 * @param {any} message
 */
async function quiet({ reminder, over }) {
  const [shown] = await worker.registration.getNotifications({ tag: reminder });
  const language = shown?.lang === "zh" ? "zh" : "en";
  await worker.registration.showNotification(shown?.title ?? "Clarion", {
    ...PLAIN, tag: reminder, body: over[language], silent: true, data: {},
  });
}

/** @param {any} notification @param {string} action */
async function answer({ data }, action) {
  try {
    await report(data.ticket, { done: "confirm", later: "snooze" }[action] ?? action);
  } catch {
    await show(data, data.failed); // an answer that is lost must not look like one that counts
  }
}

/** @param {string} ticket @param {string} what */
async function report(ticket, what) {
  const said = await fetch(`/n/${ticket}`, {
    method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ do: what }),
    signal: AbortSignal.timeout(20_000),
  });
  if (!said.ok) throw new Error(String(said.status));
}

/** Touched, not answered: show the page. @param {any} notification */
async function look({ data }) {
  if (data?.ticket) report(data.ticket, "seen").catch(() => {});
  const address = data?.link || (data?.reminder ? `/#/today?reminder=${data.reminder}` : "/");
  const open = await worker.clients.matchAll({ type: "window", includeUncontrolled: true });
  if (!open.length || data?.link) return worker.clients.openWindow(address);
  await open[0].focus();
  return open[0].postMessage({ go: address });
}

/** The browser has changed its keys: the device keeps its name. @param {any} event */
async function subscribeAgain(event) {
  const known = await (await caches.open(MEMORY)).match("/device");
  if (!known || !(event.newSubscription || event.oldSubscription)) return; // the page mends it
  const options = event.oldSubscription?.options;
  const made = event.newSubscription ?? (await worker.registration.pushManager.subscribe(options));
  const { endpoint, keys } = made.toJSON();
  await fetch(`/api/v1/devices/${await known.text()}`, {
    method: "PATCH", headers: { "Content-Type": "application/json", "If-Match": "*" },
    body: JSON.stringify({ address: `${endpoint}#${keys.p256dh}.${keys.auth}` }),
  });
}
