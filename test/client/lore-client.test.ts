import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LoreClient, LoreError, type LoreClientOptions } from '../../src/client/lore-client.ts';
import { startTestServer, type TestServer } from '../helpers/server.ts';

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  await Promise.all(closing.splice(0).map((close) => close()));
});

describe('the client library on a real server', () => {
  let server: TestServer;
  let client: LoreClient;
  beforeEach(async () => {
    server = await startTestServer({ keys: [{ name: 'all', access: 'full' }] });
    client = new LoreClient({ url: server.url, key: server.keys.get('all')! });
    closing.push(
      () => client.close(),
      () => server.close(),
    );
  });

  it('saves, recalls, changes, moves and forgets', async () => {
    const { ids, entry } = await client.save({ content: 'The spare key is with Ana', tags: ['home'] });
    expect(ids).toEqual([entry.id]);
    const { results } = await client.recall({ query: 'who has the spare key' });
    expect(results[0]).toMatchObject({ entry: { id: entry.id, createdAt: entry.createdAt }, score: expect.any(Number) });
    expect(await client.update(entry.id, { tags: ['house'] })).toMatchObject({ tags: ['house'] });
    expect((await client.lifecycle.history(entry.id)).versions).toHaveLength(1);
    expect(await client.moves.move({ ids: [entry.id], to: 'elsewhere' })).toMatchObject({ moved: 1 });
    expect(await client.namespaces()).toMatchObject([{ namespace: 'elsewhere', entries: 1 }]);
    expect((await client.list({ allNamespaces: true })).total).toBe(1);
    await client.forget(entry.id);
    await expect(client.get(entry.id)).rejects.toMatchObject({ name: 'LoreError', code: 'not_found' });
  });

  it('throws an error with a code', async () => {
    await expect(client.save({ content: ' ' })).rejects.toThrowError(new LoreError('invalid_input', 'content must not be blank'));
    const stranger = new LoreClient({ url: server.url });
    closing.push(() => stranger.close());
    expect(await stranger.isUp()).toBe(true);
    const error: unknown = await stranger.health().catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(LoreError);
    expect(error).toMatchObject({ code: 'unauthorized' });
  });

  it('imports text, bytes, files, streams and objects, and exports bytes or lines', async () => {
    const line = (content: string): string => `${JSON.stringify({ content })}\n`;
    const bytes = new TextEncoder().encode(line('three'));
    async function* pieces(): AsyncGenerator<string> {
      await Promise.resolve();
      yield '{"content"';
      yield ': "five"}';
    }
    const inputs = [
      line('one') + line('two'),
      bytes,
      new Blob([line('four')]),
      new Blob([line('six')]).stream(),
      pieces(),
      [{ content: 'seven' }],
    ];
    for (const input of inputs) expect(await client.import(input)).toMatchObject({ invalid: 0, duplicates: 0 });
    const lines: string[] = [];
    for await (const exported of client.export({})) if ('content' in exported) lines.push(exported.content);
    expect(new Set(lines)).toEqual(new Set(['one', 'two', 'three', 'four', 'five', 'six', 'seven']));
    const chunks: Uint8Array[] = [];
    for await (const chunk of client.exportBytes()) chunks.push(chunk);
    expect(Buffer.concat(chunks).toString().trim().split('\n')).toHaveLength(8);
    expect(await client.import(Buffer.concat(chunks))).toMatchObject({ stored: 0, duplicates: 7 });
  });

  it('streams an import: input without an end is stored as it arrives', async () => {
    const ending = new AbortController();
    const seen: string[] = [];
    async function* endless(): AsyncGenerator<object> {
      for (let nth = 0; ; nth += 1) {
        yield { content: `Line ${nth} of many` };
        await new Promise((resolve) => setImmediate(resolve));
      }
    }
    const options = {
      signal: ending.signal,
      onLine: ({ status }: { status: string }) => {
        seen.push(status);
        ending.abort(new Error('enough'));
      },
    };
    await expect(client.import(endless(), {}, options)).rejects.toThrow('enough');
    expect(seen[0]).toBe('stored');
  });
});

type Reply = (req: IncomingMessage, res: ServerResponse) => void;

/** A server that answers its first requests as told, and then as the last reply says. */
async function serverThat(replies: readonly Reply[], options: LoreClientOptions = {}): Promise<{ client: LoreClient; seen: string[] }> {
  const seen: string[] = [];
  const handle = async (req: IncomingMessage, res: ServerResponse): Promise<void> => {
    await text(req).catch(() => '');
    seen.push(`${req.method} ${new URL(req.url ?? '/', 'http://localhost').pathname}`);
    (replies[seen.length - 1] ?? replies.at(-1)!)(req, res);
  };
  const server = createServer((req, res) => void handle(req, res));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const client = new LoreClient({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, ...options });
  closing.push(async () => {
    await client.close();
    server.closeAllConnections();
    server.close();
  });
  return { client, seen };
}
const json =
  (body: unknown, status = 200, headers: Record<string, string> = {}): Reply =>
  (_req, res) =>
    void res.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
const problem = (status: number, code: string, headers: Record<string, string> = {}): Reply =>
  json({ success: false, error: 'not now', code }, status, headers);
const cut: Reply = (req) => void req.socket.destroy();
const silence: Reply = () => {};

describe('retries', () => {
  const namespaces = json({ success: true, count: 0, namespaces: [] });

  it('repeats reads that were refused temporarily, cut off or unanswered', async () => {
    for (const first of [problem(429, 'RATE_LIMITED'), problem(503, 'UNAVAILABLE'), cut]) {
      const { client, seen } = await serverThat([first, namespaces]);
      expect(await client.namespaces()).toEqual([]);
      expect(seen).toHaveLength(2);
    }
    const { client, seen } = await serverThat([silence, namespaces], { timeoutMs: 100 });
    expect(await client.namespaces()).toEqual([]);
    expect(seen).toHaveLength(2);
  });

  it('repeats a search after the time the server asks for', async () => {
    let refusedAt = 0;
    const refuse: Reply = (req, res) => {
      refusedAt = performance.now();
      problem(429, 'RATE_LIMITED', { 'retry-after': '1' })(req, res);
    };
    const found: Reply = (req, res) => {
      const isEarly = performance.now() - refusedAt < 1000;
      json(
        isEarly
          ? { success: false, error: 'too early', code: 'INVALID_REQUEST' }
          : { success: true, count: 0, mode: 'hybrid', results: [] },
      )(req, res);
    };
    const { client, seen } = await serverThat([refuse, found]);
    expect(await client.search({ query: 'x' })).toMatchObject({ mode: 'hybrid', results: [] });
    expect(seen).toEqual(['POST /api/search', 'POST /api/search']);
  });

  it('never repeats a possibly completed change that has no idempotency key', async () => {
    for (const first of [cut, problem(503, 'UNAVAILABLE')]) {
      const { client, seen } = await serverThat([first]);
      const move = { ids: ['an-id'], to: 'elsewhere' };
      await expect(client.moves.move(move)).rejects.toMatchObject({ code: expect.stringMatching(/network|unavailable/) });
      await expect(client.bulk.tag({ ids: ['an-id'], add: ['x'] })).rejects.toThrow(LoreError);
      expect(seen).toEqual(['POST /api/namespaces/move', 'POST /api/tags']);
    }
  });

  it('repeats a change whose first attempt is still in progress', async () => {
    const { client, seen } = await serverThat([cut, problem(409, 'CONFLICT'), json({ success: true, message: 'Deleted.' })]);
    await client.forget('an-id');
    expect(seen).toEqual(Array(3).fill('DELETE /api/an-id'));
  });

  it('does not retry if its key belongs to another request', async () => {
    const { client, seen } = await serverThat([problem(422, 'INVALID_REQUEST')]);
    await expect(client.forget('an-id', { idempotencyKey: 'mine' })).rejects.toMatchObject({ code: 'key_reused' });
    expect(seen).toHaveLength(1);
  });

  it('repeats a rate-limited change, which was not begun', async () => {
    const { client, seen } = await serverThat([problem(429, 'RATE_LIMITED'), json({ success: true, message: 'Deleted.' })]);
    await client.forget('an-id');
    expect(seen).toHaveLength(2);
  });

  it('never repeats an import, because its input is consumed', async () => {
    const { client, seen } = await serverThat([problem(429, 'RATE_LIMITED'), json({ summary: { success: true, lines: 0, stored: 0 } })]);
    const lines = (async function* () {
      yield { content: 'one' };
    })();
    await expect(client.import(lines)).rejects.toMatchObject({ code: 'rate_limited' });
    expect(seen).toEqual(['POST /api/import']);
  });

  it('stops after the maximum number of attempts, and at once on permanent errors', async () => {
    const busy = await serverThat([problem(503, 'UNAVAILABLE')], { retries: 1 });
    await expect(busy.client.namespaces()).rejects.toMatchObject({ code: 'unavailable', message: 'not now' });
    expect(busy.seen).toHaveLength(2);
    for (const last of [
      problem(401, 'UNAUTHORIZED'),
      problem(400, 'INVALID_REQUEST'),
      problem(429, 'RATE_LIMITED', { 'retry-after': '3600' }),
    ]) {
      const { client, seen } = await serverThat([last]);
      await expect(client.namespaces()).rejects.toThrow('not now');
      expect(seen).toHaveLength(1);
    }
    const none = await serverThat([cut], { retries: 0 });
    await expect(none.client.namespaces()).rejects.toMatchObject({ code: 'network' });
    expect(none.seen).toHaveLength(1);
  });

  it('rejects with the reason of the signal, also between attempts', async () => {
    const { client, seen } = await serverThat([problem(429, 'RATE_LIMITED', { 'retry-after': '20' })]);
    const ending = new AbortController();
    const call = client.namespaces({ signal: ending.signal });
    await expect.poll(() => seen.length).toBeGreaterThan(0);
    setTimeout(() => ending.abort(new Error('changed my mind')), 50);
    await expect(call).rejects.toThrow('changed my mind');
    await expect(client.namespaces({ signal: AbortSignal.abort(new Error('too late')) })).rejects.toThrow('too late');
  });

  it('refuses every call after closing, also a waiting one', async () => {
    const { client, seen } = await serverThat([problem(429, 'RATE_LIMITED', { 'retry-after': '20' })]);
    const refused = client.namespaces().catch((reason: unknown) => reason);
    await expect.poll(() => seen.length).toBeGreaterThan(0);
    await client.close();
    expect(await refused).toMatchObject({ code: 'unavailable' });
    await expect(client.namespaces()).rejects.toMatchObject({ code: 'unavailable' });
  });

  it('reports a connection failure if no server runs', async () => {
    const client = new LoreClient({ url: 'http://127.0.0.1:9', retries: 0 });
    expect(await client.isUp()).toBe(false);
    await expect(client.health()).rejects.toMatchObject({ code: 'network', message: expect.stringContaining('127.0.0.1:9') });
    await expect(client.isUp({ signal: AbortSignal.abort(new Error('stop')) })).rejects.toThrow('stop');
  });
});
