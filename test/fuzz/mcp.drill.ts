import { once } from 'node:events';
import { createInterface } from 'node:readline';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openCli, type Child, type Cli } from '../helpers/cli.ts';
import { META, modern } from '../helpers/mcp-modern.ts';
import { startTestServer, type TestServer } from '../helpers/server.ts';
import { replay, seedOf, share } from './budget.ts';
import { hostileText } from './hostile.ts';
import { dueTo, mcpText, REVISIONS } from './mcp-lines.ts';

/** Of all cases those that are several lines for one of the revisions, and those that are a request over HTTP. */
const STDIO_SHARE = 0.05;
const HTTP_SHARE = 0.15;
const FILE = 'test/fuzz/mcp.drill.ts';
/** Words of our machinery that no client may read. */
const MACHINERY =
  /\\n {2,}at |node_modules|file:\/\/\/\S+\.[cm]?js|Maximum call stack|invalid_type|ZodError|is not a function|Cannot read propert/;

interface Message {
  readonly jsonrpc: string;
  readonly id?: unknown;
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string };
}

const opening = (revision: string): readonly object[] =>
  revision === '2026-07-28'
    ? [modern(0, 'server/discover')]
    : [
        {
          jsonrpc: '2.0',
          id: 0,
          method: 'initialize',
          params: { protocolVersion: revision, capabilities: {}, clientInfo: { name: 'fuzz', version: '1' } },
        },
        { jsonrpc: '2.0', method: 'notifications/initialized' },
      ];

/** `lore mcp`, and what it said that nobody has asked after yet, by id. */
class Process {
  readonly #said = new Map<string, number>();
  readonly faults: string[] = [];
  #heard: () => void = () => {};
  stderr = '';
  readonly #ended: Promise<never>;

  readonly child: Child;

  constructor(child: Child) {
    this.child = child;
    this.#ended = once(child, 'exit').then(() => Promise.reject(new Error(`It ended. ${this.stderr.slice(-2_000)}`)));
    this.#ended.catch(() => undefined);
    child.stderr.on('data', (chunk: Buffer) => (this.stderr += chunk.toString()));
    createInterface({ input: child.stdout }).on('line', (line) => {
      const message = JSON.parse(line) as Message;
      if (message.jsonrpc !== '2.0' || MACHINERY.test(line)) this.faults.push(line.slice(0, 600));
      const id = message.id === undefined ? 'none' : JSON.stringify(message.id);
      this.#said.set(id, (this.#said.get(id) ?? 0) + 1);
      this.#heard();
    });
  }

  write(line: string): void {
    this.child.stdin.write(`${line}\n`);
  }

  /** Resolves once so many answers with this id have come; rejects where the process ends before. */
  async answered(id: string, times = 1): Promise<void> {
    while ((this.#said.get(id) ?? 0) < times) {
      const heard = new Promise<void>((resolve) => (this.#heard = resolve));
      await Promise.race([heard, this.#ended]);
    }
  }

  forget(): void {
    this.#said.clear();
  }
}

describe('lore mcp with random input', () => {
  let cli: Cli;
  beforeAll(async () => void (cli = await openCli()));
  afterAll(() => cli[Symbol.asyncDispose]());

  it.each(REVISIONS)(
    'continues and answers every request, in revision %s',
    async (revision) => {
      const process = new Process(cli.spawn(['mcp']));
      for (const message of opening(revision)) process.write(JSON.stringify(message));
      await process.answered('0');
      let asked = 0;
      const property = fc.asyncProperty(fc.array(mcpText, { minLength: 1, maxLength: 12 }), async (lines) => {
        process.forget();
        // Two lines with one id could take each other back.
        const owed = new Map(lines.flatMap((line) => dueTo(line) ?? []).map(({ id }) => [id, 1]));
        const isTakenBack = (id: string): boolean => lines.some((line) => line.includes('notifications/cancelled') && line.includes(id));
        for (const line of lines) process.write(line);
        const last = `last ${(asked += 1)}`;
        process.write(JSON.stringify({ ...modern(0, 'tools/list'), id: last }));
        await process.answered(JSON.stringify(last));
        for (const [id, times] of owed) if (!isTakenBack(id)) await process.answered(id, times);
        if (process.faults.length > 0) throw new Error(`${process.faults.join('\n')}\n${replay(FILE)}`);
      });
      await fc.assert(property, { seed: seedOf(`mcp ${revision}`), numRuns: share(STDIO_SHARE), timeout: 60_000 });
      process.child.stdin.end('{"jsonrpc":"2.0","id":"half a line","meth');
      expect((await once(process.child, 'exit'))[0]).toBe(0);
    },
    600_000,
  );

  it('answers each of thousands of concurrent requests, most of them with a refusal, and then works as usual', async () => {
    const process = new Process(cli.spawn(['mcp']));
    for (const message of opening('2025-11-25')) process.write(JSON.stringify(message));
    const requests = 3_000;
    for (let id = 1; id <= requests; id += 1) {
      process.write(
        JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'memory_recall', arguments: { query: `port ${id}` } } }),
      );
      if (id % 3 === 0) process.write(JSON.stringify({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: id } }));
    }
    for (let id = 1; id <= requests; id += 1) if (id % 3 !== 0) await process.answered(String(id));
    process.write(JSON.stringify({ jsonrpc: '2.0', id: 'then', method: 'ping' }));
    await process.answered('"then"');
    expect(process.faults).toEqual([]);
    process.child.stdin.end();
    expect((await once(process.child, 'exit'))[0]).toBe(0);
    expect(process.stderr).not.toMatch(/MaxListeners|"level":(?:50|60)/);
  }, 300_000);
});

describe('POST /mcp with random input', () => {
  let server: TestServer;
  beforeAll(async () => void (server = await startTestServer({ server: { bodyLimitBytes: 512 * 1024 } })));
  afterAll(() => server.close());

  const sendable = hostileText.filter((text) => /^[\t\x20-\x7e]+$/.test(text) && text.trim() !== '');
  const headers = fc.record(
    {
      accept: fc.constantFrom('application/json, text/event-stream', 'application/json', 'text/event-stream', '*/*', 'text/html'),
      'content-type': fc.constantFrom('application/json', 'application/json', 'application/json; charset=utf-8', 'text/plain'),
      'mcp-protocol-version': fc.oneof(fc.constantFrom(...REVISIONS, '1999-01-01', '2099-01-01'), sendable),
      'mcp-method': fc.oneof(fc.constantFrom('tools/call', 'tools/list', 'ping'), sendable),
      'mcp-name': fc.oneof(fc.constantFrom('memory_recall', 'memory_save'), sendable),
      'mcp-session-id': sendable,
      'last-event-id': sendable,
    },
    { requiredKeys: ['accept', 'content-type'] },
  );

  it('continues and answers each request in JSON, without internal details', async () => {
    const property = fc.asyncProperty(mcpText, headers, async (body, given) => {
      const { status, text, headers: said } = await server.call('POST', '/mcp', { body, headers: given });
      const fault = faultOf({ status, text, type: said.get('content-type') ?? '' }, body);
      if (fault !== undefined) throw new Error(`${fault}\n${status} ${text.slice(0, 600)}\n${replay(FILE)}`);
    });
    await fc.assert(property, { seed: seedOf('mcp http'), numRuns: share(HTTP_SHARE) });
    expect((await server.call('GET', '/healthz')).status).toBe(200);
    expect(server.logged.filter(({ level }) => (level as number) >= 50)).toEqual([]);
  }, 600_000);

  it('answers many clients of three revisions at once', async () => {
    const answers = await Promise.all(
      Array.from({ length: 150 }, (_, id) => {
        const isModern = id % 3 === 0;
        const params = { name: 'memory_recall', arguments: { query: `port ${id}` }, ...(isModern && { _meta: META }) };
        return server.call('POST', '/mcp', {
          body: { jsonrpc: '2.0', id, method: 'tools/call', params },
          headers: {
            accept: 'application/json, text/event-stream',
            'mcp-protocol-version': REVISIONS[(id + 2) % 3]!,
            ...(isModern && { 'mcp-method': 'tools/call', 'mcp-name': 'memory_recall' }),
          },
        });
      }),
    );
    expect(answers.map(({ status }) => status).filter((status) => status !== 200)).toEqual([]);
    expect(answers.map(({ text }) => (JSON.parse(text) as Message).id)).toEqual(answers.map((_, id) => id));
  }, 120_000);
});

function faultOf(
  { status, text, type }: { readonly status: number; readonly text: string; readonly type: string },
  body: string,
): string | undefined {
  if (status >= 500) return 'it is a failure of the server';
  if (MACHINERY.test(text)) return 'it speaks of the machinery';
  if (text === '') return status === 202 && !isRequest(body) ? undefined : 'it says nothing';
  if (!type.includes('json') && !type.includes('text/event-stream')) return 'it is not JSON';
  return undefined;
}

/** A whole request with an id: it has an answer. */
function isRequest(body: string): boolean {
  try {
    const { id, method } = JSON.parse(body) as { id?: unknown; method?: unknown };
    return (typeof id === 'string' || Number.isSafeInteger(id)) && typeof method === 'string';
  } catch {
    return false;
  }
}
