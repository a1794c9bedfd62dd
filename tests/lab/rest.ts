// A client whose types openapi-typescript made from our document: sets, is refused, confirms.
import createClient from "openapi-fetch";
import type { paths } from "./api.js";

declare const process: { argv: string[] };
const [url, token, at] = process.argv.slice(2);
const client = createClient<paths>({ baseUrl: url, headers: { Authorization: `Bearer ${token}` } });
const made = await client.POST("/api/v1/reminders", { body: { content: "吃药", trigger_at: at } });
if (!made.data) throw new Error(made.error.detail);
const params = { path: { reminder_id: made.data.id } };
const none = await client.GET("/api/v1/reminders/{reminder_id}", { params: { path: { reminder_id: "rem_none" } } });
const done = await client.POST("/api/v1/reminders/{reminder_id}/confirm", { params });
console.log(JSON.stringify({
  sets: made.data.content, refused: none.error?.code ?? "", confirms: done.data?.status ?? "",
}));
