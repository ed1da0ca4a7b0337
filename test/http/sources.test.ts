import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createHttpClient } from '../../src/client/http-client.ts';
import { oneForm } from '../helpers/one-form.ts';
import { LOCAL_TOKEN, startTestServer, type Answer, type TestServer } from '../helpers/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({
    keys: [
      { name: 'bound', access: 'full', namespace: 'mine' },
      { name: 'reader', access: 'read' },
    ],
  });
});
afterAll(() => server.close());

const as = (name: string, method: string, path: string, body?: unknown): Promise<Answer> => {
  const key = name === 'local' ? LOCAL_TOKEN : server.keys.get(name)!;
  return server.call(method, path, { headers: { 'x-api-key': key }, ...(body !== undefined && { body }) });
};
const file = (path: string, hash: string, ...contents: string[]) => ({
  path,
  hash,
  passages: contents.map((content) => ({ content, start: 1, end: 2 })),
});

const answered = oneForm('sources', (...given) => as('local', ...given));

it('files are stored, listed and removed, in either form', async () => {
  const place = { kind: 'index', root: 'forms' };
  const files = [file('a.ts', 'h', 'one', 'two')];
  const stored = await as('local', 'POST', '/api/sources', { ...place, files });
  expect(stored.body.files).toEqual([{ path: 'a.ts', stored: 2, kept: 0, removed: 0 }]);
  expect((await answered('replace', '/api/sources', { ...place, files })).files).toMatchObject([{ stored: 0, kept: 2 }]);
  const listed = await answered('list', '/api/sources?root=forms');
  expect(listed).toMatchObject({ success: true, count: 1, total: 1, offset: 0, limit: 100 });
  expect(listed.sources).toMatchObject([{ ...place, path: 'a.ts', hash: 'h', entries: 2 }]);
  const removed = await answered('remove', '/api/sources', { ...place, paths: ['a.ts', 'b.ts'] });
  expect(removed.files).toEqual([
    { path: 'a.ts', removed: 2 },
    { path: 'b.ts', removed: 0 },
  ]);
  const named = await as('local', 'DELETE', '/api/sources?kind=index&root=forms&paths=a.ts,b.ts');
  expect(named.body.files).toHaveLength(2);
});

describe('keys', () => {
  const body = { kind: 'index', root: 'keys', files: [file('a.ts', 'h', 'text')] };

  it('with read-only access change nothing', async () => {
    expect((await as('reader', 'POST', '/api/sources', body)).status).toBe(403);
    expect((await as('reader', 'DELETE', '/api/sources', { kind: 'index', root: 'keys', paths: ['a.ts'] })).status).toBe(403);
    expect((await as('reader', 'GET', '/api/sources?root=keys')).body.total).toBe(0);
  });

  it('that are bound see and change only their namespace', async () => {
    expect((await as('bound', 'POST', '/api/sources', { ...body, namespace: 'test' })).status).toBe(403);
    expect((await as('bound', 'POST', '/api/sources', body)).status).toBe(200);
    expect((await as('bound', 'GET', '/api/sources?root=keys')).body.total).toBe(1);
    expect((await as('local', 'GET', '/api/sources?root=keys')).body.total).toBe(0);
    expect((await as('local', 'GET', '/api/sources?root=keys&namespace=mine')).body.total).toBe(1);
  });
});

it('the client returns over HTTP what the service returns', async () => {
  await using app = {
    memories: createHttpClient({ baseUrl: server.url, key: LOCAL_TOKEN }),
    [Symbol.asyncDispose]: () => app.memories.close(),
  };
  const { sources } = app.memories;
  const place = { kind: 'ingest', root: 'client' } as const;
  expect(await sources.replace({ ...place, files: [file('a.md', 'h1', 'one', 'two')] })).toEqual([
    { path: 'a.md', stored: 2, kept: 0, removed: 0 },
  ]);
  expect(await sources.replace({ ...place, files: [{ ...file('b.md', 'h2', 'two'), from: 'a.md' }] })).toEqual([
    { path: 'b.md', stored: 0, kept: 1, removed: 1 },
  ]);
  const page = await sources.list(place);
  expect(page).toMatchObject({ total: 1, offset: 0, limit: 100, sources: [{ path: 'b.md', hash: 'h2', entries: 1 }] });
  expect(page.sources[0]?.updatedAt).toBeTypeOf('number');
  expect(await sources.remove({ ...place, paths: ['b.md'] })).toEqual([{ path: 'b.md', removed: 1 }]);
});
