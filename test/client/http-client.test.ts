import { Readable } from 'node:stream';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, it } from 'vitest';
import { createHttpClient, type HttpClient, type HttpClientOptions } from '../../src/client/http-client.ts';
import type { ImportLine } from '../../src/memory/operations/operations.ts';

interface Seen {
  readonly method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}
type Reply = (req: IncomingMessage, res: ServerResponse) => void | Promise<void>;

const open: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((close) => close()));
});

/** A server that records what it is sent and answers as told. */
async function serverThat(
  reply: Reply,
  options: Partial<HttpClientOptions> & { path?: string } = {},
): Promise<{ client: HttpClient; seen: Seen[]; origin: string }> {
  const seen: Seen[] = [];
  const handle = async (req: IncomingMessage, res: ServerResponse): Promise<void> => {
    const url = new URL(req.url ?? '/', 'http://localhost');
    const body = await text(req);
    seen.push({ method: req.method ?? '', path: url.pathname, query: Object.fromEntries(url.searchParams), headers: req.headers, body });
    await reply(req, res);
  };
  const server = createServer((req, res) => void handle(req, res));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const client = createHttpClient({ baseUrl: `${origin}${options.path ?? ''}`, ...options });
  open.push(async () => {
    await client.close();
    server.closeAllConnections();
    server.close();
  });
  return { client, seen, origin };
}

const answer =
  (body: unknown, status = 200, headers: Record<string, string> = {}): Reply =>
  (_req, res) =>
    void res.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));

const ENTRY = {
  id: '01975a3e-8a51-7c3e-9a53-0f6d2b8c4e11',
  content: 'text',
  metadata: {
    namespace: 'n',
    container: 'c',
    tags: ['t'],
    timestamp: '2026-01-31T12:00:00.123Z',
    updatedAt: '2026-02-01T12:00:00.456Z',
    priority: 'high',
    importance: 0.7,
    source: 'cli',
    contentHash: 'aa',
  },
};
const READ = {
  id: ENTRY.id,
  content: 'text',
  namespace: 'n',
  container: 'c',
  tags: ['t'],
  priority: 'high',
  importance: 0.7,
  source: 'cli',
  createdAt: Date.parse('2026-01-31T12:00:00.123Z'),
  updatedAt: Date.parse('2026-02-01T12:00:00.456Z'),
  contentHash: 'aa',
};

describe('requests', () => {
  it('have the key, the source and the reference form, below the path of the base address', async () => {
    const { client, seen } = await serverThat(
      answer({ success: true, mode: 'hybrid', results: [{ entry: ENTRY, score: 0.5, scores: { keyword: 1 } }] }),
      {
        key: 'secret',
        path: '/lore',
      },
    );
    const found = await client.recall({ query: 'q', namespace: 'n', includeGlobal: true }, { source: 'cli' });
    expect(found).toEqual({ query: 'q', mode: 'hybrid', results: [{ entry: READ, score: 0.5, scores: { keyword: 1 } }] });
    expect(seen).toMatchObject([
      {
        method: 'POST',
        path: '/lore/api/recall',
        query: { form: 'reference' },
        headers: { 'x-api-key': 'secret', 'x-lore-source': 'cli', 'content-type': 'application/json' },
        body: '{"query":"q","namespace":"n","includeGlobal":true}',
      },
    ]);
  });

  it('put list parameters into the query', async () => {
    const { client, seen } = await serverThat(answer({ total: 9, offset: 2, limit: 5, entries: [ENTRY] }));
    const page = await client.list({ tags: ['a', 'b c'], allNamespaces: true, limit: 5, offset: 2, sort: '-importance' });
    expect(page).toEqual({ entries: [READ], total: 9, offset: 2, limit: 5 });
    expect(seen[0]?.query).toEqual({
      tags: '["a","b c"]',
      allNamespaces: 'true',
      limit: '5',
      offset: '2',
      sort: '-importance',
      form: 'reference',
    });
    expect(seen[0]?.headers).not.toHaveProperty('x-api-key');
  });

  it.each([['a,b'], [' blank '], ['[1'], ['plain', 'x,y']])('send tags with commas as a JSON array: %j', async (...tags) => {
    const { client, seen } = await serverThat(answer({ total: 0, offset: 0, limit: 5, entries: [] }));
    await client.list({ tags });
    expect(seen[0]?.query).toMatchObject({ tags: JSON.stringify(tags) });
  });

  it('encode ids', async () => {
    const { client, seen } = await serverThat(answer({ success: true, entry: ENTRY }));
    await client.get('a/../b?c');
    expect(seen[0]?.path).toBe('/api/a%2F..%2Fb%3Fc');
  });

  it('read the stored entry after a save', async () => {
    const saved = { success: true, count: 1, ids: [ENTRY.id], message: 'Saved.', outcomes: [] };
    const { client, seen } = await serverThat((req, res) => answer(req.method === 'POST' ? saved : { entry: ENTRY })(req, res));
    expect(await client.save({ content: 'text' })).toEqual({ ids: [ENTRY.id], message: 'Saved.', outcomes: [], entry: READ });
    expect(seen.map(({ method, path }) => `${method} ${path}`)).toEqual(['POST /api/save', `GET /api/${ENTRY.id}`]);
  });
});

describe('error responses', () => {
  it.each([
    [400, 'INVALID_REQUEST', 'invalid_input'],
    [401, 'UNAUTHORIZED', 'unauthorized'],
    [403, 'FORBIDDEN', 'forbidden'],
    [404, 'NOT_FOUND', 'not_found'],
    [405, 'INVALID_REQUEST', 'method_not_allowed'],
    [413, 'INVALID_REQUEST', 'too_large'],
    [415, 'INVALID_REQUEST', 'unsupported_media_type'],
    [500, 'INTERNAL_ERROR', 'internal'],
    [503, 'UNAVAILABLE', 'unavailable'],
  ])('with status %i and %s become %s with the message of the server', async (status, code, expected) => {
    const { client } = await serverThat(answer({ success: false, error: 'In its words.', code }, status));
    await expect(client.stats()).rejects.toMatchObject({ name: 'LoreError', code: expected, message: 'In its words.' });
  });

  it('contain the time to retry', async () => {
    const { client } = await serverThat(answer({ success: false, error: 'Slow down.', code: 'RATE_LIMITED' }, 429, { 'retry-after': '7' }));
    await expect(client.stats()).rejects.toMatchObject({ code: 'rate_limited', retryAfterSeconds: 7 });
  });

  it.each([
    ['a page of a proxy', 502, '<h1>Bad gateway</h1>', 'answered with status 502'],
    ['a page instead of JSON', 200, '<h1>Welcome</h1>', 'answered with something other than JSON'],
  ])('that are %s are network errors', async (_case, status, body, message) => {
    const { client } = await serverThat((_req, res) => void res.writeHead(status).end(body));
    await expect(client.stats()).rejects.toMatchObject({ code: 'network', message: expect.stringContaining(message) });
  });

  it('never follow a redirect with the key', async () => {
    const { client, seen } = await serverThat((_req, res) => void res.writeHead(307, { location: '/elsewhere' }).end(), { key: 'secret' });
    await expect(client.stats()).rejects.toMatchObject({ code: 'network' });
    expect(seen).toHaveLength(1);
  });
});

describe('a rotating API key', () => {
  const keys = (others: (string | undefined)[]) => ({
    key: 'old',
    replace(used: string) {
      const next = others.shift();
      expect(used).toBe(this.key);
      if (next !== undefined) this.key = next;
      return Promise.resolve(next !== undefined);
    },
  });
  const onlyFor =
    (key: string): Reply =>
    (req, res) => {
      const isRight = req.headers['x-api-key'] === key;
      const body = isRight ? { success: true, dryRun: true } : { success: false, error: 'No.', code: 'UNAUTHORIZED' };
      return answer(body, isRight ? 200 : 401)(req, res);
    };

  it('is requested again after a refusal, and the request is repeated', async () => {
    const { client, seen } = await serverThat(onlyFor('new'), { key: keys(['other', 'new']) });
    expect(await client.lifecycle.compact({ dryRun: true })).toMatchObject({ dryRun: true });
    expect(seen.map(({ headers, body }) => [headers['x-api-key'], body])).toEqual(
      ['old', 'other', 'new'].map((key) => [key, '{"dryRun":true}']),
    );
  });

  it('fails if there is no other key', async () => {
    const { client, seen } = await serverThat(onlyFor('new'), { key: keys([]) });
    await expect(client.stats()).rejects.toMatchObject({ code: 'unauthorized' });
    expect(seen).toHaveLength(1);
  });
});

describe('network failures', () => {
  it('without a listener is reported with the address', async () => {
    const { client, origin } = await serverThat(answer({}));
    await Promise.all(open.splice(0).map((close) => close()));
    const other = createHttpClient({ baseUrl: origin });
    await expect(other.health()).rejects.toMatchObject({
      code: 'network',
      message: `${origin} cannot be reached: nothing listens there.`,
      hint: expect.any(String),
    });
    await expect(client.health()).rejects.toMatchObject({ code: 'unavailable' });
  });

  it('without an answer in time is aborted', async () => {
    const { client } = await serverThat(() => {}, { timeoutMs: 100 });
    await expect(client.health()).rejects.toMatchObject({
      code: 'network',
      message: expect.stringContaining('did not answer within 0.1 seconds'),
    });
  });

  it('abort with the reason of the caller’s own signal', async () => {
    const { client } = await serverThat(() => {});
    const signal = AbortSignal.abort(new Error('enough'));
    await expect(client.recall({ query: 'q' }, { signal })).rejects.toThrow('enough');
  });

  it('end requests in progress on close', async () => {
    const { client } = await serverThat(() => void client.close());
    await expect(client.health()).rejects.toMatchObject({ code: 'unavailable' });
    await expect(client.health()).rejects.toMatchObject({ code: 'unavailable' });
  });
});

describe('streams', () => {
  it('yield exported lines as they arrive', async () => {
    const { client, seen } = await serverThat(async (_req, res) => {
      res.writeHead(200, { 'content-type': 'application/x-ndjson' });
      await new Promise((resolve) => res.write('{"id":"1"}\n{"id"', resolve));
      res.end(':"2"}\n');
    });
    expect(await Readable.from(client.export({ namespace: 'n', vectors: true })).toArray()).toEqual([{ id: '1' }, { id: '2' }]);
    expect(seen[0]).toMatchObject({ path: '/api/export', query: { format: 'jsonl', namespace: 'n', vectors: 'true' } });
  });

  it('that break off are errors, not short exports', async () => {
    const { client } = await serverThat((_req, res) => {
      res.write('{"id":"1"}\n', () => res.destroy());
    });
    await expect(Readable.from(client.export({})).toArray()).rejects.toMatchObject({ code: 'network' });
  });

  async function* input(): AsyncGenerator<Uint8Array> {
    yield await Promise.resolve(Buffer.from('{"content":"a"}\n'));
    yield Buffer.from('bad\n');
  }

  it('upload an import and download its report', async () => {
    const { client, seen } = await serverThat((_req, res) => {
      res.writeHead(200, { 'content-type': 'application/x-ndjson' });
      res.write('{"line":1,"status":"stored","id":"x"}\n{"line":2,"status":"invalid","error":"is not JSON"}\n');
      res.end('{"summary":{"success":true,"dryRun":false,"lines":2,"stored":1,"duplicates":0,"invalid":1,"errors":[]}}\n');
    });
    const lines: ImportLine[] = [];
    const report = await client.import(input(), { strict: true, namespace: 'n' }, { onLine: (line) => lines.push(line) });
    expect(report).toEqual({ dryRun: false, lines: 2, stored: 1, duplicates: 0, invalid: 1, errors: [] });
    expect(lines).toEqual([
      { line: 1, status: 'stored', id: 'x' },
      { line: 2, status: 'invalid', error: 'is not JSON' },
    ]);
    expect(seen[0]).toMatchObject({
      path: '/api/import',
      query: { strict: 'true', namespace: 'n', report: 'full' },
      headers: { 'content-type': 'application/x-ndjson' },
      body: '{"content":"a"}\nbad\n',
    });
  });

  it('pass on an error at the end of a report, and reject an incomplete report', async () => {
    const failing = await serverThat(
      (_req, res) => void res.end('{"line":1,"status":"stored"}\n{"success":false,"error":"Closing.","code":"UNAVAILABLE"}\n'),
    );
    await expect(failing.client.import(input(), {})).rejects.toMatchObject({ code: 'unavailable', message: 'Closing.' });
    const short = await serverThat((_req, res) => void res.end('{"line":1,"status":"stored"}\n'));
    await expect(short.client.import(input(), {})).rejects.toMatchObject({ code: 'network' });
  });
});
