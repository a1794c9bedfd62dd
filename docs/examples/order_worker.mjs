// Carries out tasks of the kind `shop.order` that wait in the BullMQ queue `shop`:
//   npm install bullmq ioredis && node order_worker.mjs redis://127.0.0.1:6379
// What the function returns is the task's result; what it throws is a failed try.
import { Worker } from "bullmq";

const url = new URL(process.argv[2]);
const connection = { host: url.hostname, port: Number(url.port), maxRetriesPerRequest: null };

new Worker(
  "shop",
  async (job) => {
    const { article } = job.data.payload;
    if (article === "nothing") throw new Error("there is no such article");
    return { ordered: article };
  },
  { connection, concurrency: 10 },
);
