// @ts-check
import assert from "node:assert/strict";
import { test } from "node:test";

import { amounts } from "../../clarion/console/views/desk.js";
import { matches } from "../../clarion/console/views/dispatch.js";

test("amounts are read as people type them", () => {
  assert.deepEqual(amounts("medical 2, search"), { medical: 2, search: 1 });
  assert.deepEqual(amounts("medical x 3；急救=2"), { medical: 3, 急救: 2 });
  assert.deepEqual(amounts(""), {});
  assert.equal(amounts("two medics!"), null);
});

test("a team is found by its name, its id or what it can do", () => {
  const one = { id: "t-07", name: "急救一队", capabilities: { medical: 2 } };
  assert.ok(matches(one, "急救") && matches(one, "t-07") && matches(one, "medic") && matches(one, ""));
  assert.ok(!matches(one, "boat"));
});
