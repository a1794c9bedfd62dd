// Gives Clarion work from Node, and waits for what becomes of it:
//   npm install bullmq ioredis && node order_producer.mjs redis://127.0.0.1:6379 shop.order tea
// Prints the result as JSON, or why there is none.
import { Queue, QueueEvents } from "bullmq";

const [address, kind, article] = process.argv.slice(2);
const url = new URL(address);
const connection = { host: url.hostname, port: Number(url.port), maxRetriesPerRequest: null };
const chores = new Queue("chores", { connection });
const events = new QueueEvents("chores", { connection });
await events.waitUntilReady();

const job = await chores.add(kind, { payload: { article } });
try {
  console.log(JSON.stringify({ result: await job.waitUntilFinished(events, 30_000) }));
} catch (error) {
  console.log(JSON.stringify({ error: error.message }));
}
await Promise.all([chores.close(), events.close()]);
