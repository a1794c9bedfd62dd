// BullMQ on Node: jobs added in bulks of 500; a hundred finished ones are kept. On Redis, or on its
// PostgreSQL back end when the URL says so. To be overtaken, ordinary jobs have a priority; one
// without is taken before them.
import { createRequire } from "node:module";
import { readFileSync } from "node:fs";
import { BULK, filler, given, measure, peers, url } from "./_peer.mjs";

const require = createRequire(`${peers}/package.json`);
const { Queue, Worker, setDefaultBackendFactory } = require("bullmq");
const onPostgres = url.startsWith("postgres");
if (onPostgres) setDefaultBackendFactory(require("bullmq/dist/cjs/postgres").createPostgresBackend);
const { hostname, port } = new URL(url);
const connection = onPostgres ? { connectionString: url, migrate: true } : { host: hostname, port: Number(port), maxRetriesPerRequest: null };

const queue = new Queue("bench", { connection });
await queue.waitUntilReady();

function described({ due = 0, urgent = 0, number = 0 }) {
  const opts = { removeOnComplete: 100 };
  if (due) opts.delay = Math.max(Math.round(due - Date.now()), 0);
  if (given.backlog && !urgent) opts.priority = 10;
  return { name: "job", data: { due, urgent, number, filler }, opts };
}

await measure({
  version: JSON.parse(readFileSync(`${peers}/node_modules/bullmq/package.json`, "utf8")).version,
  async add(jobs) {
    for (let start = 0; start < jobs.length; start += BULK)
      await queue.addBulk(jobs.slice(start, start + BULK).map(described));
  },
  begin(handle) {
    new Worker("bench", ({ data }) => handle(data), { connection, concurrency: given.slots });
  },
});
