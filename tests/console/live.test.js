// The event stream as text, and how long to wait before the next try.
import assert from "node:assert/strict";
import { test } from "node:test";

import { Live, reader, waitBefore } from "../../clarion/console/live.js";

const heard = (...parts) => {
  const events = [];
  const read = reader((event) => events.push(event));
  parts.forEach(read);
  return events;
};

test("an event that comes in pieces is one event", () => {
  assert.deepEqual(heard("id: 7\nevent: reminder.con", 'firmed\ndata: {"a"', ":1}\n", "\n"), [{ id: "7", kind: "reminder.confirmed", data: '{"a":1}' }]);
});

test("comments and pauses are no events", () => {
  assert.deepEqual(heard("retry: 2000\n\n: still here\n\n"), []);
});

test("carriage returns and several data lines are read as the standard says", () => {
  assert.deepEqual(heard("data: a\r\ndata: b\r\n\r\n"), [{ id: "", kind: "message", data: "a\nb" }]);
});

test("the id stays until another comes", () => {
  assert.deepEqual(heard("id: 1\ndata: a\n\ndata: b\n\n").map((one) => one.id), ["1", "1"]);
});

test("waiting grows and has an end", () => {
  assert.equal(waitBefore(0, 0.5), 1_000);
  assert.equal(waitBefore(2, 0.5), 4_000);
  assert.equal(waitBefore(50, 0.5), 15_000);
});

test("listeners hear their kinds, and everybody hears a reset", () => {
  const live = new Live();
  const told = [];
  live.on(["reminder."], (event) => told.push(event.kind));
  const stop = live.on(["device."], (event) => told.push(`2 ${event.kind}`));
  live.heard({ id: "1", kind: "reminder.created", data: "{}" });
  live.tell({ kind: "reset" });
  stop();
  live.tell({ kind: "device.seen" });
  assert.deepEqual(told, ["reminder.created", "reset", "2 reset"]);
  assert.equal(live.last, "1");
});
