// BullMQ on Node: jobs added in bulks of 500, run fifty at a time; a hundred finished ones are kept.
// Does what `_peer.py` describes: `node bullmq_node.mjs PEERS URL WANTED`, and prints its figures as
// JSON. To be overtaken, ordinary jobs have a priority; one without is taken before them.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { performance } from "node:perf_hooks";
import { setTimeout as pause } from "node:timers/promises";

const [peers, url, wanted] = process.argv.slice(2);
const given = { number: 0, delayed: 0, seconds: 0, burst: 0, backlog: 0, urgent: 0 };
Object.assign(given, JSON.parse(wanted));
const { Queue, Worker } = createRequire(`${peers}/package.json`)("bullmq");
const connection = { host: "127.0.0.1", port: Number(new URL(url).port), maxRetriesPerRequest: null };
const SWING = 100; // these three as in _peer.py
const APART = 10;
const BULK = 500;

const queue = new Queue("bench", { connection });
await queue.waitUntilReady();

function described({ due = 0, urgent = 0 }) {
  const opts = { removeOnComplete: 100 };
  if (due) opts.delay = Math.max(Math.round(due - Date.now()), 0);
  if (given.backlog && !urgent) opts.priority = 10;
  return { name: "job", data: { due, urgent }, opts };
}

async function add(jobs) {
  for (let start = 0; start < jobs.length; start += BULK)
    await queue.addBulk(jobs.slice(start, start + BULK).map(described));
}

let begun = 0;
let late = [];
const overtook = new Map();
let awaited = { left: 0, urgent: false, over: () => {} };

function expect(left, urgent = false) {
  return new Promise((over) => (awaited = { left, urgent, over }));
}

async function handle({ data: { due, urgent } }) {
  if (due) late.push((performance.timeOrigin + performance.now() - due) / 1000);
  if (urgent) overtook.set(urgent, [performance.now(), begun]);
  else begun += 1;
  if (Boolean(urgent) === awaited.urgent && (awaited.left -= 1) === 0) awaited.over();
}

const begin = () => new Worker("bench", handle, { connection, concurrency: 50 });

async function lateness(dues) {
  if (dues.length === 0) return [];
  late = [];
  const over = expect(dues.length);
  await add(dues.map((due) => ({ due })));
  await over;
  return late;
}

async function rates({ number, delayed, seconds, burst }) {
  let began = performance.now();
  await add(Array(number).fill({}));
  const added = (performance.now() - began) / 1000;
  const over = expect(number + 1);
  begin();
  began = performance.now();
  await over;
  const run = (performance.now() - began) / 1000;
  const first = (many) => Date.now() + 1000 + many * (1 + (2000 * added) / Math.max(number, 1));
  const from = first(delayed);
  const spread = Array.from({ length: delayed }, () => from + Math.random() * seconds * 1000);
  const behind = await lateness(spread);
  return { number, add: added, run, late: behind, burst: await lateness(Array(burst).fill(first(burst))) };
}

async function overtaking({ backlog, urgent }) {
  await add(Array(backlog).fill({}));
  const swing = expect(Math.min(SWING, backlog));
  begin();
  await swing;
  const over = expect(urgent, true);
  const called = [];
  for (let one = 1; one <= urgent; one += 1) {
    called.push([performance.now(), begun]);
    await add([{ urgent: one }]);
    await pause(APART);
  }
  await over;
  const ends = called.map((_, at) => overtook.get(at + 1));
  return {
    waits: ends.map(([at], n) => (at - called[n][0]) / 1000),
    before: ends.map(([, behind], n) => behind - called[n][1]),
  };
}

await add([{}]);
const found = await (given.backlog ? overtaking : rates)(given);
const { version } = JSON.parse(readFileSync(`${peers}/node_modules/bullmq/package.json`, "utf8"));
console.log(JSON.stringify({ version, ...found }));
process.exit(0);
