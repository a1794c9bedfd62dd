// What the scripts of queues on Node share: what they are asked, the work, the answer. See `_peer.py`,
// which does the same. `queue` has `add(jobs)`, `begin(handle)` and `version`.
import { writeSync } from "node:fs";
import { performance } from "node:perf_hooks";
import { setTimeout as pause } from "node:timers/promises";

export const [peers, url, wanted] = process.argv.slice(2);
export const given = {
  ...{ number: 0, delayed: 0, seconds: 0, burst: 0, backlog: 0, urgent: 0 },
  ...{ work: 0, bytes: 0, slots: 50, feed: 0, serve: false },
  ...JSON.parse(wanted),
};
export const BULK = 500; // these three as in _peer.py
const SWING = 100;
const APART = 10;
export const filler = "x".repeat(given.bytes);

let begun = 0;
let late = [];
const overtook = new Map();
let awaited = { left: 0, urgent: false, over: () => {} };

function expect(left, urgent = false) {
  return new Promise((over) => (awaited = { left, urgent, over }));
}

async function handle({ due = 0, urgent = 0, number = 0 }) {
  if (given.serve) {
    writeSync(1, `${number}\n`);
    return;
  }
  if (due) late.push((performance.timeOrigin + performance.now() - due) / 1000);
  if (urgent) overtook.set(urgent, [performance.now(), begun]);
  else begun += 1;
  if (given.work) await pause(given.work * 1000);
  if (Boolean(urgent) === awaited.urgent && (awaited.left -= 1) === 0) awaited.over();
}

async function lateness(queue, dues) {
  if (dues.length === 0) return [];
  late = [];
  const over = expect(dues.length);
  await queue.add(dues.map((due) => ({ due })));
  await over;
  return late;
}

async function rates(queue, { number, delayed, seconds, burst }) {
  let began = performance.now();
  await queue.add(Array(number).fill({}));
  const added = (performance.now() - began) / 1000;
  const over = expect(number + 1);
  await queue.begin(handle);
  began = performance.now();
  await over;
  const run = (performance.now() - began) / 1000;
  const first = (many) => Date.now() + 1000 + many * (1 + (2000 * added) / Math.max(number, 1));
  const from = first(delayed);
  const spread = Array.from({ length: delayed }, () => from + Math.random() * seconds * 1000);
  const behind = await lateness(queue, spread);
  const last = await lateness(queue, Array(burst).fill(first(burst)));
  return { number, add: added, run, late: behind, burst: last };
}

async function overtaking(queue, { backlog, urgent }) {
  await queue.add(Array(backlog).fill({}));
  const swing = expect(Math.min(SWING, backlog));
  await queue.begin(handle);
  await swing;
  const over = expect(urgent, true);
  const called = [];
  for (let one = 1; one <= urgent; one += 1) {
    called.push([performance.now(), begun]);
    await queue.add([{ urgent: one }]);
    await pause(APART);
  }
  await over;
  const ends = called.map((_, at) => overtook.get(at + 1));
  return {
    waits: ends.map(([at], n) => (at - called[n][0]) / 1000),
    before: ends.map(([, behind], n) => behind - called[n][1]),
  };
}

async function serve(queue) {
  await queue.begin(handle);
  await new Promise(() => setInterval(() => {}, 60_000));
}

async function feed(queue) {
  const began = performance.now();
  for (let added = 0; added < given.feed * given.seconds; await pause(50)) {
    const due = Math.min(Math.floor(((performance.now() - began) / 1000) * given.feed), added + BULK);
    const jobs = [];
    for (let number = added; number < due; number += 1) jobs.push({ number: number + 1 });
    try {
      if (jobs.length) await queue.add(jobs);
      if (jobs.length) console.log(jobs.map((job) => job.number).join(" "));
      added += jobs.length;
    } catch (error) {
      console.error("refused:", error.message);
    }
  }
}

export async function measure(queue) {
  if (given.serve) await serve(queue);
  if (given.feed) {
    await feed(queue);
    process.exit(0);
  }
  await queue.add([{}]);
  const found = await (given.backlog ? overtaking : rates)(queue, given);
  console.log(JSON.stringify({ version: queue.version, ...found }));
  process.exit(0);
}
