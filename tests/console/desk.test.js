// @ts-check
import assert from "node:assert/strict";
import { test } from "node:test";

import "../../clarion/console/views/dispatch.js"; // it brings the words
import { kindOf, pathOf, shapesOf } from "../../clarion/console/tiles.js";
import { amounts } from "../../clarion/console/views/desk.js";
import { arrival, steady, tally } from "../../clarion/console/views/happening.js";
import { deed, figure } from "../../clarion/console/views/past.js";
import { etaOf, titled, withTitles } from "../../clarion/console/views/schemes.js";
import { speak } from "../../clarion/console/words.js";

test("amounts are read as people type them", () => {
  assert.deepEqual(amounts("medical 2, search"), { medical: 2, search: 1 });
  assert.deepEqual(amounts("medical x 3；急救=2"), { medical: 3, 急救: 2 });
  assert.deepEqual(amounts(""), {});
  speak("en");
  assert.deepEqual(amounts("Water rescue 2, hazardous materials x1, drones"), { water_rescue: 2, hazmat: 1, drones: 1 });
  speak("zh");
  assert.deepEqual(amounts("医疗 2，搜救"), { medical: 2, search: 1 });
  assert.equal(amounts("two medics!"), null);
});

test("a time is shown with its source, its age and the age of the position", () => {
  speak("en");
  const now = new Date("2030-01-07T08:10:00Z");
  const one = { eta_source: "osrm", eta_at: "2030-01-07T08:08:00Z", position_at: "2030-01-07T07:40:00Z" };
  assert.equal(etaOf(one, now), "by road, 2 min ago · position 30 min ago");
  assert.equal(etaOf({ eta_source: "air" }, now), "estimated");
  const way = { eta_source: "air", opened_at: one.eta_at, expected_at: "2030-01-07T08:15:00Z" };
  assert.equal(arrival(way, now), "expected in 5 min (estimated, 2 min ago)");
  assert.equal(arrival({ ...way, on_scene_at: one.eta_at }, now), "there since 2 min ago");
});

test("events have a name, and their states are counted", () => {
  speak("en");
  assert.equal(titled({ title: "", report: "", type: "fire" }), "fire");
  assert.equal(tally([{ status: "open" }, { status: "open" }, { status: "covered" }]), "open 2 · covered 1");
});

test("whatever happens, the page asks once at a time and once more at the end", async () => {
  /** @type {((_: any) => void)[]} */
  const asked = [];
  let again = () => {};
  const askedAgain = new Promise((done) => (again = () => done(undefined)));
  const look = steady(() => new Promise((done) => asked.push(done) === 2 && again()), 0);
  look();
  for (let n = 0; n < 50; n += 1) look();
  assert.equal(asked.length, 1);
  asked[0](undefined);
  await askedAgain;
  asked[1](undefined);
  await new Promise((done) => setTimeout(done, 5));
  assert.equal(asked.length, 2);
});

test("a scheme names what a team leaves by its title", () => {
  const scheme = { teams: [{ taken_from: "evt-1" }, { taken_from: null }], alternatives: [], explanation: "leaves evt-1" };
  const shown = withTitles(scheme, () => "Smoke");
  assert.deepEqual([shown.explanation, shown.teams.map((one) => one.taken_from)], ["leaves Smoke", ["Smoke", null]]);
});

test("the log is in words, figures are readable", () => {
  speak("en");
  assert.equal(deed({ what: "POST /ai/schemes/sch_1/approve" }), "approved");
  assert.equal(deed({ what: "something.else" }), "something.else");
  assert.deepEqual([figure("sent", 3), figure("p90_seconds", 300), figure("first_seconds", null)], ["3", "5 min", "–"]);
});

/** A message of protocol buffers by hand. @param {number} field @param {number[]} bytes */
const part = (field, bytes) => [field * 8 + 2, bytes.length, ...bytes];
const letters = (/** @type {string} */ text) => [...new TextEncoder().encode(text)];

test("a vector tile becomes paths and names", () => {
  const lake = [...part(4, [9, 0, 0, 26, 20, 0, 0, 20, 19, 0, 15]), 3 * 8, 3];
  const town = [...part(2, [0, 0]), 3 * 8, 1, ...part(4, [9, 80, 40])];
  const water = [...part(1, letters("water")), ...part(2, lake), 5 * 8, 128, 32];
  const places = [...part(1, letters("places")), ...part(2, town), ...part(3, letters("name")),
    ...part(4, part(1, letters("外滩"))), 5 * 8, 128, 32];
  const found = shapesOf(Uint8Array.from([...part(3, water), ...part(3, places)]));
  assert.equal(found.extent, 4096);
  assert.deepEqual(found.paths, { water: "M0 0L10 0L10 10L0 10z" });
  assert.deepEqual(found.names, [{ name: "外滩", x: 40, y: 20 }]);
  assert.equal(pathOf([9, 2, 1]), "M1 -1");
  assert.deepEqual(["transportation", "roads", "earth", "poi"].map(kindOf), ["street", "street", "", ""]);
});
