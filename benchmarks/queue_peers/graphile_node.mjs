// graphile-worker on Node and PostgreSQL: jobs added in bulks of 500, run by a runner in this
// process that looks every 100 ms for delayed ones. Lower priorities are sooner.
import { createRequire } from "node:module";
import { readFileSync } from "node:fs";
import { BULK, filler, given, measure, peers, url } from "./_peer.mjs";

const require = createRequire(`${peers}/package.json`);
const { makeWorkerUtils, run, Logger } = require("graphile-worker");
const { Pool } = require("pg");
const logger = new Logger(() => () => {});
const pgPool = new Pool({ connectionString: url, max: 20 });
pgPool.on("error", () => {});
const utils = await makeWorkerUtils({ pgPool, logger });
await utils.migrate();

await measure({
  version: JSON.parse(readFileSync(`${peers}/node_modules/graphile-worker/package.json`, "utf8")).version,
  async add(jobs) {
    const described = jobs.map(({ due = 0, urgent = 0, number = 0 }) => ({
      identifier: "bench",
      payload: { due, urgent, number, filler },
      priority: urgent ? -100 : 0,
      ...(due ? { runAt: new Date(due) } : {}),
    }));
    for (let start = 0; start < described.length; start += BULK)
      await utils.addJobs(described.slice(start, start + BULK));
  },
  async begin(handle) {
    const taskList = { bench: handle };
    await run({ pgPool, logger, taskList, concurrency: given.slots, pollInterval: 100, noHandleSignals: true });
  },
});
