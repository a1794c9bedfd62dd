// One tab of a browser is the device; the others know at once that they are not, and follow it.
import assert from "node:assert/strict";
import { afterEach, test } from "node:test";

import { Tabs } from "../../clarion/console/tabs.js";

const real = Object.getOwnPropertyDescriptor(globalThis, "navigator");
const tabs = [];
afterEach(() => {
  for (const one of tabs.splice(0)) one.channel?.close();
  if (real) Object.defineProperty(globalThis, "navigator", real);
  else delete globalThis.navigator;
});

/** The browser's locks as their standard has them: one holder a name, told of it a turn later. */
class Locks {
  held = new Set();
  waiting = [];

  async request(name, options, granted) {
    if (options.ifAvailable && options.signal) throw new Error("NotSupportedError");
    const free = !this.held.has(name);
    if (!free && options.ifAvailable) return granted(null);
    if (!free) await new Promise((next, refused) => {
      this.waiting.push(next);
      options.signal?.addEventListener("abort", () => {
        this.waiting.splice(this.waiting.indexOf(next), 1);
        refused(new Error("AbortError"));
      });
    });
    this.held.add(name);
    await new Promise((turn) => setImmediate(turn));
    try {
      return await granted({ name });
    } finally {
      this.held.delete(name);
      this.waiting.shift()?.();
    }
  }

  /** Shows a lock before its holder was told: what it says is not asked for. */
  async query() {
    return { held: [...this.held].map((name) => ({ name })) };
  }
}

function browser(locks) {
  Object.defineProperty(globalThis, "navigator", { value: { locks }, configurable: true });
}

function tab() {
  const made = new Tabs();
  tabs.push(made);
  return made;
}

/** Long enough for whatever is already on its way. */
async function turns() {
  for (let n = 0; n < 5; n++) await new Promise((turn) => setImmediate(turn));
}

test("the only tab leads, and never takes its own lock for another tab's", async () => {
  browser(new Locks());
  let led = 0;

  assert.equal(await tab().stand(() => led++), true);
  assert.equal(led, 1);
});

test("a second tab is told that it does not lead, and leads when the first steps down", async () => {
  browser(new Locks());
  const [first, second] = [tab(), tab()];
  await first.stand(() => {});

  assert.equal(await second.stand(() => {}), false);
  assert.equal(second.leads, false);
  first.stepDown();
  await turns();
  assert.deepEqual([first.leads, second.leads], [false, true]);
});

test("who no longer wants to lead while it is asked is not made to", async () => {
  browser(new Locks());
  const [gone, next] = [tab(), tab()];
  let led = 0;
  const asked = gone.stand(() => led++);
  gone.stepDown();

  assert.equal(await asked, false);
  assert.equal(led, 0);
  await turns();
  assert.equal(await next.stand(() => {}), true);
});

test("without locks every tab leads", async () => {
  browser(undefined);

  assert.equal(await tab().stand(() => {}), true);
  assert.equal(await tab().stand(() => {}), true);
});
