// The facts of the projects in the real `@modelcontextprotocol/server-memory`, over stdio, from a folder in which npm installed it.
import { createRequire } from 'node:module';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { tokensOf } from './drive.mjs';
import { says } from './projects.mjs';

/**
 * Each fact is an entity of its own, saved at the end of the session in which it came up. Its search finds a text by a part of it: each longer word of a question
 * is tried, and all that is found is read.
 * @returns {Promise<{ version: string, found: { isFound: boolean, tokens: number }[] }>} One for each question.
 */
export async function askServerMemory(folder, projects) {
  const require = createRequire(path.join(path.resolve(folder), 'package.json'));
  const { version } = require('@modelcontextprotocol/server-memory/package.json');
  const program = require.resolve('@modelcontextprotocol/server-memory/dist/index.js');
  const found = [];
  for (const project of projects) {
    const home = await mkdtemp(path.join(tmpdir(), 'server-memory-'));
    const client = new Client({ name: 'eval', version: '1.0.0' });
    const env = { ...process.env, MEMORY_FILE_PATH: path.join(home, 'memory.jsonl') };
    await client.connect(new StdioClientTransport({ command: process.execPath, args: [program], env, stderr: 'ignore' }));
    for (const { turns } of project.sessions) {
      for (const turn of turns) if (turn.does === 'ask') found.push(await answer(client, turn.text, project.facts.get(turn.fact)));
      const entities = turns
        .filter(({ does }) => does === 'fact')
        .map(({ fact }) => ({ name: `note ${fact.id}`, entityType: 'note', observations: [fact.text] }));
      if (entities.length > 0) await client.callTool({ name: 'create_entities', arguments: { entities } });
    }
    await client.close();
    await rm(home, { recursive: true, force: true });
  }
  return { version, found };
}

async function answer(client, question, fact) {
  const read = new Set();
  for (const query of new Set(question.toLowerCase().match(/[\p{L}\p{N}_]{5,}/gu))) {
    const { content } = await client.callTool({ name: 'search_nodes', arguments: { query } });
    for (const { observations } of JSON.parse(content[0].text).entities) for (const text of observations) read.add(text);
  }
  const text = [...read].join('\n');
  return { isFound: says(text, fact), tokens: tokensOf(text) };
}
