// A Node neighbour of Clarion: adds one job, waits for its end, and looks at the queues.
// Called by benchmarks/cluster_node.py with the port of a Redis and the kind to add.
import { createRequire } from "node:module";
import { join } from "node:path";

const [, , port, kind, peers] = process.argv;
const require = createRequire(join(peers, "index.js"));
const { Queue, QueueEvents } = require("bullmq");

const connection = { host: "127.0.0.1", port: Number(port) };
const messages = new Queue("messages", { connection });
const events = new QueueEvents("messages", { connection });
await events.waitUntilReady();
const job = await messages.add(kind, { payload: { text: "from Node" }, base: 50 });
const answer = await job.waitUntilFinished(events, 15000);
const reminders = new Queue("reminders", { connection });
const waiting = (await reminders.getDelayed()).map((one) => ({
  id: one.id,
  name: one.name,
  task: one.data.task_id,
  priority: one.opts.priority,
}));
console.log(JSON.stringify({ answer, waiting }));
await Promise.all([messages.close(), reminders.close(), events.close()]);
