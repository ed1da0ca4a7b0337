import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LOCAL_TOKEN, startTestServer, TEST_NAMESPACE, type TestServer } from '../helpers/server.ts';
import { head, parseRaw, rawExchange } from './raw-socket.ts';

let server: TestServer;
let full: string;
let entryId: string;

beforeAll(async () => {
  server = await startTestServer({
    keys: [
      { name: 'laptop', access: 'full' },
      { name: 'reader', access: 'read' },
      { name: 'bound', access: 'full', namespace: 'ours' },
    ],
  });
  full = server.keys.get('laptop')!;
  const saved = await server.call('POST', '/api/save', { body: { content: 'Theirs, not ours' }, headers: { 'x-api-key': full } });
  entryId = saved.body.ids[0]!;
});
afterAll(() => server.close());

const as = (name: string, method: string, path: string, body?: unknown) =>
  server.call(method, path, { headers: { 'x-api-key': server.keys.get(name)! }, ...(body !== undefined && { body }) });

/** What a HEAD is answered with has no body to look at. */
const NO_BODY = { success: false, code: 'UNAUTHORIZED' };

/** Each route is in test/security/every-route.test.ts; these are ways to write one, and what is none. */
const PROTECTED = [
  ['POST', '/api/save'],
  ['GET', '/API/LIST'],
  ['GET', '/api/list/'],
  ['GET', '/%61pi/list'],
  ['GET', '/%61pi/%zz'],
  ['GET', '/%6dcp'],
  ['GET', '/openapi%2Ejson'],
  ['GET', '/api'],
  ['GET', '/api/'],
  ['GET', '/api/no/such/route'],
  ['PUT', '/api/save'],
  ['HEAD', '/api/list'],
  ['GET', '/mcp'],
  ['GET', '/metrics'],
] as const;

describe('with a key configured', () => {
  it.each(PROTECTED)('%s %s is 401 without it, with a wrong one, and with one in the URL', async (method, path) => {
    const wrong = [
      {},
      { 'x-api-key': 'lore_wrong' },
      { authorization: 'Bearer lore_wrong' },
      { authorization: full },
      { authorization: `Basic ${full}` },
    ];
    for (const headers of wrong) {
      const answer = await server.call(method, path, { headers });
      expect(answer.status).toBe(401);
      expect(answer.body ?? NO_BODY).toMatchObject({ success: false, code: 'UNAUTHORIZED' });
      expect(answer.headers.get('www-authenticate')).toBe('Bearer realm="lore"');
      expect(answer.headers.get('access-control-allow-origin')).toBe('*');
    }
    expect((await server.call(method, `${path}?key=${full}&x-api-key=${full}&api_key=${full}`)).status).toBe(401);
  });

  it('accepts it in either header', async () => {
    expect((await server.call('GET', '/api/health', { headers: { 'x-api-key': full } })).status).toBe(200);
    expect((await server.call('GET', '/api/health', { headers: { authorization: `Bearer ${full}` } })).status).toBe(200);
    expect((await server.call('GET', '/api/health', { headers: { Authorization: `bearer  ${full}` } })).status).toBe(200);
    expect((await server.call('GET', '/openapi.json', { headers: { 'x-api-key': full } })).status).toBe(200);
  });

  it.each([
    ['GET', '/healthz', 200],
    ['GET', '/', 503],
    ['GET', '/docs', 503],
    ['GET', '/nothing', 404],
    ['OPTIONS', '/api/save', 204],
  ])('%s %s needs none', async (method, path, status) => {
    expect((await server.call(method, path)).status).toBe(status);
  });

  it('refuses before the body is read', async () => {
    const text = await rawExchange(server.port, [
      head('/api/save', ['Content-Type: application/json', 'Content-Length: 1000000', 'Expect: 100-continue']),
    ]);
    expect(parseRaw(text)).toMatchObject({ status: 401, headers: { connection: 'close' } });
  });

  it('accepts the token of the lock file as full access', async () => {
    expect((await server.call('GET', '/api/stats', { headers: { 'x-api-key': LOCAL_TOKEN } })).status).toBe(200);
    expect((await server.call('GET', '/api/stats', { headers: { 'x-api-key': `${LOCAL_TOKEN}x` } })).status).toBe(401);
  });

  it('names the key in the log and never shows it', async () => {
    await as('reader', 'GET', '/api/health');
    const log = JSON.stringify(server.logged);
    expect(server.logged.some((line) => line['key'] === 'reader' && line['path'] === '/api/health')).toBe(true);
    for (const key of [...server.keys.values(), LOCAL_TOKEN, 'lore_wrong']) expect(log).not.toContain(key);
  });
});

describe('a key of the configuration', () => {
  it('is not logged, even in a request id or an address', async () => {
    const [key, slashed] = ['correct-horse-battery', 'b64/with+signs='];
    await using own = await startTestServer({ server: { auth: { apiKeys: [key, slashed] } }, audit: { enabled: true } });
    const answer = await own.call('GET', '/api/list', { headers: { 'x-api-key': key, 'x-request-id': key } });
    expect([answer.status, answer.headers.get('x-request-id')]).toEqual([200, key]);
    for (const path of [
      `/api/${key}`,
      `/api/${key}/history`,
      `/api/list&key=${key}`,
      `/api/${slashed}`,
      `/${encodeURIComponent(slashed)}/x`,
    ])
      await own.call('GET', path, { headers: { 'x-api-key': key } });
    const paths = own.logged.filter(({ msg }) => msg === 'request').map(({ path }) => path);
    expect(paths).toEqual(['/api/list', '/api/***', '/api/***/history', '/api/list&key=***', '/api/***', '/***/x']);
    await own.call('GET', `/api${'/x'.repeat(100)}/${key}`, { headers: { 'x-api-key': key } });
    expect(own.logged.filter(({ msg }) => msg === 'request').at(-1)?.['path']).toBe(`/api${'/x'.repeat(14)}/…`);
    await own.closeServer();
    await own.app.close();
    const records = await readFile(join(own.folder, 'audit', 'audit.jsonl'), 'utf8');
    expect(records).toContain('"list"');
    for (const secret of [key, slashed]) expect(JSON.stringify(own.logged) + records).not.toContain(secret);
  });
});

describe('a read-only key', () => {
  it('reads', async () => {
    for (const path of ['/api/list', '/api/health', '/api/stats', '/api/namespaces', '/api/export', `/api/${entryId}`])
      expect((await as('reader', 'GET', path)).status).toBe(200);
    expect((await as('reader', 'POST', '/api/recall', { query: 'theirs' })).body.count).toBe(1);
    expect((await as('reader', 'POST', '/api/explain', { query: 'theirs', id: entryId })).status).toBe(200);
  });

  it('changes nothing', async () => {
    const tries = [
      as('reader', 'POST', '/api/save', { content: 'planted' }),
      as('reader', 'PATCH', `/api/${entryId}`, { content: 'planted' }),
      as('reader', 'DELETE', `/api/${entryId}`),
      as('reader', 'POST', '/api/migrate', {}),
      server.call('POST', '/api/import', {
        body: '{"content":"planted"}',
        headers: { 'x-api-key': server.keys.get('reader')!, 'content-type': 'application/x-ndjson' },
      }),
    ];
    for (const { status, body } of await Promise.all(tries)) expect([status, body.code]).toEqual([403, 'FORBIDDEN']);
    expect((await as('laptop', 'GET', '/api/list?allNamespaces=true')).body.total).toBe(1);
  });
});

describe('a key bound to a namespace', () => {
  it('works in it, and only there', async () => {
    const saved = await as('bound', 'POST', '/api/save', { content: 'Ours alone' });
    expect(saved.status).toBe(200);
    const { body } = await as('bound', 'GET', `/api/${saved.body.ids[0]}`);
    expect(body.entry.metadata.namespace).toBe('ours');
    expect((await as('bound', 'POST', '/api/search', { query: 'ours theirs' })).body.count).toBe(1);
    expect((await as('bound', 'GET', '/api/list')).body.total).toBe(1);
    expect((await as('bound', 'GET', '/api/export')).text.trim().split('\n').slice(1)).toHaveLength(1);
    expect((await as('bound', 'GET', '/api/namespaces')).body.namespaces.map((item: { namespace: string }) => item.namespace)).toEqual([
      'ours',
    ]);
    expect((await as('bound', 'DELETE', `/api/${saved.body.ids[0]}`)).status).toBe(200);
  });

  it('does not reach another, or learn of its ids', async () => {
    expect((await as('bound', 'GET', `/api/list?namespace=${TEST_NAMESPACE}`)).status).toBe(403);
    expect((await as('bound', 'POST', '/api/save', { content: 'x', namespace: TEST_NAMESPACE })).status).toBe(403);
    expect((await as('bound', 'POST', '/api/save', { content: 'x', global: true })).status).toBe(403);
    expect((await as('bound', 'GET', '/api/list?allNamespaces=true')).status).toBe(403);
    expect((await as('bound', 'GET', `/api/export?namespace=${TEST_NAMESPACE}`)).status).toBe(403);
    expect((await as('bound', 'GET', `/api/${entryId}`)).status).toBe(404);
    expect((await as('bound', 'POST', '/api/explain', { query: 'x', id: entryId })).status).toBe(404);
    expect((await as('bound', 'POST', '/api/explain', { query: 'x', id: entryId, namespace: TEST_NAMESPACE })).status).toBe(403);
    expect((await as('bound', 'DELETE', `/api/mem_${entryId}`)).status).toBe(404);
    expect((await as('bound', 'PATCH', `/api/${entryId}`, { priority: 'low' })).status).toBe(404);
  });
});

describe('a diagnosis', () => {
  it('requires full access to every namespace', async () => {
    for (const name of ['reader', 'bound']) {
      const { status, body } = await as(name, 'POST', '/api/diagnose', {});
      expect([status, body.code]).toEqual([403, 'FORBIDDEN']);
    }
    expect((await as('laptop', 'POST', '/api/diagnose', {})).status).toBe(200);
  });
});

describe('without any key configured', () => {
  it('requires none, and ignores a key that is sent', async () => {
    await using open = await startTestServer();
    expect((await open.call('GET', '/api/list')).status).toBe(200);
    expect((await open.call('GET', '/api/list', { headers: { 'x-api-key': 'whatever' } })).status).toBe(200);
    expect((await open.call('GET', '/openapi.json')).status).toBe(200);
  });
});
