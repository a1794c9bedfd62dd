// Ending a series asks what becomes of the reminders it has open; yes ends them with it.
import assert from "node:assert/strict";
import { afterEach, test } from "node:test";

import { endSeries } from "../../clarion/console/undo.js";

const real = { fetch: globalThis.fetch, confirm: globalThis.confirm };
afterEach(() => Object.assign(globalThis, real));

const SERIES = { id: "ser_1", current: "rem_next", content: "take the pills", count: null };

/** The address that was called to end it, and the questions asked. */
async function ended(open, answer) {
  const asked = [], removed = [], refused = [];
  globalThis.confirm = (words) => (asked.push(words), answer);
  globalThis.fetch = async (url, options) => {
    if (options.method === "DELETE") {
      removed.push(String(url));
      return new Response(null, { status: 204 });
    }
    assert.match(String(url), /series_id=ser_1&status=pending&status=triggered/);
    return new Response(JSON.stringify({ items: open.map((id) => ({ id })), next_cursor: null }));
  };
  await endSeries({ say: () => {}, fail: (error) => refused.push(error), house: {}, now: () => new Date() }, SERIES);
  assert.deepEqual(refused, []);
  return { asked, removed };
}

test("what it has put off or asks again is asked about, with their number, and ends with it", async () => {
  const { asked, removed } = await ended(["rem_next", "rem_snoozed", "rem_rings"], true);
  assert.equal(asked.length, 1);
  assert.match(asked[0], /\b2\b/);
  assert.deepEqual(removed, ["/api/v1/series/ser_1"]);
});

test("who says no keeps them", async () => {
  const { removed } = await ended(["rem_next", "rem_snoozed"], false);
  assert.deepEqual(removed, ["/api/v1/series/ser_1?keep_open=true"]);
});

test("with nothing but its next time open there is nothing to ask", async () => {
  const { asked, removed } = await ended(["rem_next"], false);
  assert.deepEqual(asked, []);
  assert.deepEqual(removed, ["/api/v1/series/ser_1"]);
});
