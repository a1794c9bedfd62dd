// BullMQ on Node: add in bulk, then run no-op jobs. Prints seconds as JSON.
import { createRequire } from "node:module";
import { performance } from "node:perf_hooks";

const [peers, port, count] = process.argv.slice(2);
const { Queue, Worker } = createRequire(`${peers}/package.json`)("bullmq");
const connection = { host: "127.0.0.1", port: Number(port), maxRetriesPerRequest: null };
const number = Number(count);

const queue = new Queue("bench", { connection });
await queue.waitUntilReady();
let began = performance.now();
for (let start = 0; start < number; start += 500) {
  const jobs = Array.from({ length: Math.min(500, number - start) }, (_, n) => ({
    name: "job",
    data: { number: start + n },
    opts: { removeOnComplete: 100 },
  }));
  await queue.addBulk(jobs);
}
const add = (performance.now() - began) / 1000;

let left = number;
began = performance.now();
await new Promise((over) => {
  const worker = new Worker("bench", async () => {}, { connection, concurrency: 50 });
  worker.on("completed", () => {
    left -= 1;
    if (left === 0) over();
  });
});
const run = (performance.now() - began) / 1000;
console.log(JSON.stringify({ number, add, run }));
process.exit(0);
