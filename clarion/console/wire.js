// @ts-check
/** What a browser says to be a device: its name, its hello, its words. */

import * as api from "./api.js";
import { prefs } from "./house.js";
import { t } from "./words.js";

/** What we say first. @returns {any} */
export const hello = () => ({
  type: "hello",
  version: 1,
  transport: "websocket",
  features: { persistent: true },
  audio_params: { format: "opus", sample_rate: 16_000, channels: 1, frame_duration: 60 },
});

/** Typed or spoken words, as the protocol carries them. @param {string} text */
export const typed = (text) => ({ type: "listen", state: "detect", text });

/** A new name for a browser, which is also its id as a device. */
export const newDeviceId = () => `browser-${api.newKey().replace(/[^a-z0-9]/gi, "").slice(0, 12)}`;

/**
 * The id under which this browser rings for that user; made when it has none, or when the one it
 * had is gone. @param {import("./house.js").House} house @param {string} userId
 * @returns {Promise<string>}
 */
export async function registered(house, userId) {
  const known = prefs.get(`device.${userId}`);
  if (known) {
    try {
      const found = await api.get(`/devices/${known}`);
      if (found.user_id === userId) return known;
    } catch (error) {
      if (!(error instanceof api.Refusal) || error.status !== 404) throw error;
    }
  }
  const id = newDeviceId();
  const owner = house.isAdmin ? { user_id: userId } : {};
  await api.post("/devices", { id, kind: "browser", name: t("browser.name"), ...owner });
  prefs.set(`device.${userId}`, id);
  return id;
}
