import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, it } from 'vitest';
import { createMcpServer } from '../../src/mcp/server.ts';
import { silentLog } from '../../src/memory/log.ts';
import type { SaveReceipt } from '../../src/memory/operations/operations.ts';
import { openTestApp, type TestApp } from '../helpers/app.ts';

const KEY = `sk-ant-api03-${'a1B2c3D4e5'.repeat(9)}`;
const TAG = `glpat-${'Zy9Xw8Vu7T'.repeat(2)}`;
const PEM_LINES = Array.from({ length: 40 }, (_, nth) => `${'k7Qx9'.repeat(12)}${nth}zzz`.slice(0, 64));
const PEM = ['-----BEGIN RSA PRIVATE KEY-----', ...PEM_LINES, '-----END RSA PRIVATE KEY-----'].join('\n');
/** Parts of what must never be shown. */
const SECRETS = [KEY.slice(0, 30), TAG, 'hunter2', PEM_LINES[3]!, PEM_LINES[30]!];

interface Session extends AsyncDisposable {
  readonly app: TestApp;
  readonly client: Client;
  readonly call: (name: string, args?: Record<string, unknown>) => Promise<CallToolResult>;
}

async function open(flags: Record<string, unknown> = {}): Promise<Session> {
  const app = await openTestApp(flags);
  const server = createMcpServer(app.memories, { version: '1.2.3', log: silentLog });
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  const client = new Client({ name: 'test', version: '1.0.0' });
  await Promise.all([server.connect(theirs), client.connect(ours)]);
  return {
    app,
    client,
    call: async (name, args = {}) => (await client.callTool({ name, arguments: args })) as CallToolResult,
    [Symbol.asyncDispose]: async () => {
      await client.close();
      await app[Symbol.asyncDispose]();
    },
  };
}

const leaked = (answer: unknown): string[] =>
  SECRETS.filter((secret) => JSON.stringify(answer).includes(JSON.stringify(secret).slice(1, -1)));

describe('a save over MCP', () => {
  it('stores no secret, and reports what was removed and how to keep it', async () => {
    await using session = await open();
    const text = `We decided to call the model with ${KEY}; log in as admin, pass hunter2`;
    const { structuredContent } = await session.call('memory_save', { content: text, tags: [TAG, 'decision'] });
    expect(structuredContent).toMatchObject({
      status: 'stored',
      redacted: ['anthropic-key', 'password', 'gitlab-token'],
      warnings: [expect.stringMatching(/removed the secrets.*`lore save`/)],
    });
    const { id } = structuredContent as { id: string };
    const entry = await session.app.memories.get(id);
    expect(entry.content).toBe('We decided to call the model with [redacted: anthropic-key]; log in as admin, pass [redacted: password]');
    expect(entry.tags).toEqual(['[redacted: gitlab-token]', 'decision']);
    expect(leaked(entry)).toEqual([]);
  });

  it('of a text without secrets does not mention them', async () => {
    await using session = await open();
    const { structuredContent } = await session.call('memory_save', { content: 'Passwords are hashed with argon2.' });
    expect(Object.keys(structuredContent ?? {}).toSorted()).toEqual(['id', 'namespace', 'status']);
  });
});

describe('output of MCP', () => {
  // Entries of older versions, and those that a person saved as they are.
  it.each(['machines', 'never'])('contains no secret with memory.redactSecrets set to %s', async (mode) => {
    await using session = await open({ 'memory.redactSecrets': mode });
    const { app, client, call } = session;
    const save = (content: string, tags: readonly string[] = []): Promise<SaveReceipt> =>
      app.memories.save({ content, tags: [...tags], priority: 'high' }, { source: 'cli' });
    const { entry } = await save(`The staging shop: log in as admin, pass hunter2. The model is called with ${KEY}.`, [TAG, 'decision']);
    const filler = 'The gateway of the staging shop terminates TLS and forwards to two machines behind it. '.repeat(8);
    const long = await save(`${filler}\n\nKey of the gateway:\n${PEM}\n\n${filler}`);
    expect(leaked([entry, long.entry])).toEqual(SECRETS);
    const query = 'log in to the staging shop: key of the gateway';
    const answers = [
      await call('memory_recall', { query }),
      await call('memory_recall', { query: PEM_LINES[30], searchMode: 'keyword' }),
      await call('memory_recall', { query, allProjects: true }),
      await call('memory_recall'),
      await call('memory_recall', { id: entry.id }),
      await call('memory_recall', { id: long.ids[0] }),
      await call('memory_update', { id: entry.id, priority: 'low' }),
      await call('memory_save', { content: `The staging shop: log in as admin. The model is called with a key.` }),
      await call('memory_search', { query }),
      await call('memory_list'),
      await call('memory_get', { id: long.ids[0] }),
      await call('memory_context'),
      await call('memory_context', { task: query }),
      await client.listResources(),
      await client.readResource({ uri: `lore://entry/${entry.id}` }),
      await client.readResource({ uri: `lore://entry/${long.ids[0]}` }),
      await client.readResource({ uri: 'lore://namespace/test' }),
      await client.getPrompt({ name: 'recall-context', arguments: { task: query } }),
    ];
    expect(answers.map(leaked)).toEqual(answers.map(() => []));
    expect(answers.filter((answer) => JSON.stringify(answer).includes('staging')).length).toBeGreaterThan(10);
    expect(JSON.stringify(answers[4])).toContain('[redacted: anthropic-key]');
    // What hooks show comes from here.
    const { text, items } = await app.memories.capture.context({ namespace: 'test' });
    expect(text).toContain('[redacted: password]');
    expect(leaked([text, items])).toEqual([]);
    expect(leaked(await app.memories.get(entry.id))).not.toEqual([]);
  });
});
