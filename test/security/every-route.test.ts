import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../helpers/folder.ts';
import { startTestServer, type TestServer } from '../helpers/server.ts';
import { head, parseRaw, rawExchange } from '../http/raw-socket.ts';
import { BODIES } from './naming.ts';
import { ROUTES } from './probes.ts';

const ID = '00000000-0000-7000-8000-000000000000';
/** Every operation of the OpenAPI document, and what is not in it: pages, files, wrong methods and paths that are nothing. */
const OF_DOCUMENT = ROUTES.map(({ method, path }) => [method, path.replace('{id}', ID)] as const);
const REST = [
  ['GET', '/'],
  ['HEAD', '/'],
  ['GET', '/docs'],
  ['GET', '/assets/page-abc123.js'],
  ['GET', '/assets/none.js'],
  ['GET', '/openapi.json'],
  ['GET', '/metrics'],
  ['GET', '/healthz'],
  ['GET', '/readyz'],
  ['GET', '/mcp'],
  ['DELETE', '/mcp'],
  ['OPTIONS', '/api/save'],
  ['OPTIONS', '/mcp'],
  ['OPTIONS', '/'],
  ['OPTIONS', '*'],
  ['PUT', '/api/save'],
  ['HEAD', '/api/list'],
  ['GET', '/api'],
  ['GET', '/api/'],
  ['GET', '/API/LIST'],
  ['GET', '/api/no/such/route'],
  ['GET', '/nothing'],
  ['PROPFIND', '/nothing'],
] as const;
const EVERYTHING = [...OF_DOCUMENT, ...REST];
const PROTECTED = /^\/(?:api|mcp|metrics|openapi\.json)(?:\/|$)/i;

let server: TestServer;
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let key: string;
beforeAll(async () => {
  folder = await temporaryFolder();
  const webRoot = join(folder.path, 'web');
  await mkdir(join(webRoot, 'assets'), { recursive: true });
  await writeFile(join(webRoot, 'index.html'), '<!doctype html><title>Lore</title>');
  await writeFile(join(webRoot, 'assets', 'page-abc123.js'), 'export {};');
  server = await startTestServer({ webRoot, storage: { durability: 'process' }, keys: [{ name: 'owner', access: 'full' }] });
  key = server.keys.get('owner')!;
});
afterAll(async () => {
  await server.close();
  await folder[Symbol.asyncDispose]();
});

async function raw(method: string, path: string, lines: readonly string[], host = '127.0.0.1'): Promise<ReturnType<typeof parseRaw>> {
  const start = [`${method} ${path} HTTP/1.1`, `Host: ${host}`, 'Connection: close', ...lines, '', ''].join('\r\n');
  return parseRaw(await rawExchange(server.port, [start]));
}

function expectStrict(headers: Readonly<Record<string, string>>): void {
  expect(headers).toMatchObject({
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
  });
  const policy = headers['content-security-policy'];
  for (const rule of ["default-src 'self'", "frame-ancestors 'none'", "base-uri 'none'", "object-src 'none'", "script-src 'self'"])
    expect(policy).toContain(rule);
  expect(policy).not.toMatch(/unsafe|\*|https?:/);
  expect(headers['x-powered-by']).toBeUndefined();
  expect(headers['server']).toBeUndefined();
}

/** Of an answer in the error form; undefined where there is no body. */
const codeIn = (body: string): string | undefined => (body === '' ? undefined : (JSON.parse(body) as { code: string }).code);

const isProtected = (method: string, path: string): boolean => PROTECTED.test(path) && method !== 'OPTIONS';
const TYPES = ['application/json', 'application/x-ndjson', 'multipart/form-data; boundary=x'];

describe.each(EVERYTHING)('%s %s', (method, path) => {
  it('rejects other hosts, even with a key, and always sends strict headers', async () => {
    const { status, headers, body } = await raw(method, path, [`x-api-key: ${key}`], 'evil.example:7007');
    expect(status).toBe(403);
    expectStrict(headers);
    expect(codeIn(body)).toBe(method === 'HEAD' ? undefined : 'FORBIDDEN');
    // What goes on without an end is asked for its head alone.
    const quick = path === '/api/events' ? 'HEAD' : method;
    expectStrict((await raw(quick, path, [`x-api-key: ${key}`])).headers);
    expectStrict((await raw(quick, path, [`x-api-key: ${key}`, 'origin: https://page.example', 'content-type: text/plain'])).headers);
  });

  it.runIf(isProtected(method, path))('is 401 without a valid key, before the body arrives', async () => {
    const refused = [[], ['x-api-key: lore_wrong'], [`Authorization: Basic ${key}`], [`Cookie: x-api-key=${key}`], [`x-apikey: ${key}`]];
    for (const [nth, lines] of refused.entries()) {
      // Neither the body nor its end is ever sent, and nothing asks for it.
      const length = method === 'GET' || method === 'HEAD' ? [] : [`Content-Type: ${TYPES[nth % 3]!}`, 'Content-Length: 1000000'];
      const all = [...length, 'Expect: 100-continue', ...lines, 'Connection: close'];
      const text = await rawExchange(server.port, [head(path, all, method)]);
      const { status, headers, body } = parseRaw(text);
      expect([lines, status, headers['www-authenticate']]).toEqual([lines, 401, 'Bearer realm="lore"']);
      expect(headers['access-control-allow-origin']).toBe('*');
      expectStrict(headers);
      expect(codeIn(body)).toBe(method === 'HEAD' ? undefined : 'UNAUTHORIZED');
    }
  });
});

describe('a body that never arrives', () => {
  it('is not awaited without a key, with or without Expect: 100-continue', async () => {
    const bodies = OF_DOCUMENT.filter(([method, path]) => method !== 'GET' && PROTECTED.test(path));
    expect(bodies.length).toBeGreaterThan(20);
    await Promise.all(
      bodies.map(async ([method, path]) => {
        const { connect } = await import('node:net');
        const socket = connect(server.port, '127.0.0.1');
        socket.write(head(path, ['Content-Type: application/json', 'Content-Length: 1000000'], method));
        const first = await new Promise<string>((resolve) => socket.once('data', (chunk: Buffer) => resolve(chunk.toString())));
        expect([path, first.slice(0, 13)]).toEqual([path, 'HTTP/1.1 401 ']);
        socket.destroy();
      }),
    );
  });
});

describe('a key', () => {
  it('is never in a log line, wherever a client puts it', async () => {
    const odd: Record<string, string>[] = [
      { 'x-api-key': key },
      { authorization: `Bearer ${key}` },
      { authorization: key },
      { 'x-apikey': key },
      { cookie: `key=${key}` },
      { 'x-request-id': key },
      { referer: `http://localhost/?key=${key}` },
      { origin: `http://${key}` },
      { 'x-forwarded-for': key },
    ];
    for (const [method, path] of EVERYTHING.filter(([, target]) => target !== '*' && target !== '/api/events')) {
      await server.call(method, `${path}?key=${key}&api_key=${key}`, { headers: odd[0]! }).catch(() => undefined);
      const body = method === 'GET' || method === 'HEAD' || method === 'OPTIONS' ? undefined : { content: 'x', key, query: 1, [key]: key };
      await server.call(method, path, { headers: odd[0]!, ...(body && { body }) }).catch(() => undefined);
    }
    for (const headers of odd) await server.call('GET', '/api/list', { headers });
    for (const path of [`/${key}`, `/api/${key}`, `/api/list/${key}`, `/api/${key}/history`, `/api/list%20${key}`]) {
      await server.call('GET', path);
      await server.call('GET', path, { headers: odd[0]! });
    }
    await rawExchange(server.port, [`GET /?${key} HTTP/9.9\r\n\r\n`, `${key}\r\n\r\n`]);
    expect(server.logged.length).toBeGreaterThan(100);
    expect(server.logged.filter((line) => JSON.stringify(line).includes(key.slice(0, 20)))).toEqual([]);
  });

  it('is not accepted anywhere in a URL', async () => {
    const places = [
      `?key=${key}`,
      `?api_key=${key}`,
      `?apiKey=${key}`,
      `?x-api-key=${key}`,
      `?access_token=${key}`,
      `?token=${key}`,
      `#${key}`,
    ];
    for (const place of places) expect((await server.call('GET', `/api/list${place}`)).status).toBe(401);
    const text = await rawExchange(server.port, [head(`http://user:${key}@127.0.0.1/api/list`, ['Connection: close'], 'GET')]);
    expect([401, 403]).toContain(parseRaw(text).status);
  });
});

describe('an error', () => {
  it('repeats input without markup, from every place', async () => {
    const markup = '<script>alert(1)</script>&amp;"\'';
    const sent = [
      await server.call('GET', `/${encodeURIComponent(markup)}`),
      await server.call('GET', `/api/${encodeURIComponent(markup)}`, { headers: { 'x-api-key': key } }),
      await server.call('GET', `/api/list?sort=${encodeURIComponent(markup)}`, { headers: { 'x-api-key': key } }),
      await server.call('POST', '/mcp', { body: {}, headers: { 'x-api-key': key, origin: 'https://<b>.example' } }),
      ...(await Promise.all(
        Object.keys(BODIES).map((name) => {
          const [method, path] = name.split(' ') as [string, string];
          const body = { [markup]: markup, priority: markup, query: [markup], id: markup, name: markup, namespace: `${markup}\u0000` };
          return server.call(method, path.replace('{id}', ID), { body, headers: { 'x-api-key': key } });
        }),
      )),
    ];
    // Some routes have no field that any of this could be wrong in.
    const refused = sent.filter(({ status }) => status !== 200);
    expect(refused.length).toBeGreaterThan(20);
    for (const { status, text, headers } of refused) {
      expect(status).toBeGreaterThanOrEqual(400);
      expect(status).toBeLessThan(500);
      expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
      expect(text).not.toMatch(/[<>&]/);
    }
    const { body } = await raw('GET', '/api/list', [], 'a<b>c');
    expect(body).toContain('a\\u003cb\\u003ec');
    expect((JSON.parse(body) as { error: string }).error).toContain('a<b>c');
  });
});

describe('unusual requests', () => {
  it('cannot change prototypes', async () => {
    for (const name of ['__proto__', 'constructor', 'prototype']) {
      const body = `{"content":"plain ${name}","${name}":{"namespace":"polluted","priority":"high","isAdmin":true},"tags":["${name}"]}`;
      const saved = await server.call('POST', '/api/save', { body, headers: { 'x-api-key': key, 'content-type': 'application/json' } });
      expect(saved.status).toBe(400);
      const query = `/api/list?${name}[namespace]=polluted&${name}=x&tags=${name}`;
      expect((await server.call('GET', query, { headers: { 'x-api-key': key } })).status).toBe(400);
    }
    expect(Reflect.get({}, 'isAdmin')).toBeUndefined();
    expect(Reflect.get({}, 'priority')).toBeUndefined();
    const { text } = await server.call('GET', '/api/namespaces', { headers: { 'x-api-key': key } });
    expect(text).not.toContain('polluted');
  });

  it('with 2,500 headers keep the security headers', async () => {
    const many = Array.from({ length: 2500 }, (_, nth) => `a${nth}: 1`);
    // Headers beyond a limit are dropped unseen: a key or a host behind them must not count as absent.
    const behind = await rawExchange(server.port, [
      ['GET /api/list HTTP/1.1', 'Connection: close', ...many.slice(0, 1500), 'Host: evil.example', '', ''].join('\r\n'),
    ]);
    expect([400, 403, 431]).toContain(parseRaw(behind).status);
    const all = parseRaw(await rawExchange(server.port, [head('/api/list', ['Connection: close', ...many], 'GET')]));
    expect([401, 431]).toContain(all.status);
    expectStrict(all.headers);
  });

  it('that are not HTTP get strict headers too', async () => {
    for (const bytes of ['nonsense\r\n\r\n', `GET /${'x'.repeat(20_000)} HTTP/1.1\r\nHost: localhost\r\n\r\n`]) {
      expectStrict(parseRaw(await rawExchange(server.port, [bytes])).headers);
    }
  });
});
