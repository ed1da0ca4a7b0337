import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BIN, openCli, type Cli } from '../helpers/cli.ts';
import { textOf } from '../helpers/mcp.ts';

/** An answer as it is sent, with the envelope of the protocol. */
const MAX_BYTES = 1_000_000;
/** Takes 13 bytes a character in an answer that is sent as structure and as text; half a pair lies at every place where a part may end. */
const HOSTILE = `x${'\u{1}😀"\\'.repeat(500_000)}`;
const TAGS = Array.from({ length: 64 }, (_, nth) => `${nth}${'"'.repeat(126)}`);

interface Page {
  readonly content: string;
  readonly totalChars?: number;
  readonly nextCursor?: string;
}

let cli: Cli;
let id: string;
const doors: Record<string, Client> = {};
const server = { url: '' };

beforeAll(async () => {
  cli = await openCli();
  const env = { SERVICE_MEMORY_NAMESPACE: 'test', SERVICE_EMBEDDINGS_PROVIDER: 'builtin' };
  server.url = (await cli.serve([], { env })).url;
  doors['HTTP'] = new Client({ name: 'test', version: '1.0.0' });
  await doors['HTTP'].connect(new StreamableHTTPClientTransport(new URL(`${server.url}/mcp`)));
  doors['stdio'] = new Client({ name: 'test', version: '1.0.0' });
  const command = {
    command: process.execPath,
    args: [BIN, 'mcp'],
    cwd: cli.cwd,
    env: { ...env, HOME: cli.home, PATH: process.env['PATH'] ?? '' },
  };
  await doors['stdio'].connect(new StdioClientTransport({ ...command, stderr: 'ignore' }));
  id = (await call<{ id: string }>('stdio', 'memory_save', { content: HOSTILE, namespace: 'test' })).id;
  const lines = Array.from({ length: 100 }, (_, nth) =>
    JSON.stringify({ content: `walrus ${nth} ${'"\u{1}'.repeat(700)}`, tags: TAGS, namespace: 'many' }),
  );
  await fetch(`${server.url}/api/import`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-ndjson' },
    body: lines.join('\n'),
  });
});
afterAll(async () => {
  for (const client of Object.values(doors)) await client.close();
  await cli[Symbol.asyncDispose]();
});

// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- each test says what it expects
async function call<T>(door: string, name: string, args: Record<string, unknown>): Promise<T> {
  const result = (await doors[door]!.callTool({ name, arguments: args })) as CallToolResult;
  expect(result.isError, textOf(result).slice(0, 500)).toBeUndefined();
  expect(sizeOf(result)).toBeLessThan(MAX_BYTES);
  return result.structuredContent as T;
}

const sizeOf = (answer: unknown): number => Buffer.byteLength(JSON.stringify({ jsonrpc: '2.0', id: 1, result: answer }));

describe.each(['stdio', 'HTTP'])('over %s', (door) => {
  it('a text of any length is read in parts that add up to it', async () => {
    const parts: string[] = [];
    for (let cursor: string | undefined, more = true; more;) {
      const page = await call<Page>(door, 'memory_get', { id, ...(cursor !== undefined && { cursor }) });
      expect(page.content.isWellFormed()).toBe(true);
      expect(page.totalChars).toBe(HOSTILE.length);
      parts.push(page.content);
      cursor = page.nextCursor;
      more = cursor !== undefined;
    }
    expect(parts.join('') === HOSTILE).toBe(true);
  });

  it('keeps results with many large entries below 1 MB, and reports the omitted ones', async () => {
    for (const [name, args] of [
      ['memory_list', {}],
      ['memory_recall', { query: 'walrus' }],
      ['memory_search', { query: 'walrus' }],
    ] as const) {
      const answer = await call<{ entries?: unknown[]; results?: unknown[]; omitted: number }>(door, name, {
        namespace: 'many',
        limit: 100,
        ...args,
      });
      const { length } = answer.entries ?? answer.results ?? [];
      expect([name, length > 0, length + answer.omitted]).toEqual([name, true, 100]);
    }
    await call(door, 'memory_context', { task: 'walrus', namespace: 'many', maxTokens: 8000 });
  });

  it('keeps resources below it too, and says where a long text continues', async () => {
    const client = doors[door]!;
    const entry = await client.readResource({ uri: `lore://entry/${id}` });
    expect(entry.contents[0]).toMatchObject({
      text: expect.stringMatching(/_The first 60,000 of 2,500,001 characters\. memory_recall has the rest: id `\S+`, cursor `\S+`\._/),
    });
    for (const answer of [entry, await client.readResource({ uri: 'lore://namespace/many' }), await client.listResources()])
      expect(sizeOf(answer)).toBeLessThan(MAX_BYTES);
  });
});

describe('a cursor', () => {
  const refusal = async (args: Record<string, unknown>): Promise<string> => {
    const result = (await doors['HTTP']!.callTool({ name: 'memory_get', arguments: args })) as CallToolResult;
    expect(result.isError).toBe(true);
    return textOf(result);
  };

  it('of a changed entry is rejected, and so is an invalid one', async () => {
    const content = `${HOSTILE.slice(0, 70_000)}x`;
    const { id: changing } = await call<{ id: string }>('HTTP', 'memory_save', { content });
    const { nextCursor = '' } = await call<Page>('HTTP', 'memory_get', { id: changing });
    const [start = '', state = ''] = nextCursor.split('-');
    for (const cursor of ['', 'walrus', `0-${state}`, `${Number(start) + 100_000}-${state}`, `${start}-`])
      expect(await refusal({ id: changing, cursor })).toContain('cursor must be the nextCursor of the previous answer for the same id.');
    const body = JSON.stringify({ content: `y${content}` });
    await fetch(`${server.url}/api/${changing}`, { method: 'PATCH', headers: { 'content-type': 'application/json' }, body });
    expect(await refusal({ id: changing, cursor: nextCursor })).toContain('The entry has changed since this cursor was returned');
  });
});
