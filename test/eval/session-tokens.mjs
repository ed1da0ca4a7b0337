// What a memory costs a session in tokens, Lore beside servers from npm: `npm run eval:tokens`. Counts what a model reads by a public tokenizer (o200k_base).
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { table } from '../bench/markdown.mjs';

const BIN = fileURLToPath(new URL('../../bin/run.js', import.meta.url));
const { facts, prompts, unrelated } = JSON.parse(readFileSync(new URL('data/session-tokens.json', import.meta.url), 'utf8'));
const NPM_RIVALS = ['@modelcontextprotocol/server-memory@2026.8.31', 'mcp-memory-libsql@0.0.17', '@itseasy21/mcp-knowledge-graph@1.0.7'];
const textOf = ({ content }) => content.map(({ text = '' }) => text).join('\n');

const work = mkdtempSync(path.join(tmpdir(), 'lore-tokens-'));

/** What a graph of entities takes and gives; a model looks there by a word, as whole sentences find nothing. */
const graph = {
  save: (call, fact, nth) => call('create_entities', { entities: [{ name: `fact-${nth}`, entityType: 'fact', observations: [fact] }] }),
  ask: (call, { word }) => call('search_nodes', { query: word }),
};
const SYSTEMS = [
  {
    name: 'Lore, `memory_context`',
    args: [BIN, 'mcp', '--namespace', 'shop'],
    env: { SERVICE_STORAGE_PATH: path.join(work, 'store'), SERVICE_EMBEDDINGS_PROVIDER: 'builtin' },
    save: (call, content) => call('memory_save', { content }),
    ask: (call, { prompt }) => call('memory_context', { task: prompt }),
    // What Lore says where it has nothing is no context.
    nothing: 'Nothing is remembered about this.',
  },
  {
    name: 'server-memory 2026.8.31',
    module: '@modelcontextprotocol/server-memory/dist/index.js',
    env: { MEMORY_FILE_PATH: path.join(work, 'memory.jsonl') },
    ...graph,
  },
  {
    name: 'mcp-memory-libsql 0.0.17',
    module: 'mcp-memory-libsql/dist/index.js',
    env: { LIBSQL_URL: `file:${path.join(work, 'libsql.db')}` },
    ...graph,
  },
  {
    name: 'mcp-knowledge-graph 1.0.7',
    module: '@itseasy21/mcp-knowledge-graph/dist/index.js',
    flags: ['--memory-path', path.join(work, 'graph.jsonl')],
    ...graph,
  },
];

const mean = (numbers) => Math.round(numbers.reduce((sum, number) => sum + number, 0) / numbers.length);

async function measured(system) {
  const args = system.args ?? [path.join(work, 'node_modules', system.module), ...(system.flags ?? [])];
  const client = new Client({ name: 'tokens', version: '1.0.0' });
  const env = { PATH: process.env.PATH, HOME: work, ...system.env };
  await client.connect(new StdioClientTransport({ command: process.execPath, args, env, cwd: work, stderr: 'ignore' }));
  try {
    const tools = await client.listTools();
    const call = async (name, given) => textOf(await client.callTool({ name, arguments: given }));
    for (const [nth, fact] of facts.entries()) await system.save(call, fact, nth);
    const answers = [];
    for (const asked of prompts) answers.push({ ...asked, text: await system.ask(call, asked) });
    const nothing = [];
    for (const prompt of system.nothing === undefined ? [] : unrelated) nothing.push(await system.ask(call, { prompt }));
    return {
      tools: tools.tools.length,
      list: countTokens(JSON.stringify(tools)),
      instructions: countTokens(client.getInstructions() ?? ''),
      answer: mean(answers.map(({ text }) => countTokens(text))),
      found: answers.filter(({ text, answer }) => text.includes(answer)).length,
      unrelated: nothing.length === 0 ? undefined : mean(nothing.map((text) => (text === system.nothing ? 0 : countTokens(text)))),
    };
  } finally {
    await client.close();
  }
}

/** What the hook puts before a prompt, on the store that the MCP server left. */
async function hooked() {
  const { openApp } = await import('../../dist/app.js');
  const { loadConfig } = await import('../../dist/config/load.js');
  const { silentLog } = await import('../../dist/memory/log.js');
  const flags = { 'embeddings.provider': 'builtin', 'storage.path': path.join(work, 'store') };
  const config = loadConfig({ cwd: work, env: {}, directories: { data: work, config: work }, flags });
  const app = await openApp(config, { log: silentLog, cwd: work, background: false });
  try {
    const contextOf = async (prompt, nth) =>
      (await app.memories.capture.context({ prompt, namespace: 'shop', client: 'claude', session: `session-${nth}` })).text;
    const texts = [];
    for (const [nth, { prompt, answer }] of prompts.entries()) texts.push({ answer, text: await contextOf(prompt, nth) });
    const nothing = [];
    for (const [nth, prompt] of unrelated.entries()) nothing.push(await contextOf(prompt, `none-${nth}`));
    return {
      answer: mean(texts.map(({ text }) => countTokens(text))),
      found: texts.filter(({ text, answer }) => text.includes(answer)).length,
      unrelated: mean(nothing.map((text) => countTokens(text))),
    };
  } finally {
    await app.close();
  }
}

try {
  // Without the scripts of the packages, which may fetch more.
  execFileSync('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts', '--prefix', work, ...NPM_RIVALS], { stdio: 'ignore' });
  const rows = [];
  for (const system of SYSTEMS) rows.push({ name: system.name, ...(await measured(system)) });
  rows.splice(1, 0, { name: 'Lore, hook before a prompt', tools: 0, list: 0, instructions: 0, ...(await hooked()) });
  const head = ['', 'Tools', '`tools/list`', 'Instructions', 'Answer to a prompt', 'Holds the fact', 'Prompt about nothing saved'];
  const cells = rows.map((row) => {
    const { name, tools, list, instructions, answer, found, unrelated: none = '' } = row;
    return [name, tools, list, instructions, answer, `${found} of ${prompts.length}`, none];
  });
  process.stdout.write(`${table(head, cells)}\n`);
} finally {
  rmSync(work, { recursive: true, force: true });
}
