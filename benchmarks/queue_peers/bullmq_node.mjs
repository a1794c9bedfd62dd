// BullMQ on Node: add in bulk, then run no-op jobs, fifty at a time. Prints seconds as JSON.
// One more is added before anything is timed: the connection is nobody's figure.
// With two more arguments also so many delayed ones that fall due within so many seconds.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { performance } from "node:perf_hooks";

const [peers, port, count, later = "0", within = "0"] = process.argv.slice(2);
const { Queue, Worker } = createRequire(`${peers}/package.json`)("bullmq");
const connection = { host: "127.0.0.1", port: Number(port), maxRetriesPerRequest: null };
const number = Number(count);
const delayed = Number(later);

const queue = new Queue("bench", { connection });
await queue.waitUntilReady();

async function add(dues) {
  for (let start = 0; start < dues.length; start += 500) {
    const jobs = dues.slice(start, start + 500).map((due, n) => ({
      name: "job",
      data: { number: start + n, due },
      opts: { removeOnComplete: 100, delay: due ? Math.max(Math.round(due - Date.now()), 0) : 0 },
    }));
    await queue.addBulk(jobs);
  }
}

await add([0]);
let began = performance.now();
await add(Array(number).fill(0));
const added = (performance.now() - began) / 1000;

const late = [];
async function handle(job) {
  if (job.data.due) late.push((performance.timeOrigin + performance.now() - job.data.due) / 1000);
}

let left = number + 1;
let over;
let ended = new Promise((resolve) => (over = resolve));
began = performance.now();
const worker = new Worker("bench", handle, { connection, concurrency: 50 });
worker.on("completed", () => {
  left -= 1;
  if (left === 0) over();
});
await ended;
const run = (performance.now() - began) / 1000;

if (delayed) {
  left = delayed;
  ended = new Promise((resolve) => (over = resolve));
  const first = Date.now() + 1000 + 2 * delayed;
  await add(Array.from({ length: delayed }, () => first + Math.random() * Number(within) * 1000));
  await ended;
}
const { version } = JSON.parse(readFileSync(`${peers}/node_modules/bullmq/package.json`, "utf8"));
console.log(JSON.stringify({ version, number, add: added, run, late }));
process.exit(0);
