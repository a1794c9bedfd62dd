// A host that shows our card, with the publisher's own bridge: messages of the page come and go as lines.
import { AppBridge } from "@modelcontextprotocol/ext-apps/app-bridge";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { createInterface } from "node:readline";

const [url, token] = process.argv.slice(2);
const headers = { Authorization: `Bearer ${token}` };
const say = (line) => process.stdout.write(JSON.stringify(line) + "\n");
const client = new Client({ name: "lab", version: "1" }, {
  capabilities: { extensions: { "io.modelcontextprotocol/ui": { mimeTypes: ["text/html;profile=mcp-app"] } } },
});
await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }));
const tool = (await client.listTools()).tools.find((one) => one._meta?.ui?.resourceUri);
const [page] = (await client.readResource({ uri: tool._meta.ui.resourceUri })).contents;
say({ page: page.text, mimeType: page.mimeType });

const given = { status: ["pending", "triggered"] };
const context = { locale: "zh-CN", theme: "dark", toolInfo: { tool } };
const bridge = new AppBridge(client, { name: "lab", version: "1" },
  { serverTools: {}, updateModelContext: { text: {} } }, { hostContext: context });
bridge.onupdatemodelcontext = async ({ content }) => (say({ heard: content[0].text }), {});
bridge.oninitialized = async () => {
  await bridge.sendToolInput({ arguments: given });
  await bridge.sendToolResult(await client.callTool({ name: tool.name, arguments: given }));
};
const lines = createInterface({ input: process.stdin });
const wire = {
  start: async () => void lines.on("line", (line) => wire.onmessage?.(JSON.parse(line))),
  send: async (message) => say({ message }),
  close: async () => lines.close(),
};
await bridge.connect(wire);
await new Promise((left) => lines.once("close", left));
await client.close();
