// Words and times: both books say the same, and every key that pages use is in them.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";

import "../../clarion/console/views/dispatch.js"; // pages that bring words of their own
import "../../clarion/console/views/log.js";
import "../../clarion/console/views/oncall.js";
import * as words from "../../clarion/console/words.js";

const { en, zh } = words.BOOKS;

const HOME = new URL("../../clarion/console/", import.meta.url);
const sources = ["", "views/"].flatMap((folder) =>
  readdirSync(new URL(folder, HOME)).filter((name) => name.endsWith(".js")).map((name) => readFileSync(new URL(folder + name, HOME), "utf8")));
const placeholders = (text) => [...text.matchAll(/\{(\w+)\}/g)].map((one) => one[1]).sort();

test("both languages have the same keys", () => {
  assert.deepEqual(Object.keys(zh).sort(), Object.keys(en).sort());
});

test("both languages fill in the same values", () => {
  const differ = Object.keys(en).filter((key) => placeholders(en[key]).join() !== placeholders(zh[key]).join());
  assert.deepEqual(differ, []);
});

test("every key that a page names is in the books", () => {
  const used = sources.flatMap((text) => [...text.matchAll(/\bt\("([\w.]+)"/g)].map((one) => one[1]));
  assert.ok(used.length > 150);
  assert.deepEqual([...new Set(used)].filter((key) => !(key in en)), []);
});

// What no enumeration of the server lists; those are compared in tests/doors/http/test_console.py.
const FAMILIES = {
  level: ["critical", "high", "normal", "bulk"],
  "ring.state": ["off", "joining", "ready", "lost", "elsewhere", "ringing"],
  why: [
    "device_offline_too_long", "no_device", "missed", "unconfirmed", "denied", "done", "heard", "distress", "digest", "absence",
    "skipped", "paused", "series_ended", "snoozed", "tested_contact", "gone", "failing", "forbidden_address",
  ],
};

test("every state, level and reason has words", () => {
  const named = Object.entries(FAMILIES).flatMap(([family, names]) => names.map((name) => `${family}.${name}`));
  assert.deepEqual(named.filter((key) => !(key in en)), []);
});

test("every kind of event has a sentence", () => {
  const listed = readFileSync(new URL("../../docs/events.md", HOME), "utf8");
  const kinds = [...listed.matchAll(/^\| `([\w.]+)` \|/gm)].map((one) => one[1]);
  assert.ok(kinds.length > 80);
  assert.deepEqual(kinds.filter((kind) => !(`fact.${kind}` in en)), []);
});

test("a key that nobody wrote is shown as it is", () => {
  assert.equal(words.t("no.such.key"), "no.such.key");
});

test("the largest unit that fits is said", () => {
  words.speak("en");
  assert.deepEqual([4, 59, 60, 3_599, 3_600, 90_000].map(words.span), ["4 s", "59 s", "1 min", "60 min", "1 h", "1 d"]);
});

test("an instant is said from now", () => {
  words.speak("en");
  const now = new Date("2030-01-07T08:00:00Z");
  assert.equal(words.away("2030-01-07T08:05:00Z", now), "in 5 min");
  assert.equal(words.away("2030-01-07T06:00:00Z", now), "2 h ago");
  assert.equal(words.away("2030-01-07T08:00:02Z", now), "now");
});

test("days are those of the person's zone, not of the browser's", () => {
  words.speak("en");
  const now = new Date("2030-01-07T17:00:00Z"); // already the eighth in Shanghai
  assert.equal(words.day("2030-01-08T15:00:00Z", now, "Asia/Shanghai"), "Today");
  assert.equal(words.day("2030-01-08T15:00:00Z", now, "UTC"), "Tomorrow");
  assert.equal(words.clock("2030-01-07T17:05:00Z", "Asia/Shanghai"), "01:05");
});

test("a day has one name, however a browser writes dates", () => {
  const { prototype } = Intl.DateTimeFormat;
  const usual = /** @type {PropertyDescriptor} */ (Object.getOwnPropertyDescriptor(prototype, "format"));
  Object.defineProperty(prototype, "format", { configurable: true, get: () => () => "01/08/2030" });
  try {
    assert.equal(words.dayKey("2030-01-08T15:00:00Z", "Europe/Oslo"), "2030-01-08");
  } finally {
    Object.defineProperty(prototype, "format", usual);
  }
});

test("quiet hours are written as the screen's locale writes hours", () => {
  assert.equal(words.between({ begins: "22:00:00", ends: "07:00" }), "22:00–07:00");
});

test("midnight is right on the days when clocks change", () => {
  const spring = new Date("2030-03-31T12:00:00Z"); // Madrid goes to summer time that night
  assert.equal(words.midnight(spring, "Europe/Madrid").toISOString(), "2030-03-30T23:00:00.000Z");
  assert.equal(words.midnight(spring, "Europe/Madrid", 1).toISOString(), "2030-03-31T22:00:00.000Z");
});

test("what a field holds and an instant are the same there and back", () => {
  const at = "2030-07-01T06:30:00.000Z";
  assert.equal(words.localField(at, "Asia/Shanghai"), "2030-07-01T14:30");
  assert.equal(words.instant("2030-07-01T14:30", "Asia/Shanghai").toISOString(), at);
});
