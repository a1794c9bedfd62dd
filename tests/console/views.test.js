// The pure part of each view: what is shown, from what the server said.
import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { points, roundUp, stacked, thinned } from "../../clarion/console/charts.js";
import { loudness } from "../../clarion/console/chime.js";
import { hello, newDeviceId, typed } from "../../clarion/console/wire.js";
import { addressWith, readAddress } from "../../clarion/console/dialogs.js";
import { isChat, pick } from "../../clarion/console/house.js";
import { addressOfSubscription, machine } from "../../clarion/console/push.js";
import { Rings, lastDevice, meant } from "../../clarion/console/rings.js";
import { absenceOf, mustBeDone } from "../../clarion/console/views/absence.js";
import { verbOf } from "../../clarion/console/views/alarm.js";
import { didLast, filled, isOpen, toneOfLine } from "../../clarion/console/views/assistants.js";
import { shade, squares } from "../../clarion/console/views/calendar.js";
import { chatsOf } from "../../clarion/console/views/chat.js";
import { lastLine } from "../../clarion/console/views/dead.js";
import { urgentFirst } from "../../clarion/console/views/happening.js";
import { byDay, mayConfirm, sentence, standing, toneOf, warning, whenOf } from "../../clarion/console/views/facts.js";
import { idOf, quietOf } from "../../clarion/console/views/forms.js";
import { isZone } from "../../clarion/console/views/zone.js";
import { summed, verdict } from "../../clarion/console/views/health.js";
import { asked } from "../../clarion/console/views/log.js";
import { fit, projection, tilesIn, toPlace, toWorld } from "../../clarion/console/views/map.js";
import { offered } from "../../clarion/console/views/offer.js";
import { addressed, waysOf } from "../../clarion/console/views/contact.js";
import { consentOf, contextWith, inTurn, numbersIn, quietOrAway, turnOf } from "../../clarion/console/views/oncall.js";
import { letter } from "../../clarion/console/views/people.js";
import { byLevel, lanes, levelOf, nameOf } from "../../clarion/console/views/queue.js";
import { foundIn, linesOf, priority } from "../../clarion/console/views/rules.js";
import { readback } from "../../clarion/console/views/say.js";
import { percent, rankOf } from "../../clarion/console/views/schemes.js";
import { remade, remadeSeries } from "../../clarion/console/undo.js";
import { levelsWith, wordsOf } from "../../clarion/console/views/editing.js";
import { kindsOf } from "../../clarion/console/views/hooks.js";
import { daysOf, movedTo, turned } from "../../clarion/console/views/plan.js";
import { outcome, summed as summedUp, valuesIn, why } from "../../clarion/console/views/sheet.js";
import { living } from "../../clarion/console/views/tokens.js";
import { standingOf, wardOf, worstFirst } from "../../clarion/console/views/wall.js";
import { greeting, tally } from "../../clarion/console/views/today.js";
import { inSight } from "../../clarion/console/virtual.js";
import { speak } from "../../clarion/console/words.js";

const NOW = new Date("2030-01-07T08:00:00Z");
const around = { now: NOW, zone: "UTC", device: () => "the kitchen", person: (id) => (id === "ana" ? "Ana" : id) };
const reminder = (fields) => ({ id: "rem_1", status: "pending", attempt: 0, trigger_at: "2030-01-07T09:00:00Z", planned_at: "2030-01-07T09:00:00Z", ...fields });
beforeEach(() => speak("en"));

test("today: the greeting follows the hour", () => {
  assert.deepEqual([3, 8, 12, 15, 21].map(greeting), ["hello.night", "hello.morning", "hello.noon", "hello.afternoon", "hello.evening"]);
});

test("today: a day in numbers", () => {
  const day = ["confirmed", "completed", "pending", "triggered", "timeout", "cancelled"].map((status) => ({ status }));
  assert.deepEqual(tally(day), { done: 2, open: 2, missed: 1 });
});

test("today: what is over stands where it was meant, what is not where it will ring", () => {
  const late = { trigger_at: "2030-01-07T09:30:00Z", planned_at: "2030-01-07T08:00:00Z" };
  assert.equal(whenOf(reminder({ ...late, status: "confirmed" })), "2030-01-07T08:00:00Z");
  assert.equal(whenOf(reminder({ ...late, status: "pending" })), "2030-01-07T09:30:00Z");
});

test("today: reminders are grouped by day in order of time", () => {
  const some = [reminder({ id: "b", trigger_at: "2030-01-08T07:00:00Z" }), reminder({ id: "c", trigger_at: "2030-01-07T12:00:00Z" }), reminder({ id: "a" })];
  const days = byDay(some, (at) => at.slice(0, 10));
  assert.deepEqual(days.map(([day, items]) => [day, items.map((one) => one.id)]), [["2030-01-07", ["a", "c"]], ["2030-01-08", ["b"]]]);
});

test("today: one word for how a reminder stands", () => {
  assert.deepEqual(standing(reminder({}), NOW), { word: "to come", tone: "" });
  assert.deepEqual(standing(reminder({ attempt: 1 }), NOW), { word: "asks again", tone: "ring" });
  assert.deepEqual(standing(reminder({ trigger_at: "2030-01-07T07:00:00Z" }), NOW), { word: "due", tone: "ring" });
  assert.deepEqual(standing(reminder({ status: "timeout" }), NOW), { word: "nobody answered", tone: "bad" });
});

test("today: overdue is overdue, and what nobody can hear is warned of", () => {
  const waits = reminder({ unreached_since: "2030-01-07T07:30:00Z", guarantee: { level: "nobody", sentence: "…" } });
  assert.deepEqual(standing(waits, NOW, "UTC"), { word: "since 07:30, nobody reachable", tone: "bad" });
  assert.equal(whenOf(waits), "2030-01-07T07:30:00Z");
  assert.equal(warning(waits), "");
  assert.equal(warning(reminder({ guarantee: { level: "nobody", sentence: "Open the page." } })), "Open the page.");
  assert.equal(warning(reminder({ guarantee: { level: "sure", sentence: "Will ring." } })), "");
});

test("a late yes still counts, a cancelled one is over", () => {
  assert.deepEqual(["pending", "triggered", "timeout", "failed", "confirmed", "cancelled"].map((status) => mayConfirm({ status })), [true, true, true, true, false, false]);
});

test("facts: each event is a sentence with its values", () => {
  const event = (kind, data) => ({ id: 1, at: NOW.toISOString(), kind, subject: "rem_1", user_id: "ana", data });
  assert.equal(sentence(event("reminder.created", { by: "console", trigger_at: "2030-01-08T08:00:00Z" }), around), "Set by the console for Tomorrow 08:00");
  assert.equal(sentence(event("reminder.created", { by: "srs_01k9", trigger_at: "2030-01-08T08:00:00Z" }), around), "Set by its series for Tomorrow 08:00");
  assert.equal(sentence(event("reminder.triggered", { device: "d", attempt: 2 }), around), "Calls the kitchen, call number 2");
  assert.equal(sentence(event("ring.answered", { text: "yes", label: "CONFIRMED" }), around), "“yes”: a yes");
  assert.equal(sentence(event("reminder.failed", { reason: "device_offline_too_long" }), around), "Could not be told: no device was reachable for too long");
  assert.equal(sentence(event("something.new", {}), around), "something.new");
  assert.equal(toneOf(event("reminder.timeout", {})), "bad");
});

test("sheet: why it was not taken, and what was said", () => {
  const said = [{ subject: "rem_1", data: { text: "no, I feel sick" } }, { subject: "rem_1", data: { text: "later" } }];
  assert.equal(why(reminder({ status: "timeout", reason: "denied" }), said), "they said no · “no, I feel sick”");
  assert.equal(why(reminder({ id: "rem_2", status: "cancelled", reason: "skipped" }), said), "skipped once");
  assert.equal(why(reminder({ id: "rem_2", status: "cancelled", reason: "" }), said), "cancelled");
});

test("rules: a pattern keeps its commas and spaces", () => {
  assert.deepEqual(linesOf("building \\d{1,2}, \n\n(smoke|gas)\n"), ["building \\d{1,2}, ", "(smoke|gas)"]);
});

test("rules: a dry run in words", () => {
  assert.equal(foundIn({ stopped_by: "without", goes_to: [] }), "It would not go on: Never with one of these words.");
  assert.equal(foundIn({ stopped_by: "", goes_to: ["console:a", "console:b"] }), "It would go to console:a, console:b.");
  assert.equal(foundIn({ stopped_by: "", goes_to: [] }), "is not forwarded");
});

test("log: fields that have words are said in them", () => {
  const said = (kind, data, subject = "x") => sentence({ kind, subject, data }, around);
  assert.equal(said("device.seen", { online: true }), "the kitchen came online");
  assert.equal(said("device.seen", { online: false }), "the kitchen went offline");
  assert.equal(said("team.called", { call: "accepted" }, "fire-1"), "Team fire-1: is coming");
  assert.equal(said("event.reported", { title: "Smoke", severity: "high" }), "Reported: Smoke (high)");
  assert.equal(said("event.reported", { title: "", type: "traffic_accident", severity: "low" }), "Reported: traffic accident (low)");
  assert.equal(said("scheme.committed", { teams: ["fire-1", "fire-2"], by: "ana" }), "Ana sent fire-1, fire-2");
  assert.equal(said("scheme.committed", { teams: ["fire-1"], by: "automatic" }), "Clarion sent fire-1");
  assert.equal(said("user.added", { name: "" }, "ana"), "A new person: Ana");
  assert.equal(said("contact.reached", { fact: "opened", name: "Sue" }), "Sue opened the message");
  assert.equal(said("user.updated", {}, "ana"), "Changed: Ana");
});

test("log: the words on the screen find their kinds, other words are looked for in the events", () => {
  assert.deepEqual(asked(" came ONLINE "), { kind: ["device.seen"] });
  assert.deepEqual(asked("Pills"), { words: "Pills" });
  assert.deepEqual(asked(""), { words: "" });
  speak("zh");
  assert.deepEqual(asked("轮班"), { kind: ["rotation.changed"] });
});

test("say: what was understood, or what is missing", () => {
  const preview = { times: ["2030-01-07T08:10:00Z"], readback: "today 08:10", content: "tea", confirm: true };
  assert.deepEqual(readback(preview, null, NOW), { tone: "good", text: "today 08:10 · in 10 min · tea · asks until someone confirms" });
  assert.deepEqual(readback(null, { details: { readback: "At what time?" }, message: "-" }, NOW), { tone: "hint", text: "At what time?" });
});

test("device: what is said to the server, and which reminder rings", () => {
  assert.equal(hello().features.persistent, true);
  assert.deepEqual(typed("yes"), { type: "listen", state: "detect", text: "yes" });
  assert.match(newDeviceId(), /^browser-[a-z0-9]{12}$/);
  const open = [{ id: "1", content: "tea" }, { id: "2", content: "pills" }];
  assert.equal(meant(open, "Have you taken your pills?").id, "2");
  assert.equal(meant(open, "Hello?").id, "2");
  assert.equal(meant([], "Hello?"), null);
});

test("device: what is spoken before its ring is known is shown with it", () => {
  const reminder = (/** @type {string} */ id, /** @type {string} */ content) => ({ id, content, user_id: "ana", confirmation: { required: true } });
  const rings = new Rings(() => "browser-1", () => {});
  rings.spoken("Good morning.");
  rings.begins();
  rings.spoken("Time to water the plants.");
  rings.put(reminder("1", "water the plants"));
  rings.begins();
  rings.spoken("Have you taken your pills?");
  rings.put(reminder("2", "pills"));
  rings.put(reminder("3", "tea"));
  assert.deepEqual(rings.now.map((one) => one.text), ["Time to water the plants.", "Have you taken your pills?", ""]);
});

test("queue: lanes count what is due, and how long it waits", () => {
  const counts = { counts: [{ level: "high", status: "ready", tasks: 3 }, { level: "high", status: "scheduled", tasks: 9 }, { level: "bulk", status: "running", tasks: 1 }], longest_waiting: [{ level: "high", due_at: "2030-01-07T07:59:00Z" }] };
  const [critical, high, , bulk] = lanes(counts, NOW);
  assert.deepEqual(high, { level: "high", ready: 3, running: 0, later: 9, age: 60 });
  assert.equal(critical.ready, 0);
  assert.equal(bulk.running, 1);
});

test("queue: every priority has a level, and words are priorities too", () => {
  assert.deepEqual([0, 9, 10, 49, 50, 99, 100].map(levelOf), ["bulk", "bulk", "normal", "normal", "high", "high", "critical"]);
  assert.deepEqual(["vip", "7", "100", "101", "-1", "1.5", "", "紧急"].map(priority), [50, 7, 100, null, null, null, null, 100]);
  assert.deepEqual(byLevel([{ waiting: { high: 2 } }, { waiting: {} }], "waiting").high, [2, 0]);
});

test("queue: a task is named after its chat, with an arrow when it goes out", () => {
  const titles = new Map([["console:a", "Family"]]);
  const names = ["console:a", "out:console:a", "history:console:a", "telegram:1", null].map((source) => nameOf({ source, kind: "reminder.ring" }, titles));
  assert.deepEqual(names, ["Family", "→ Family", "Family", "telegram:1", "a ring"]);
});

test("dead: the last line of a traceback says what went wrong", () => {
  assert.equal(lastLine("Traceback:\n  File x\nValueError: no\n"), "ValueError: no");
  assert.equal(lastLine("clarion.base.errors.Unavailable: It is off.\n"), "It is off.");
  assert.equal(lastLine(null), "");
});

test("dispatch: the gravest open event comes first, what is over last", () => {
  const event = (id, severity, status, at) => ({ id, severity, status, reported_at: at });
  const sorted = urgentFirst([event("a", "critical", "closed", "3"), event("b", "low", "open", "2"), event("c", "high", "open", "1"), event("d", "high", "open", "2"), event("e", "critical", "covered", "4")]);
  assert.deepEqual(sorted.map((one) => one.id), ["d", "c", "b", "e", "a"]);
});

test("dispatch: an alternative that was taken has changed places with the best", () => {
  const taken = { quality: "optimal", chosen: 2 };
  const names = [0, 1, 2].map((index) => rankOf(index, taken));
  const plain = [0, 1, 2].map((index) => rankOf(index, { ...taken, chosen: 0 }));
  assert.deepEqual(names, [plain[2], plain[1], plain[0]]);
});

test("dispatch: a share is never rounded up to all", () => {
  assert.deepEqual([0, 0.5, 0.999, 1].map(percent), [0, 50, 99, 100]);
});

test("map: everything fits, north is up, one place is in the middle", () => {
  const places = [{ latitude: 30, longitude: 104 }, { latitude: 31, longitude: 105 }];
  const at = projection(fit(places));
  for (const [x, y] of places.map(at)) assert.ok(x >= 0 && x <= 640 && y >= 0 && y <= 420);
  assert.ok(at(places[1])[1] < at(places[0])[1]);
  assert.deepEqual(projection(fit([places[0]]))(places[0]), [320, 210]);
  const back = toPlace(toWorld(places[0]));
  assert.ok(Math.abs(back.latitude - 30) < 1e-9 && Math.abs(back.longitude - 104) < 1e-9);
});

test("map: the tiles cover the picture, once, and none is deeper than there are", () => {
  const view = { ...fit([{ latitude: 31.23, longitude: 121.47 }]), zoom: 12.3 };
  const tiles = tilesIn(view, 10);
  assert.ok(tiles.every((one) => one.address.startsWith("/ai/map/10/")));
  assert.equal(new Set(tiles.map((one) => one.address)).size, tiles.length);
  assert.ok(Math.min(...tiles.map((one) => one.left)) <= 0 && Math.max(...tiles.map((one) => one.left + one.size)) >= 640);
  assert.ok(Math.min(...tiles.map((one) => one.top)) <= 0 && Math.max(...tiles.map((one) => one.top + one.size)) >= 420);
});

test("people: ids out of names, quiet hours out of two fields", () => {
  assert.equal(idOf("Ana María"), "ana-maria");
  assert.match(idOf("奶奶", 0.5), /^person-[a-z0-9]+$/);
  assert.equal(quietOf("22:00", ""), null);
  assert.deepEqual(quietOf("22:00", "07:00"), { begins: "22:00", ends: "07:00" });
  assert.equal(letter({ name: "奶奶", id: "x" }), "奶");
});

test("people: who is on call is said with until when and who follows", () => {
  const now = new Date("2030-01-07T08:00:00Z");
  const turn = { now: { name: "Sue", ends_at: "2030-01-07T20:00:00Z" }, next: { name: "Tom" } };
  assert.match(turnOf(turn, now, "UTC"), /Sue.*20:00.*Tom/);
  assert.equal(turnOf({ now: { name: "Sue" }, next: null }, now, "UTC"), "Sue");
  assert.deepEqual(numbersIn(" 1  -2 "), [1, -2]);
  assert.equal(consentOf({ consent: "agreed" }), "");
  assert.notEqual(consentOf({ consent: "asked" }), consentOf({ consent: "refused" }));
});

test("people: a chat is nobody to look after", () => {
  assert.deepEqual(["console:main", "telegram:1", "ana"].map((id) => isChat({ id })), [true, true, false]);
  assert.equal(pick([{ id: "a" }, { id: "b" }], "b").id, "b");
  assert.equal(pick([{ id: "a" }], "gone").id, "a");
  assert.equal(pick([], null), null);
});

test("health: one verdict, and numbers by the minute", () => {
  assert.equal(verdict({ ready: true, degraded: true }).word, "health.degraded");
  assert.equal(verdict({ ready: false, degraded: true }).tone, "bad");
  assert.deepEqual(summed([1, 1, 1, 1, 1], 2), [1, 2, 2]);
});

test("calendar: the worst of a day is its colour, weeks begin on Monday", () => {
  assert.deepEqual([null, { total: 0 }, { total: 2, late: 0, missed: 0 }, { total: 2, late: 1, missed: 0 }, { total: 2, late: 1, missed: 1 }].map(shade), ["", "", "done", "late", "missed"]);
  const days = squares([{ day: "2030-01-07", tally: { total: 1, late: 0, missed: 0 } }], "2030-01-09");
  assert.deepEqual({ day: days[0].day, row: days[0].row }, { day: "2029-12-10", row: 0 });
  assert.equal(days.at(-1).day, "2030-01-09");
  assert.equal(days.find((one) => one.day === "2030-01-07").kind, "done");
});

test("chat: the console's chats, each once, its own first", () => {
  assert.deepEqual(chatsOf([{ chat_id: "console:a" }, { chat_id: "telegram:1" }, { chat_id: "console:main" }]), ["console:main", "console:a"]);
});

test("charts: scales are round, peaks stay, layers add up", () => {
  assert.deepEqual([0, 1, 3, 12, 70, 100].map(roundUp), [1, 1, 5, 20, 100, 100]);
  assert.deepEqual(thinned([1, 9, 1, 1], 2), [9, 1]);
  assert.deepEqual(stacked({ a: [1, 2], b: [3, 4] }, ["a", "b"])[1], { name: "b", low: [1, 2], high: [4, 6] });
  assert.equal(points([1, 2], 2).at(-1)[0], 320);
});

test("long lists: only what can be seen is drawn", () => {
  assert.deepEqual(inSight(0, 600, 60, 10_000), { first: 0, last: 18 });
  assert.deepEqual(inSight(60_000, 600, 60, 10_000), { first: 992, last: 1018 });
  assert.deepEqual(inSight(-500, 600, 60, 0), { first: 0, last: 0 });
});

test("ring: the chime rises and has an end", () => {
  const loud = [0, 1, 4, 8, 99].map(loudness);
  assert.deepEqual(loud, [...loud].sort((a, b) => a - b));
  assert.deepEqual([loud[3], loud[4]], [1, 1]);
});

test("ring: where it rang last counts, not where it began", () => {
  const at = (kind, device) => ({ kind, data: { device } });
  assert.equal(lastDevice([at("reminder.triggered", "a"), at("ring.moved", "b"), { kind: "ring.heard", data: {} }]), "b");
  assert.equal(lastDevice([]), undefined);
});

test("ring: which keys answer", () => {
  assert.deepEqual(["Enter", " ", "s", "S", "x", "Tab"].map(verbOf), ["confirm", "confirm", "snooze", "snooze", null, null]);
});

test("push: what the server is told of a subscription", () => {
  const given = { endpoint: "https://push.example/a", keys: { p256dh: "AB", auth: "CD" } };
  assert.equal(addressOfSubscription(given), "https://push.example/a#AB.CD");
  assert.equal(machine({ userAgent: "Mozilla/5.0 (iPhone; CPU iPhone OS 19)" }), "iPhone");
});

test("offer: what a browser could do more than it does", () => {
  const browser = { rings: false, pushes: false, mayPush: true, refused: false };
  assert.equal(offered(browser), "both");
  assert.equal(offered({ ...browser, rings: true }), "push");
  assert.equal(offered({ ...browser, mayPush: false }), "ring");
  assert.equal(offered({ ...browser, refused: true }), "");
  assert.equal(offered({ ...browser, pushes: true }), "");
});

test("addresses: a page with what is open in it", () => {
  const { name, query } = readAddress(addressWith("today", { reminder: "rem_1" }));
  assert.deepEqual([name, query.get("reminder")], ["today", "rem_1"]);
  assert.equal(readAddress("").name, "today");
});

test("assistants: a line's tone, what was done, the token in its place, an open door", () => {
  assert.equal(toneOfLine({ state: "connected", error: "" }), "good");
  assert.equal(toneOfLine({ state: "waiting", error: "" }), "ring");
  assert.equal(toneOfLine({ state: "waiting", error: "refused" }), "bad");
  assert.equal(toneOfLine({ state: "taken_over", error: "taken_over" }), "bad");
  assert.equal(didLast({ did: ["a", "b", "c", "d"].map((action) => ({ action })) }), "a, b, c");
  assert.equal(filled({ snippet: "Bearer {token}" }, "tok_1"), "Bearer tok_1");
  assert.equal(filled({ snippet: "Bearer {token}" }, ""), "Bearer {token}");
  assert.ok(isOpen(401, 'Bearer resource_metadata="https://x/y"'));
  assert.ok(!isOpen(401, null) && !isOpen(200, 'Bearer resource_metadata="https://x/y"'));
});

test("wall: the worst of a day decides, and who needs somebody comes first", () => {
  const day = (fields) => [reminder({ trigger_at: "2030-01-07T07:00:00Z", planned_at: "2030-01-07T07:00:00Z", ...fields })];
  assert.equal(standingOf(day({ status: "timeout" }), NOW).key, "wall.missed");
  assert.equal(standingOf(day({ status: "triggered" }), NOW).key, "wall.open");
  assert.equal(standingOf(day({ unreached_since: "2030-01-07T07:00:00Z" }), NOW).key, "wall.unreached");
  assert.equal(standingOf(day({ status: "confirmed" }), NOW).key, "wall.fine");
  assert.equal(standingOf([reminder({})], NOW).key, "wall.fine");
  const yesterday = reminder({ status: "timeout", planned_at: "2030-01-06T23:00:00Z" });
  const ward = wardOf({ id: "ana", zone: "UTC" }, [yesterday, reminder({})], NOW);
  assert.deepEqual([ward.standing.key, ward.numbers, ward.next.id], ["wall.missed", { done: 0, open: 1, missed: 0 }, "rem_1"]);
  const people = ["good", "bad", "ring"].map((tone) => ({ standing: { tone }, user: { id: tone } }));
  assert.deepEqual(worstFirst(people).map((one) => one.user.id), ["bad", "ring", "good"]);
});

test("zone: what the server would refuse is seen before", () => {
  assert.deepEqual(["Asia/Shanghai", "UTC", "Mars/Base", ""].map(isZone), [true, true, false, false]);
});

test("plan: a week begins on Monday, a month shows whole weeks", () => {
  assert.deepEqual([daysOf("week", "2030-01-09")[0], daysOf("week", "2030-01-09").length], ["2030-01-07", 7]);
  const month = daysOf("month", "2030-02-10");
  assert.deepEqual([month[0], month.at(-1), month.length % 7], ["2030-01-28", "2030-03-03", 0]);
  assert.equal(turned("2030-01-31", "month", 1), "2030-02-01");
  assert.equal(movedTo("2030-01-07T00:00:00Z", "2030-01-09", "Asia/Shanghai"), "2030-01-09T00:00:00.000Z");
  assert.equal(movedTo("2030-01-07T00:15:00Z", "2030-01-09", "Asia/Shanghai", "07"), "2030-01-08T23:15:00.000Z");
});

test("sheet: what a doctor asks", () => {
  const over = (status, late = false) => reminder({ status, content: "pills", late });
  assert.deepEqual([over("confirmed"), over("confirmed", true), over("timeout"), over("cancelled")].map(outcome), ["taken", "late", "missed", "skipped"]);
  assert.deepEqual(summedUp([over("confirmed"), over("timeout")]), [["pills", { taken: 1, late: 0, missed: 1, skipped: 0, open: 0 }]]);
  assert.deepEqual(valuesIn("量了，高压 135/85，血糖 6.2mmol/L，吃了 2 片"), ["135/85", "6.2mmol/L"]);
});

test("undo: a reminder is made again as it was, not in the past", () => {
  const past = remade(reminder({ trigger_at: "2030-01-07T07:00:00Z", content: "pills", base: 10 }), NOW);
  assert.equal(past.trigger_at, "2030-01-07T08:00:05.000Z");
  assert.equal(remade(reminder({}), NOW).trigger_at, "2030-01-07T09:00:00.000Z");
  assert.equal(remadeSeries({ content: "x", pattern: "0 8 * * *", count: 10, made: 4 }).count, 6);
});

test("by hand: what is typed becomes lists", () => {
  assert.deepEqual(wordsOf("吃了，咽了, done\n"), ["吃了", "咽了", "done"]);
  assert.deepEqual(kindsOf("reminder.*  ring.heard"), ["reminder.*", "ring.heard"]);
  assert.deepEqual(levelsWith(33)[0], ["33", "33"]);
  assert.deepEqual(living([{ revoked_at: "x" }, { expires_at: "2029-01-01T00:00:00Z" }, { id: "a" }], NOW), [{ id: "a" }]);
});

test("an absence is said from when or until when it lasts, and not when it is over", () => {
  const away = (begins, ends) => absenceOf({ zone: "UTC", absence: { begins, ends } }, NOW);
  speak("en");
  assert.equal(away("2030-01-07T07:00:00Z", "2030-01-08T09:00:00Z"), "away until Tomorrow 09:00");
  assert.equal(away("2030-01-08T07:00:00Z", null), "away from Tomorrow 07:00");
  assert.equal(away("2030-01-01T07:00:00Z", null), "away");
  assert.equal(away("2030-01-01T07:00:00Z", "2030-01-07T08:00:00Z"), "");
});

test("medicines are named once each before they are paused", () => {
  const pill = { content: "pills", base: 10, confirmation: { needs: "done" } };
  const tea = { content: "tea", base: 10, confirmation: { needs: "heard" } };
  assert.deepEqual(mustBeDone([pill, pill, tea, { ...tea, content: "fire", base: 100 }]), ["pills", "fire"]);
});

test("what ended while the server was being asked does not ring again", async () => {
  let answer = (/** @type {any} */ _) => {};
  globalThis.fetch = () => new Promise((done) => { answer = (body) => done(new Response(JSON.stringify(body))); });
  const rings = new Rings(() => "browser-1", () => {});
  const pills = { id: "rem_1", content: "pills", user_id: "ana", status: "triggered", confirmation: { required: true } };

  const asking = rings.add("rem_1");
  rings.happened({ kind: "reminder.confirmed", subject: "rem_1", data: {} });
  answer(pills);
  await asking;
  assert.deepEqual(rings.now, []);

  const later = rings.add("rem_1");
  answer(pills);
  await later;
  assert.equal(rings.now.length, 1);
});

test("contacts: the first way is their address, the others follow in order", () => {
  const ways = [{ address: "ntfy://a", after: 0 }, { address: "", after: 60 }, { address: "device:study", after: 300 }];
  assert.deepEqual(addressed(ways), { address: "ntfy://a", ways: [{ address: "device:study", after: 300 }] });
  assert.deepEqual(addressed([{ address: "", after: 0 }]), { ways: [] });
  assert.deepEqual(waysOf({ address: "ntfy://a", ways: [{ address: "ntfy://b", after: 60 }] }).map((one) => one.address), ["ntfy://a", "ntfy://b"]);
});

test("contacts: who is away or sleeps is seen", () => {
  const away = [{ first: "2030-01-06", last: "2030-01-08" }];
  assert.equal(quietOrAway({ away }, "2030-01-08"), "away until 2030-01-08");
  assert.equal(quietOrAway({ away, quiet: { begins: "23:00", ends: "06:00" } }, "2030-01-09"), "quiet 23:00–06:00");
  assert.equal(quietOrAway({}, "2030-01-09"), "");
});

test("policy: what else is remembered of somebody stays", () => {
  const known = { habits: { dinner: "19:00" }, warn_contacts: true, for_contacts: { phone: "1" } };
  assert.deepEqual(contextWith(known, { phone: "", address: "" }, false), { habits: { dinner: "19:00" } });
  assert.deepEqual(contextWith({}, { phone: "1", address: "" }, true), { for_contacts: { phone: "1" }, warn_contacts: true });
});

test("rotation: whoever takes turns keeps their place", () => {
  const contacts = ["a", "b", "c"].map((id) => ({ id }));
  assert.deepEqual(inTurn(contacts, ["c", "a"]).map((one) => one.id), ["c", "a", "b"]);
});
