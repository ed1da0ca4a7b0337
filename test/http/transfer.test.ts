import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { revokeKey } from '../../src/config/api-keys.ts';
import type { ExportedEntry, MemoryOperations } from '../../src/memory/operations/operations.ts';
import { gate } from '../helpers/gate.ts';
import { startTestServer, type TestServer } from '../helpers/server.ts';
import { head, parseRaw, rawExchange } from './raw-socket.ts';

const LIMIT = 64 * 1024;
const NDJSON = { 'content-type': 'application/x-ndjson' };
let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ server: { bodyLimitBytes: LIMIT } });
});
afterAll(() => server.close());

const load = (lines: readonly string[], query = '', type = NDJSON['content-type']) =>
  server.call('POST', `/api/import${query}`, { body: lines.map((line) => `${line}\n`).join(''), headers: { 'content-type': type } });
const totalIn = async (namespace: string): Promise<number> => (await server.call('GET', `/api/list?namespace=${namespace}`)).body.total;
/** The lines below the header. */
const exported = async (from: TestServer, query = ''): Promise<ExportedEntry[]> =>
  (await from.call('GET', `/api/export${query}`)).text
    .split('\n')
    .slice(1)
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as ExportedEntry);

/** Takes the key called `leaving` away, and waits until the server knows. */
async function revoked(from: TestServer, key: string): Promise<void> {
  await expect.poll(async () => (await from.call('GET', '/openapi.json', { headers: { 'x-api-key': key } })).status).toBe(200);
  await revokeKey({ file: from.keysFile, key: 'leaving' });
  await expect
    .poll(async () => (await from.call('GET', '/openapi.json', { headers: { 'x-api-key': key } })).status, { timeout: 10_000 })
    .toBe(401);
}

describe('an import', () => {
  it('stores valid lines, reports invalid ones, and stores nothing twice', async () => {
    const lines = ['{"content":"First","tags":["a"]}', '{"content":""}', 'nonsense', '{"content":"Last","priority":"high"}', ''];
    const { status, body } = await load(lines, '?namespace=mixed');
    expect(status).toBe(200);
    expect(body).toMatchObject({ success: true, lines: 4, stored: 2, duplicates: 0, invalid: 2 });
    expect(body.errors.map((line: { line: number }) => line.line)).toEqual([2, 3]);
    expect((await load(lines, '?namespace=mixed')).body).toMatchObject({ stored: 0, duplicates: 2, invalid: 2 });
    expect(await totalIn('mixed')).toBe(2);
  });

  it('stores nothing in a dry run, or in a strict one with an invalid line', async () => {
    const lines = ['{"content":"Good"}', '{"content":5}'];
    expect((await load(lines, '?namespace=careful&dryRun=true')).body).toMatchObject({
      success: true,
      dryRun: true,
      stored: 1,
      invalid: 1,
    });
    expect((await load(lines, '?namespace=careful&strict=true')).body).toMatchObject({ success: false, stored: 0, invalid: 1 });
    expect(await totalIn('careful')).toBe(0);
    expect((await load(lines.slice(0, 1), '?namespace=careful&strict=true')).body).toMatchObject({ success: true, stored: 1 });
    expect(await totalIn('careful')).toBe(1);
  });

  it('has any length, with a limit per line', async () => {
    const long = JSON.stringify({ content: 'y'.repeat(LIMIT) });
    const lines = Array.from({ length: 60 }, (_, at) => JSON.stringify({ content: `${at} ${'x'.repeat(4000)}` }));
    const { status, body } = await load([...lines, long, '{"content":"after the long one"}'], '?namespace=large');
    expect(status).toBe(200);
    expect(body).toMatchObject({ lines: 62, stored: 61, invalid: 1, errors: [{ line: 61 }] });
    expect(await totalIn('large')).toBe(61);
  });

  it('with report=full answers line by line and ends with the summary', async () => {
    const answer = await load(['{"content":"one"}', '{', '{"content":"one"}'], '?namespace=full&report=full');
    expect(answer.headers.get('content-type')).toBe('application/x-ndjson; charset=utf-8');
    const lines = answer.text
      .trim()
      .split('\n')
      .map((line): unknown => JSON.parse(line));
    expect(lines).toMatchObject([
      { line: 1, status: 'stored' },
      { line: 2, status: 'invalid' },
      { line: 3, status: 'duplicate' },
      { summary: { success: true, lines: 3, stored: 1, duplicates: 1, invalid: 1 } },
    ]);
    const empty = await load([], '?report=full');
    expect(JSON.parse(empty.text)).toMatchObject({ summary: { lines: 0 } });
    const guide = await load(['{"content":"two"}'], '?namespace=full&report=full&form=guide');
    expect(guide.text).toMatch(/^\{[^\n]*"id":"[0-9a-f]/);
  });

  it.each(['application/json', 'text/plain', 'application/x-ndjson; charset=latin1', 'text/plain; a=application/x-ndjson'])(
    'as %s is rejected',
    async (type) => {
      const { status, body } = await load(['{"content":"planted"}'], '?namespace=refused', type);
      expect([status, body.code]).toEqual([415, 'INVALID_REQUEST']);
    },
  );

  it.each(['application/jsonl', 'Application/X-NDJSON; charset=utf-8'])('as %s is accepted', async (type) => {
    expect((await load(['{"content":"taken"}'], '?namespace=types', type)).status).toBe(200);
  });

  it('keeps the lines sent before the client disconnected, and continues to serve', async () => {
    const line = `${JSON.stringify({ content: 'before the break' })}\n`;
    const socket = connect(server.port, '127.0.0.1');
    socket.write(
      head('/api/import?namespace=broken', ['Content-Type: application/x-ndjson', 'Content-Length: 100000', 'x-request-id: broke']),
    );
    // What the system has is sent, also where the socket is destroyed.
    await new Promise((resolve) => socket.write(line, resolve));
    socket.destroy();
    await expect.poll(() => server.logged.find((entry) => entry['requestId'] === 'broke')).toMatchObject({ aborted: true });
    expect((await load([line.trim()], '?namespace=broken')).body.lines).toBe(1);
    expect(await totalIn('broken')).toBe(1);
  });

  it('that waits for its report to be read gets a remedy if the server closes', async () => {
    const entered = gate();
    await using closing = await startTestServer({
      memories: (real) => new Proxy(real, { get: (target, name): unknown => (name === 'import' ? reporting : Reflect.get(target, name)) }),
    });
    const reporting: MemoryOperations['import'] = async (chunks, _request, { onLine } = {}) => {
      for await (const _chunk of chunks) {
        for (let line = 1; line <= 400; line += 1) onLine?.({ line, status: 'invalid', error: 'z'.repeat(100_000) });
        entered.open();
      }
      throw new Error('read to the end');
    };
    const socket = connect(closing.port, '127.0.0.1');
    socket.pause();
    socket.write(head('/api/import?report=full', ['Content-Type: application/x-ndjson', 'Content-Length: 100000', 'Connection: close']));
    socket.write('{"content":"x"}\n');
    await entered.opened;
    const closed = closing.closeServer();
    let text = '';
    socket
      .setEncoding('utf8')
      .on('data', (part: string) => (text = (text + part).slice(-2000)))
      .resume();
    await Promise.all([once(socket, 'close'), closed]);
    expect(text).toContain('"code":"UNAVAILABLE"');
    expect(text).toContain('Send the file again');
  });

  it('ends with 401 once its key is revoked', async () => {
    await using keyed = await startTestServer({ keys: [{ name: 'leaving', access: 'full' }] });
    const key = keyed.keys.get('leaving')!;
    const line = `${JSON.stringify({ content: 'of somebody who leaves' })}\n`;
    const text = await rawExchange(keyed.port, [
      head('/api/import', ['Content-Type: application/x-ndjson', `Content-Length: ${2 * line.length}`, `x-api-key: ${key}`]),
      line,
      () => revoked(keyed, key),
      line,
    ]);
    expect(parseRaw(text)).toMatchObject({ status: 401 });
    expect(text).toContain('no longer valid');
  });

  it('that stored nothing is an error with the report', async () => {
    const body = '{"content":5}\n{"content":"x","timestamp":"soon"}\n';
    const error = 'Nothing was stored: 2 of 2 lines are bad. The first is line 1: content must be a text';
    const errors = [
      { line: 1, status: 'invalid', error: 'content must be a text' },
      { line: 2, status: 'invalid', error: 'timestamp: not a date' },
    ];
    const problem = { success: false, error, code: 'INVALID_REQUEST' };
    for (const form of ['reference', 'guide']) {
      const answer = await server.call('POST', `/api/import?form=${form}`, { body, headers: NDJSON });
      expect([answer.status, answer.body]).toEqual([400, expect.objectContaining({ ...problem, lines: 2, stored: 0, invalid: 2, errors })]);
    }
    const full = await server.call('POST', '/api/import?report=full', { body, headers: NDJSON });
    expect(JSON.parse(full.text.trim().split('\n').at(-1)!)).toMatchObject({ ...problem, summary: { success: false, errors } });
    const strict = await server.call('POST', '/api/import?strict=true', { body: `{"content":"good"}\n${body}`, headers: NDJSON });
    expect([strict.status, strict.body]).toEqual([400, expect.objectContaining({ success: false, stored: 0, invalid: 2 })]);
    const dry = await server.call('POST', '/api/import?dryRun=true', { body, headers: NDJSON });
    expect([dry.status, dry.body]).toEqual([200, expect.objectContaining({ success: true, invalid: 2 })]);
  });

  it('of nothing does not fail', async () => {
    for (const body of ['', '\n', '{"lore":{"format":1}}\n']) {
      const answer = await server.call('POST', '/api/import', { body, headers: NDJSON });
      expect([answer.status, answer.body]).toEqual([200, expect.objectContaining({ success: true, lines: 0, stored: 0 })]);
    }
  });

  it('sends 100 Continue to a waiting client', async () => {
    const line = '{"content":"waited"}\n';
    const lines = ['Content-Type: application/x-ndjson', `Content-Length: ${line.length}`, 'Expect: 100-continue', 'Connection: close'];
    expect(await rawExchange(server.port, [head('/api/import', lines), line])).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200/);
  });
});

describe('an export', () => {
  it('restores completely in an empty store', async () => {
    await using source = await startTestServer();
    const texts = ['Plain', 'Quotes \' and " and \\', 'Two\nlines\twith\u0000controls', '日本語 🐟', 'x'.repeat(3000)];
    for (const [at, text] of texts.entries())
      await source.save(text, { tags: [`t${at}`], namespace: at % 2 ? 'odd' : 'even', priority: 'high' });
    const before = await exported(source, '?format=jsonl&vectors=true');
    expect(before.map((line) => line.content)).toEqual(texts);
    expect(before[0]!.embedding).toHaveLength(384);
    await using target = await startTestServer();
    const body = before.map((line) => `${JSON.stringify(line)}\n`).join('');
    expect((await target.call('POST', '/api/import', { body, headers: NDJSON })).body).toMatchObject({ stored: 5, invalid: 0 });
    expect(await exported(target, '?vectors=true')).toEqual(before);
    expect((await exported(target, '?namespace=odd')).map((line) => line.content)).toEqual([texts[1], texts[3]]);
    expect((await exported(target))[0]).not.toHaveProperty('embedding');
  });

  it('is a download of JSON Lines, also if it is empty', async () => {
    const { status, headers, text } = await server.call('GET', '/api/export?namespace=nothing-here');
    expect([status, JSON.parse(text)]).toEqual([200, { lore: expect.objectContaining({ format: 1, entries: 0 }) }]);
    expect(headers.get('content-type')).toBe('application/x-ndjson; charset=utf-8');
    expect(headers.get('content-disposition')).toMatch(/^attachment; filename="lore-\d{4}-\d\d-\d\d\.jsonl"$/);
  });

  it('waits for a slow client instead of filling memory', async () => {
    const line = { id: 'x', content: 'z'.repeat(100_000) };
    let made = 0;
    let ended = false;
    await using slow = await startTestServer({
      memories: (real) =>
        new Proxy(real, {
          get: (target, name): unknown => (name === 'export' ? endless : Reflect.get(target, name)),
        }),
    });
    async function* endless() {
      try {
        while (true) {
          made += 1;
          // Another turn of the event loop for each line, as a store would take.
          await new Promise((resolve) => setImmediate(resolve));
          yield line;
        }
      } finally {
        ended = true;
      }
    }
    const socket = connect(slow.port, '127.0.0.1');
    socket.write(head('/api/export', [], 'GET'));
    socket.pause();
    let seen = -1;
    // It stands still once the buffers on the way are full.
    await expect.poll(() => made > 1 && seen === (seen = made), { interval: 300, timeout: 10_000 }).toBe(true);
    expect(made).toBeLessThan(400);
    socket.destroy();
    await once(socket, 'close');
    await expect.poll(() => ended).toBe(true);
  });

  it('is cut off once its key is revoked', async () => {
    const rest = gate();
    await using keyed = await startTestServer({
      keys: [{ name: 'leaving', access: 'full' }],
      memories: (real) => new Proxy(real, { get: (target, name): unknown => (name === 'export' ? halting : Reflect.get(target, name)) }),
    });
    async function* halting() {
      yield { id: 'first', content: 'z'.repeat(100_000) };
      await rest.opened;
      yield { id: 'second', content: 'z'.repeat(100_000) };
    }
    const key = keyed.keys.get('leaving')!;
    const leave = async (): Promise<void> => {
      await revoked(keyed, key);
      rest.open();
    };
    const text = await rawExchange(keyed.port, [head('/api/export', [`x-api-key: ${key}`], 'GET'), leave]);
    expect(parseRaw(text).status).toBe(200);
    expect(text).toContain('"first"');
    expect(text).not.toContain('"second"');
    expect(text).not.toMatch(/\r\n0\r\n\r\n$/);
  });

  it.each([
    ['', 'as lines'],
    ['?gzip=true', 'compressed'],
  ])('that fails is cut off, so that it does not look complete (%s, %s)', async (query) => {
    await using failing = await startTestServer({
      memories: (real) =>
        new Proxy(real, {
          get: (target, name): unknown => (name === 'export' ? breaking : Reflect.get(target, name)),
        }),
    });
    async function* breaking() {
      for (let at = 0; at < 3; at++) {
        yield { id: String(at), content: randomBytes(52_500).toString('base64') };
        await new Promise((resolve) => setImmediate(resolve));
      }
      throw new Error('disk gone');
    }
    const text = await rawExchange(failing.port, [head(`/api/export${query}`, [], 'GET')]);
    expect(parseRaw(text).status).toBe(200);
    expect(text).not.toMatch(/\r\n0\r\n\r\n$/);
    expect(text).not.toContain('disk gone');
    expect(failing.logged.some((line) => line['msg'] === 'request failed')).toBe(true);
  });
});
