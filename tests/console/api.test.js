// Requests as they are written, and refusals as they are read.
import assert from "node:assert/strict";
import { afterEach, test } from "node:test";

import * as api from "../../clarion/console/api.js";

const real = globalThis.fetch;
afterEach(() => (globalThis.fetch = real));
const answering = (status, body) => (globalThis.fetch = async (url, options) => Object.assign(new Response(JSON.stringify(body), { status }), { asked: { url, options } }));

test("lists are repeated and nothing is left out of nothing", () => {
  assert.equal(api.withQuery("/x", { status: ["a", "b"], cursor: null, limit: 5, words: "" }), "/x?status=a&status=b&limit=5");
});

test("the dispatch routes and health stand beside the API", () => {
  assert.deepEqual(["/ai/teams", "/health", "/users"].map(api.addressOf), ["/ai/teams", "/health", "/api/v1/users"]);
});

test("a change names its version", async () => {
  let asked;
  globalThis.fetch = async (url, options) => ((asked = options.headers["If-Match"]), new Response("{}"));
  await api.patch("/users/a", {}, 3);
  assert.equal(asked, '"3"');
  await api.patch("/users/a", {}, "*");
  assert.equal(asked, "*");
});

test("a refusal has a sentence, a hint and a code", async () => {
  answering(409, { code: "conflict", message: "It is there.", hint: "Look.", details: { a: 1 } });
  await assert.rejects(api.get("/x"), (error) => error.status === 409 && error.message === "It is there." && error.hint === "Look." && error.details.a === 1);
});

test("nobody answering is a refusal too, not a wait without end", async () => {
  globalThis.fetch = async () => { throw new TypeError("failed to fetch"); };
  await assert.rejects(api.get("/x"), (error) => error.status === 0 && error.code === "offline");
});

test("health is read also when it says that it is not ready", async () => {
  answering(503, { ready: false, checks: {} });
  assert.deepEqual(await api.get("/health"), { ready: false, checks: {} });
});

test("all pages are read, up to a bound", async () => {
  let page = 0;
  globalThis.fetch = async () => new Response(JSON.stringify({ items: [++page], next_cursor: page < 4 ? "more" : null }));
  assert.deepEqual(await api.all("/x"), [1, 2, 3, 4]);
  page = 0;
  assert.deepEqual(await api.all("/x", {}, 2), [1, 2]);
});

test("a key is made where there is no crypto, and none comes twice", () => {
  const usual = Object.getOwnPropertyDescriptor(globalThis, "crypto");
  Object.defineProperty(globalThis, "crypto", { configurable: true, value: undefined });
  try {
    assert.notEqual(api.newKey(), api.newKey());
  } finally {
    if (usual) Object.defineProperty(globalThis, "crypto", usual);
    else delete globalThis.crypto;
  }
});
