// The TypeScript SDK 1.x, as most hosts carry it today.
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { answer, visit } from "./visit.mjs";

const [url, token] = process.argv.slice(2);
const headers = { Authorization: `Bearer ${token}` };
const client = new Client({ name: "lab", version: "1" }, { capabilities: { elicitation: {} } });
client.setRequestHandler(ElicitRequestSchema, answer);
await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }));
await visit((name, args) => client.callTool({ name, arguments: args }), () => client.listTools());
await client.close();
