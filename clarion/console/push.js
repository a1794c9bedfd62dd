// @ts-check
/** This browser as something that rings while no page is open: Web Push. */

import * as api from "./api.js";
import { prefs } from "./house.js";
import { newDeviceId } from "./wire.js";
import { t } from "./words.js";

const MEMORY = "clarion-memory"; // as in sw.js
const here = /** @type {any} */ (globalThis);

/** Needs https, or this very machine. */
export const canPush = () => Boolean(here.isSecureContext && navigator.serviceWorker && here.PushManager && here.Notification);
export const isPushed = () => prefs.get("push.device") !== null;

/** Trusted Types let no text become a script's address, but this one. */
function workerAddress() {
  const rules = { createScriptURL: (/** @type {string} */ path) => (path === "/sw.js" ? path : "about:blank") };
  return here.trustedTypes ? here.trustedTypes.createPolicy("clarion", rules).createScriptURL("/sw.js") : "/sw.js";
}

/**
 * The worker keeps the console's files too, so it is there whether or not somebody wants a push.
 * @param {{go: (address: string) => void, renewed: () => void}} told
 */
export async function startWorker({ go, renewed }) {
  if (!here.isSecureContext || !navigator.serviceWorker) return;
  const before = navigator.serviceWorker.controller;
  navigator.serviceWorker.addEventListener("controllerchange", () => before && renewed());
  navigator.serviceWorker.addEventListener("message", (event) => event.data?.go && go(event.data.go));
  await navigator.serviceWorker.register(workerAddress(), { scope: "/", updateViaCache: "none" });
}

/** What the server keeps of a subscription. @param {any} subscription as `toJSON` gives it */
export const addressOfSubscription = ({ endpoint, keys }) => `${endpoint}#${keys.p256dh}.${keys.auth}`;

/** `Android`, `iPhone`: what its owner calls it. @param {any} agent the browser's `navigator` */
export function machine(agent) {
  const named = /iPhone|iPad|Android|Mac|Windows|Linux/.exec(agent.userAgent ?? "");
  return agent.userAgentData?.platform || named?.[0] || t("browser.name");
}

/**
 * Ring here from now on, page or no page. Asked for by a click.
 * @param {import("./house.js").House} house @param {string} userId
 */
export async function turnPushOn(house, userId) {
  if ((await Notification.requestPermission()) !== "granted") throw new api.Refusal(403, { message: t("push.denied") });
  const address = addressOfSubscription((await subscribed()).toJSON());
  const owner = house.isAdmin ? { user_id: userId } : {};
  const id = `push-${newDeviceId().replace("browser-", "")}`;
  await turnPushOff();
  await api.post("/devices", { id, kind: "push", name: t("push.name", { what: machine(navigator) }), address, ...owner });
  await remember(id);
}

export async function turnPushOff() {
  const known = prefs.get("push.device");
  if (known) await api.remove(`/devices/${known}`).catch(gone);
  await remember(null);
}

/** After a reload: the browser may have changed its keys, the server may have forgotten us. */
export async function keepPush() {
  const known = prefs.get("push.device");
  if (!known || !canPush() || Notification.permission !== "granted") return;
  const address = addressOfSubscription((await subscribed()).toJSON());
  try {
    const found = await api.get(`/devices/${known}`);
    if (found.address !== address) await api.patch(`/devices/${known}`, { address }, "*");
  } catch (error) {
    if (error instanceof api.Refusal && error.status === 404) await remember(null);
  }
}

async function subscribed() {
  const { key } = await api.get("/push");
  const { pushManager } = await navigator.serviceWorker.ready;
  const wanted = { userVisibleOnly: true, applicationServerKey: key };
  try {
    return await pushManager.subscribe(wanted);
  } catch {
    // A subscription for another key is in the way: that of a Clarion which was here before.
    await (await pushManager.getSubscription())?.unsubscribe();
    return pushManager.subscribe(wanted);
  }
}

/** The worker has no local storage. @param {string | null} id */
async function remember(id) {
  prefs.set("push.device", id);
  const memory = await caches.open(MEMORY);
  if (id) await memory.put("/device", new Response(id));
  else await memory.delete("/device");
}

/** @param {any} error */
function gone(error) {
  if (!(error instanceof api.Refusal) || error.status !== 404) throw error;
}
