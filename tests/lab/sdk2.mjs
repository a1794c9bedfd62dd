// The TypeScript SDK 2.x, in the era it is asked for.
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { answer, visit } from "./visit.mjs";

const [url, token, era] = process.argv.slice(2);
const headers = { Authorization: `Bearer ${token}` };
const client = new Client({ name: "lab", version: "1" }, {
  capabilities: { elicitation: {} },
  ...(era === "modern" ? { versionNegotiation: { mode: "auto" } } : {}),
});
client.setRequestHandler("elicitation/create", answer);
await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }));
const wanted = era === "modern" ? "2026-07-28" : "2025-11-25";
if (client.getNegotiatedProtocolVersion() !== wanted) throw new Error(client.getNegotiatedProtocolVersion());
await visit((name, args) => client.callTool({ name, arguments: args }), () => client.listTools());
await client.close();
