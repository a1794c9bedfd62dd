// @ts-check
/** Words in the person's language, and times as they are said. Pure apart from the one choice. */

import { en } from "./i18n/en.js";
import { enManage } from "./i18n/en_manage.js";
import { zh } from "./i18n/zh.js";
import { zhManage } from "./i18n/zh_manage.js";

export const BOOKS = { zh: { ...zh, ...zhManage }, en: { ...en, ...enManage } };

/** Words that only some pages need come with these pages. @param {typeof BOOKS} books */
export function learn(books) {
  Object.assign(BOOKS.zh, books.zh);
  Object.assign(BOOKS.en, books.en);
}

let lang = /** @type {"zh" | "en"} */ ("zh");

export const language = () => lang;
/** @param {"zh" | "en"} wanted */
export function speak(wanted) {
  lang = wanted;
}

/**
 * The words under `key`, with `{name}` filled in. A key nobody wrote is shown as it is.
 * @param {string} key
 * @param {Record<string, any>} [values]
 */
export function t(key, values = {}) {
  const found = /** @type {Record<string, string>} */ (BOOKS[lang])[key] ?? key;
  return found.replace(/\{(\w+)\}/g, (_, name) => String(values[name] ?? ""));
}

/** Whether there are words for it. @param {string} key */
export const has = (key) => key in BOOKS[lang];

/** The browser's own kind of that language, so that hours and dates look as at home. */
function localeNow() {
  const own = globalThis.navigator?.language ?? "";
  if (own.toLowerCase().startsWith(lang)) return own;
  return lang === "zh" ? "zh-CN" : "en-GB";
}

const formats = new Map();
/** @param {string} zone @param {Intl.DateTimeFormatOptions} options */
function format(zone, options) {
  const locale = localeNow();
  const key = locale + zone + JSON.stringify(options);
  if (!formats.has(key)) formats.set(key, new Intl.DateTimeFormat(locale, { ...options, timeZone: zone }));
  return formats.get(key);
}

/** Midnight is 00:00 where the day has 24 hours. @param {Intl.DateTimeFormatOptions} more */
function clockOptions(more = {}) {
  const twelve = Boolean(new Intl.DateTimeFormat(localeNow(), { hour: "numeric" }).resolvedOptions().hour12);
  return twelve ? { hour: /** @type {const} */ ("numeric"), minute: /** @type {const} */ ("2-digit"), ...more }
    : { hour: /** @type {const} */ ("2-digit"), minute: /** @type {const} */ ("2-digit"), hourCycle: /** @type {const} */ ("h23"), ...more };
}

/** `08:05`, or `8:05 AM` where people write it so. @param {string | Date} at @param {string} zone */
export const clock = (at, zone) => format(zone, clockOptions()).format(new Date(at));

/** `22:00–07:00`, or as people write it. @param {{begins: string, ends: string}} hours */
export const between = ({ begins, ends }) => [begins, ends].map((one) => clock(`1970-01-01T${one.slice(0, 5)}Z`, "UTC")).join("–");

/** `08:05:30` @param {string | Date} at @param {string} zone */
export const clockSeconds = (at, zone) => format(zone, clockOptions({ second: "2-digit" })).format(new Date(at));

/** 0 to 23 @param {string | Date} at @param {string} zone */
export const hourOf = (at, zone) => Number(shown(new Date(at), zone).hour);

/** `January 2030` @param {Date} at @param {string} zone */
export const monthOf = (at, zone) => format(zone, { year: "numeric", month: "long" }).format(at);

/** `Mon 7` @param {string} day as `dayKey` writes it */
export const shortDay = (day) => format("UTC", { weekday: "short", day: "numeric" }).format(new Date(`${day}T12:00Z`));

/**
 * The zone's name where its clocks differ from those of this screen, else nothing.
 * @param {string} zone @param {Date} now
 */
export function foreign(zone, now) {
  const here = Intl.DateTimeFormat().resolvedOptions().timeZone || "UTC";
  if (offset(now, zone) === offset(now, here)) return "";
  return t("zone.foreign", { zone: placeOf(zone, now), at: clock(now, zone) });
}

/** `Madrid time`, 西班牙时间: English names the city, other languages have a name of their own. @param {string} zone @param {Date} now */
function placeOf(zone, now) {
  const city = zone.split("/").at(-1)?.replaceAll("_", " ") ?? zone;
  if (lang === "en") return `${city} time`;
  const named = format(zone, { timeZoneName: "shortGeneric" }).formatToParts(now)
    .find((/** @type {Intl.DateTimeFormatPart} */ part) => part.type === "timeZoneName")?.value ?? "";
  return /\p{Script=Han}/u.test(named) ? named : `${city}时间`;
}

/** `2030-01-07` in that zone @param {string | Date} at @param {string} zone */
export function dayKey(at, zone) {
  const { year, month, day } = shown(new Date(at), zone);
  return `${year}-${month}-${day}`;
}

/**
 * What calendar and clock show there, part by part: browsers do not agree on how to join them.
 * @param {Date} at @param {string} zone
 */
function shown(at, zone) {
  const key = `shown${zone}`;
  const wanted = /** @type {any} */ ({
    timeZone: zone, hourCycle: "h23", year: "numeric", month: "2-digit", day: "2-digit",
    hour: "2-digit", minute: "2-digit", second: "2-digit",
  });
  if (!formats.has(key)) formats.set(key, new Intl.DateTimeFormat("en-GB", wanted));
  const parts = /** @type {Intl.DateTimeFormat} */ (formats.get(key)).formatToParts(at);
  return Object.fromEntries(parts.map((one) => [one.type, one.value]));
}

/**
 * `Today`, `Tomorrow`, or `Mon 7 January`
 * @param {string | Date} at
 * @param {Date} now
 * @param {string} zone
 */
export function day(at, now, zone) {
  const days = daysBetween(dayKey(now, zone), dayKey(at, zone));
  if (days === 0) return t("today");
  if (days === 1) return t("tomorrow");
  if (days === -1) return t("yesterday");
  return format(zone, { month: "short", day: "numeric", weekday: "short" }).format(new Date(at));
}

/** @param {string} from @param {string} to both as `dayKey` writes them */
export function daysBetween(from, to) {
  return Math.round((Date.parse(`${to}T00:00Z`) - Date.parse(`${from}T00:00Z`)) / 86_400_000);
}

/** `Monday, 7 January` @param {Date} at @param {string} zone */
export const longDay = (at, zone) =>
  format(zone, { weekday: "long", month: "long", day: "numeric" }).format(at);

/** `Tomorrow 08:00` @param {string} at @param {Date} now @param {string} zone */
export const dayAndClock = (at, now, zone) => `${day(at, now, zone)} ${clock(at, zone)}`;

const UNITS = /** @type {const} */ ([["d", 86_400], ["h", 3_600], ["m", 60], ["s", 1]]);

/** `5 min`, `2 h`: the largest unit that fits. @param {number} seconds */
export function span(seconds) {
  const size = Math.max(0, Math.round(seconds));
  const [unit, length] = UNITS.find(([, long]) => size >= long) ?? ["s", 1];
  return t(`span.${unit}`, { n: Math.round(size / length) });
}

/** `in 5 min`, `2 h ago`, `now` @param {string | Date} at @param {Date} now */
export function away(at, now) {
  const seconds = (new Date(at).getTime() - now.getTime()) / 1000;
  if (Math.abs(seconds) < 5) return t("now");
  return t(seconds > 0 ? "span.in" : "span.ago", { span: span(Math.abs(seconds)) });
}

/** A number as people write it. @param {number} n */
export const number = (n) => new Intl.NumberFormat(lang === "zh" ? "zh-CN" : "en-GB").format(n);

/**
 * Midnight at the beginning of the day of `now`, `days` later, in `zone`, as an instant.
 * @param {Date} now @param {string} zone @param {number} days
 */
export function midnight(now, zone, days = 0) {
  const date = new Date(`${dayKey(now, zone)}T00:00:00Z`);
  date.setUTCDate(date.getUTCDate() + days);
  // The zone's offset at about that moment; once more, as a change of clocks may lie between.
  const guess = new Date(date.getTime() - offset(date, zone));
  return new Date(date.getTime() - offset(guess, zone));
}

/** Milliseconds by which clocks in `zone` are ahead of UTC. @param {Date} at @param {string} zone */
export function offset(at, zone) {
  const { hour, minute, second } = shown(at, zone);
  const there = Date.parse(`${dayKey(at, zone)}T${hour}:${minute}:${second}Z`);
  return there - Math.floor(at.getTime() / 1000) * 1000;
}

/** What a `datetime-local` field holds, as an instant. @param {string} local @param {string} zone */
export function instant(local, zone) {
  const date = new Date(`${local}${local.length === 16 ? ":00" : ""}Z`);
  const guess = new Date(date.getTime() - offset(date, zone));
  return new Date(date.getTime() - offset(guess, zone));
}

/** The other way round: an instant for a `datetime-local` field. @param {string} at @param {string} zone */
export const localField = (at, zone) =>
  new Date(Date.parse(at) + offset(new Date(at), zone)).toISOString().slice(0, 16);
