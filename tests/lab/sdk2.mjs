// The TypeScript SDK 2.x, in both eras: a line each.
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { answer, visit } from "./visit.mjs";

const [url, token] = process.argv.slice(2);
const headers = { Authorization: `Bearer ${token}` };
for (const [era, options] of [
  ["2025-11-25", {}],
  ["2026-07-28", { versionNegotiation: { mode: "auto" } }],
]) {
  const client = new Client({ name: "lab", version: "1" }, { capabilities: { elicitation: {} }, ...options });
  client.setRequestHandler("elicitation/create", answer);
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }));
  if (client.getNegotiatedProtocolVersion() !== era) throw new Error(client.getNegotiatedProtocolVersion());
  await visit((name, args) => client.callTool({ name, arguments: args }), () => client.listTools());
  await client.close();
}
