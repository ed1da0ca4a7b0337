// Answers commands of Anthropic's memory tool from a running `lore serve`: one JSON object a line in, one tool result a line out.
//
//   echo '{"command":"create","path":"/memories/notes.md","file_text":"Tabs, not spaces."}' | node memory-tool.mjs
//
// LORE_URL and LORE_KEY say where the server is; LORE_NAMESPACE, where the files are kept.
import { createInterface } from 'node:readline';
import { LoreClient, MemoryTool } from 'lore/client';

const { LORE_URL: url, LORE_KEY: key, LORE_NAMESPACE: namespace } = process.env;
const lore = new LoreClient({ ...(url && { url }), ...(key && { key }) });
const memory = new MemoryTool(lore, { ...(namespace && { namespace }) });

for await (const line of createInterface({ input: process.stdin })) {
  if (line.trim() === '') continue;
  const { content, isError } = await memory.handle(JSON.parse(line));
  console.log(JSON.stringify({ type: 'tool_result', content, ...(isError && { is_error: true }) }));
}
await lore.close();
