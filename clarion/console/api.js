// @ts-check
/**
 * Talks to the server. Every request ends: with an answer, or after a bound with an error that
 * has a sentence for people.
 */

import { language } from "./words.js";

const PREFIX = "/api/v1";
export const PATIENCE = 12_000; // milliseconds; a person has given up long before

/** What the server refused, or why it could not be asked. */
export class Refusal extends Error {
  /** @param {number} status 0: nobody answered. @param {any} problem */
  constructor(status, problem = {}) {
    super(problem.message || problem.detail || `HTTP ${status}`);
    this.status = status;
    this.code = problem.code || (status ? "http" : "offline");
    this.hint = problem.hint || "";
    this.details = problem.details || {};
  }
}

/** @param {Record<string, any>} query Lists are repeated, null and undefined are left out. */
export function withQuery(path, query = {}) {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one !== null && one !== undefined && one !== "") search.append(name, String(one));
    }
  }
  const text = search.toString();
  return text ? `${path}?${text}` : path;
}

/** @param {string} path An absolute one is taken as it is: `/health`. */
export function addressOf(path) {
  return path.startsWith("/ai/") || path.startsWith("/health") ? path : PREFIX + path;
}

/**
 * @param {string} method
 * @param {string} path
 * @param {{body?: any, version?: number | "*", query?: Record<string, any>, key?: string,
 *          signal?: AbortSignal, kind?: string}} [options] `kind`: the body is a text of that kind
 * @returns {Promise<any>} null for an empty answer
 */
export async function call(method, path, options = {}) {
  /** @type {Record<string, string>} */
  const headers = { Accept: "application/json", "Accept-Language": language() };
  if (options.body !== undefined) headers["Content-Type"] = options.kind ?? "application/json";
  if (options.version !== undefined) headers["If-Match"] = `"${options.version}"`.replace('"*"', "*");
  if (options.key) headers["Idempotency-Key"] = options.key;
  const bound = AbortSignal.timeout(PATIENCE);
  const signal = options.signal ? AbortSignal.any([options.signal, bound]) : bound;
  let answer;
  try {
    answer = await fetch(addressOf(withQuery(path, options.query)), {
      method,
      headers,
      signal,
      credentials: "same-origin",
      body: options.body === undefined || options.kind ? options.body : JSON.stringify(options.body),
    });
  } catch (error) {
    if (options.signal?.aborted) throw error;
    throw new Refusal(0);
  }
  return understood(answer);
}

/** @param {Response} answer */
async function understood(answer) {
  const text = await answer.text().catch(() => "");
  let body = null;
  try {
    body = text ? JSON.parse(text) : null;
  } catch {
    body = null;
  }
  if (answer.ok || (answer.status === 503 && body?.checks)) return body;
  throw new Refusal(answer.status, body ?? {});
}

/** @param {string} path @param {Record<string, any>} [query] @param {AbortSignal} [signal] */
export const get = (path, query, signal) => call("GET", path, { query, signal });
/** @param {string} path @param {any} [body] @param {string} [key] */
export const post = (path, body, key) => call("POST", path, { body, key });
/** @param {string} path @param {any} body @param {number | "*"} version */
export const patch = (path, body, version) => call("PATCH", path, { body, version });
/** @param {string} path @param {number | "*"} [version] */
export const remove = (path, version) => call("DELETE", path, { version });

/** A text as it is. @param {string} path @param {string} text @param {string} kind */
export const upload = (path, text, kind) => call("POST", path, { body: text, kind });

/** A key of our own, so that a request sent twice is done once. */
export const newKey = () => globalThis.crypto?.randomUUID?.() ?? `${Date.now()}-${Math.random()}`;

/**
 * All pages of a list, up to `most` items.
 * @param {string} path
 * @param {Record<string, any>} [query]
 */
export async function all(path, query = {}, most = 500) {
  /** @type {any[]} */
  const items = [];
  let cursor = null;
  do {
    const page = await get(path, { ...query, limit: 100, cursor });
    items.push(...page.items);
    cursor = page.next_cursor;
  } while (cursor && items.length < most);
  return items;
}
