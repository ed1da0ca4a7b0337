import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LoreError } from '../../src/memory/errors.ts';
import type { ImportReport, MemoryOperations } from '../../src/memory/operations/operations.ts';
import type { ProblemBody } from '../../src/http/responses/problem.ts';
import { startTestServer, type TestServer } from '../helpers/server.ts';
import { head, parseRaw, rawExchange } from './raw-socket.ts';

describe('routing', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer();
  });
  afterAll(() => server.close());

  it.each([
    ['GET', '/api/save', 'POST, OPTIONS'],
    ['DELETE', '/api/list', 'GET, HEAD, OPTIONS'],
    ['PATCH', '/api/health', 'GET, HEAD, OPTIONS'],
    ['POST', '/api/export', 'GET, HEAD, OPTIONS'],
    ['GET', '/api/import', 'POST, OPTIONS'],
    ['PUT', '/api/00000000-0000-7000-8000-000000000000', 'GET, HEAD, PATCH, DELETE, OPTIONS'],
    ['POST', '/', 'GET, HEAD, OPTIONS'],
    ['POST', '/openapi.json', 'GET, HEAD, OPTIONS'],
    ['PROPFIND', '/api/stats', 'GET, HEAD, OPTIONS'],
  ])('%s %s is 405 and lists the allowed methods', async (method, path, allow) => {
    const { status, headers, body } = await server.call(method, path);
    expect([status, headers.get('allow'), body.code]).toEqual([405, allow, 'INVALID_REQUEST']);
  });

  it.each(['/nothing', '/api/a/b', '/api', '/assets/none.js', '/../etc/passwd', '/%2e%2e/package.json', '/docs/none', '/index.html'])(
    'GET %s is 404 in the error form',
    async (path) => {
      const { status, body } = parseRaw(await rawExchange(server.port, [head(path, ['Connection: close'], 'GET')]));
      expect([status, (JSON.parse(body) as ProblemBody).code]).toEqual([404, 'NOT_FOUND']);
    },
  );

  it.each([
    ['POST', '/api/recal', 'No route matches "/api/recal". Did you mean POST /api/recall?'],
    ['GET', '/api/namespace', 'No route matches "/api/namespace". Did you mean GET /api/namespaces?'],
    ['GET', '/api/memories', 'No route matches "/api/memories". GET /openapi.json lists all routes.'],
    ['DELETE', '/api/mem_12', 'No entry has the id "mem_12".'],
  ])('%s %s is 404 and says which route or entry is missing', async (method, path, error) => {
    expect(await server.call(method, path)).toMatchObject({ status: 404, body: { code: 'NOT_FOUND', error } });
  });

  it('answers HEAD like GET without a body', async () => {
    for (const path of ['/api/list', '/api/health', '/healthz', '/api/export', '/openapi.json']) {
      const answer = await server.call('HEAD', path);
      expect([path, answer.status, answer.text]).toEqual([path, 200, '']);
      expect(answer.headers.get('content-type')).toBe((await server.call('GET', path)).headers.get('content-type'));
    }
  });

  it('answers /healthz without data', async () => {
    expect((await server.call('GET', '/healthz')).body).toEqual({ status: 'ok' });
  });

  it('forbids sniffing, framing and foreign scripts on every response', async () => {
    for (const path of ['/healthz', '/nothing', '/api/list']) {
      const { headers } = await server.call('GET', path);
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('content-security-policy')).toContain("default-src 'self'");
      expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
      expect(headers.get('content-security-policy')).not.toContain('unsafe');
    }
    expect((await server.call('GET', '/api/list')).headers.get('cache-control')).toBe('no-store');
  });

  it('gives each request an id, that of the client if it is plain', async () => {
    const id = async (given?: string): Promise<string | null> =>
      (await server.call('GET', '/healthz', given === undefined ? {} : { headers: { 'x-request-id': given } })).headers.get('x-request-id');
    expect(await id('build-17.a')).toBe('build-17.a');
    for (const odd of ['a b', '"><script>', 'x'.repeat(65), '']) expect(await id(odd)).toMatch(/^[0-9a-f-]{36}$/);
    expect(await id()).not.toBe(await id());
  });

  it('logs one line per request, without query, headers or bodies', async () => {
    const headers = { 'x-request-id': 'one-line', cookie: 'secret-cookie' };
    await server.call('POST', '/api/recall?form=guide&namespace=secret-query', { body: { query: 'secret-words' }, headers });
    const lines = server.logged.filter((line) => line['requestId'] === 'one-line');
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatchObject({
      level: 30,
      msg: 'request',
      method: 'POST',
      path: '/api/recall',
      status: 400,
      ms: expect.any(Number) as unknown,
    });
    expect(lines[0]!['bytes']).toBeGreaterThan(100);
    expect(JSON.stringify(server.logged)).not.toMatch(/secret-(cookie|query|words)/);
  });

  it('logs a client that disconnected before the response', async () => {
    const socket = connect(server.port, '127.0.0.1');
    socket.write(`${head('/api/save', ['Content-Type: application/json', 'Content-Length: 10', 'x-request-id: left'])}{"a`);
    await expect.poll(async () => (await server.call('GET', '/healthz')).status).toBe(200);
    socket.destroy();
    await expect.poll(() => server.logged.find((line) => line['requestId'] === 'left')).toMatchObject({ aborted: true, path: '/api/save' });
    expect(server.logged.filter((line) => line['level'] === 50)).toEqual([]);
  });
});

/** The operations of `real`, with some in the place of its own. */
function withFault(real: MemoryOperations, faults: Partial<MemoryOperations>): MemoryOperations {
  return new Proxy(real, {
    get(target, name) {
      const own: unknown = Reflect.get(faults, name) ?? Reflect.get(target, name);
      return typeof own === 'function' ? (own as (...args: unknown[]) => unknown).bind(target) : own;
    },
  });
}

describe('an internal fault', () => {
  let server: TestServer;
  const secret = 'lance error: /home/ana/.lore/store/entries.lance not found, rust/lance/src/io.rs:42';
  beforeAll(async () => {
    server = await startTestServer({
      memories: (real) =>
        withFault(real, {
          recall: () => Promise.reject(new Error(secret)),
          list: () => {
            throw new TypeError(secret);
          },
          stats: () => Promise.reject(new LoreError('unavailable', 'The store is read-only.', { retryAfterSeconds: 7 })),
          // oxlint-disable-next-line typescript/prefer-promise-reject-errors -- what a library may do
          namespaces: () => Promise.reject(secret),
          export: async function* () {
            yield* [];
            throw new Error(secret);
          },
        }),
    });
  });
  afterAll(() => server.close());

  it.each([
    ['POST', '/api/recall', { query: 'x' }],
    ['GET', '/api/list', undefined],
    ['GET', '/api/namespaces', undefined],
    ['GET', '/api/export', undefined],
  ])('of %s %s is 500 with a general message; the log has the cause with the request id', async (method, path, body) => {
    const requestId = `fault-${path.slice(5)}`;
    const answer = await server.call(method, path, { headers: { 'x-request-id': requestId }, ...(body && { body }) });
    expect(answer.status).toBe(500);
    expect(answer.body).toEqual({ success: false, error: 'Something went wrong; the server log has the details.', code: 'INTERNAL_ERROR' });
    const logged = server.logged.filter((line) => line['requestId'] === requestId);
    expect(logged.map((line) => line['msg'])).toEqual(['request failed', 'request']);
    expect(JSON.stringify(logged)).toContain('io.rs:42');
  });

  it('that is temporary is 503 with Retry-After', async () => {
    const { status, headers, body } = await server.call('GET', '/api/stats');
    expect([status, headers.get('retry-after'), body]).toEqual([
      503,
      '7',
      { success: false, error: 'The store is read-only.', code: 'UNAVAILABLE' },
    ]);
  });

  it('does not stop the server', async () => {
    expect((await server.call('GET', '/api/health')).status).toBe(200);
  });
});

describe('listening', () => {
  it('rejects a taken port with a message', async () => {
    await using server = await startTestServer();
    await expect(startTestServer({ server: { port: server.port } })).rejects.toMatchObject({
      code: 'network',
      message: `Port ${server.port} is taken by another program.`,
      hint: expect.stringContaining('--port') as unknown,
    });
  });

  it('rejects an address of another machine', async () => {
    await expect(startTestServer({ server: { host: '192.0.2.1', allowUnauthenticated: true } })).rejects.toMatchObject({ code: 'network' });
  });

  it('rejects listening beyond this machine without a key, unless allowed', async () => {
    await expect(startTestServer({ server: { host: '0.0.0.0' } })).rejects.toMatchObject({ code: 'config' });
    await using keyed = await startTestServer({ server: { host: '0.0.0.0' }, keys: [{ name: 'a', access: 'full' }] });
    expect(keyed.url).toBe(`http://127.0.0.1:${keyed.port}`);
    expect((await keyed.call('GET', '/api/list')).status).toBe(401);
  });
});

describe('time limits', () => {
  it('answer 408 to a body that does not arrive', async () => {
    await using server = await startTestServer({ server: { requestTimeoutMs: 200, headersTimeoutMs: 200 } });
    const text = await rawExchange(server.port, [head('/api/save', ['Content-Type: application/json', 'Content-Length: 100'])]);
    const { status, body } = parseRaw(text);
    expect([status, (JSON.parse(body) as ProblemBody).code]).toEqual([408, 'INVALID_REQUEST']);
  });

  it('answer 408 to endless headers', async () => {
    await using server = await startTestServer({ server: { requestTimeoutMs: 300, headersTimeoutMs: 200 } });
    expect(parseRaw(await rawExchange(server.port, ['GET /healthz HTTP/1.1\r\nHost: localhost\r\n'])).status).toBe(408);
  });

  it('exempt an import that makes progress', async () => {
    await using server = await startTestServer({ server: { requestTimeoutMs: 200, headersTimeoutMs: 200 } });
    const lines = [1, 2, 3, 4].flatMap((at) => {
      const line = `{"content":"slow line ${at}"}\n`;
      return [`${line.length.toString(16)}\r\n${line}\r\n`, () => delay(250)];
    });
    const start = head('/api/import', ['Content-Type: application/x-ndjson', 'Transfer-Encoding: chunked', 'Connection: close']);
    const { status, body } = parseRaw(await rawExchange(server.port, [start, ...lines, '0\r\n\r\n']));
    expect([status, (JSON.parse(body) as ImportReport).stored]).toEqual([200, 4]);
  });
});

describe('closing', () => {
  it('finishes requests in progress and accepts no new ones', async () => {
    const gate = signal();
    const entered = signal();
    const server = await startTestServer({
      memories: (real) =>
        withFault(real, {
          save: async (request, options) => {
            entered.give();
            await gate.given;
            return real.save(request, options);
          },
        }),
    });
    const saving = server.call('POST', '/api/save', { body: { content: 'Accepted before the end' } });
    await entered.given;
    const closing = server.closeServer();
    await expect.poll(() => isOpen(server.port), { interval: 10 }).toBe(false);
    gate.give();
    expect((await saving).status).toBe(200);
    await closing;
    const { total } = await server.app.memories.list({ limit: 1 });
    expect(total).toBe(1);
    await server.close();
  });

  it('does not wait for idle connections', async () => {
    const server = await startTestServer();
    const idle = connect(server.port, '127.0.0.1');
    await once(idle, 'connect');
    idle.write(head('/healthz', [], 'GET'));
    await once(idle, 'data');
    await server.closeServer();
    await once(idle, 'close');
    await expect(server.closeServer()).resolves.toBeUndefined();
    await server.close();
  });
});

function signal(): { give: () => void; given: Promise<void> } {
  let give = (): void => undefined;
  const given = new Promise<void>((resolve) => {
    give = resolve;
  });
  return { give: () => give(), given };
}

async function isOpen(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  return new Promise((resolve) => {
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}
