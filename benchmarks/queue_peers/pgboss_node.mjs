// pg-boss on Node and PostgreSQL: jobs inserted in bulks of 500. A worker of it takes a batch and
// looks again after half a second at the soonest, so four of them take 250 each, and no more of
// these are carried out at a time than is asked for.
import { createRequire } from "node:module";
import { readFileSync } from "node:fs";
import { BULK, filler, given, measure, peers, url } from "./_peer.mjs";

const module = createRequire(`${peers}/package.json`)("pg-boss");
const PgBoss = module.PgBoss ?? module.default ?? module;
const WORKERS = 4;
const BATCH = 250;

const boss = new PgBoss({ connectionString: url, max: 20 });
boss.on("error", () => {});
await boss.start();
await boss.createQueue("bench");

await measure({
  version: JSON.parse(readFileSync(`${peers}/node_modules/pg-boss/package.json`, "utf8")).version,
  async add(jobs) {
    const described = jobs.map(({ due = 0, urgent = 0, number = 0 }) => ({
      name: "bench",
      data: { due, urgent, number, filler },
      priority: urgent ? 100 : 0,
      ...(due ? { startAfter: new Date(due) } : {}),
    }));
    for (let start = 0; start < described.length; start += BULK)
      await boss.insert(described.slice(start, start + BULK));
  },
  async begin(handle) {
    let free = given.slots;
    const waiting = [];
    async function inTurn(data) {
      if (free === 0) await new Promise((go) => waiting.push(go));
      else free -= 1;
      await handle(data);
      if (waiting.length) waiting.shift()();
      else free += 1;
    }
    const options = { batchSize: BATCH, pollingIntervalSeconds: 0.5 };
    for (let one = 0; one < WORKERS; one += 1)
      await boss.work("bench", options, (jobs) => Promise.all(jobs.map(({ data }) => inTurn(data))));
  },
});
