import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTriedStore, refusalIn, type TriedStore } from './tried-store.ts';

let store: TriedStore;
beforeAll(async () => {
  store = await openTriedStore();
});
afterAll(() => store[Symbol.asyncDispose]());

const LINES = { 'content-type': 'application/x-ndjson' };

describe('a misspelt field, which was ignored once', () => {
  it.each([
    ['POST', '/api/namespaces/merge', { from: ['test'], into: 'x', dry_run: true }, 'dry_run', 'dryRun'],
    ['POST', '/api/forget', { tgas: ['bird'] }, 'tgas', 'tags'],
    ['POST', '/api/search', { query: 'heron', filter: { tag: ['bird'] } }, 'filter.tag', 'tags'],
    ['POST', '/api/search', { query: 'heron', createdAfter: '2026-01-01' }, 'createdAfter', 'filter.createdAfter'],
    ['POST', '/api/recall', { query: 'heron', search_mode: 'keyword' }, 'search_mode', 'searchMode'],
    ['POST', '/api/save', { content: 'Not to be stored', Namespace: 'x' }, 'Namespace', 'namespace'],
    ['POST', '/api/save', { contnet: 'Not to be stored' }, 'contnet', 'content'],
    ['GET', '/api/list?namespce=x', undefined, 'namespce', 'namespace'],
    ['GET', '/api/list?created_after=2026-01-01', undefined, 'created_after', 'createdAfter'],
    ['POST', '/api/import?dryrun=true', '{"content":"Not to be stored"}', 'dryrun', 'dryRun'],
  ])('of %s %s %j is rejected with the nearest known name', async (method, path, body, unknown, near) => {
    const before = await store.everything();
    const answer = await store.server.call(method, path, { body, headers: path.startsWith('/api/import') ? LINES : {} });
    expect(answer.status).toBe(400);
    expect(answer.body.error).toMatch(new RegExp(`^Unknown (field|parameter) \`${unknown}\`\\. Did you mean \`${near}\`\\? Known `));
    expect(await store.everything()).toBe(before);
  });

  it('is reported briefly, whatever its length and content', async () => {
    const hostile = await store.server.call('POST', '/api/compact', { body: { [`\u001b[31m\n${'x'.repeat(5000)}`]: 1 } });
    expect(hostile.body.error).toMatch(/^Unknown field `\\u001b\[31m\\nx{80,100}`\. Known fields: `dryRun`, `namespace`$/);
  });
});

describe('a request that caused a bug once', () => {
  const post = async (path: string, body: string) => refusalIn(await store.server.call('POST', path, { body }));

  it.each([
    ['lists within lists', `{"content":"x","tags":${'['.repeat(30_000)}${']'.repeat(30_000)}}`],
    ['objects within objects', `{"query":"x","filter":${'{"a":'.repeat(500)}1${'}'.repeat(500)}}`],
  ])('is rejected if it is %s without end', async (_, body) => {
    for (const path of ['/api/save', '/api/recall', '/api/search', '/api/sync/apply']) expect((await post(path, body))[0]).toBe(400);
  });

  it.each(['1e999', '-1e999', '1e-400', '-0', '0.5', '9007199254740993'])(
    'is rejected with the number %s, which no store can hold',
    async (limit) => {
      const [status, error] = await post('/api/recall', `{"query":"x","limit":${limit}}`);
      expect([status, error]).toEqual([400, expect.stringMatching(/^limit must be /)]);
    },
  );

  it('is rejected with a body that sets its prototype', async () => {
    for (const name of ['__proto__', 'constructor', 'prototype'])
      expect((await post('/api/save', `{"${name}":{"content":"planted","query":"planted"}}`))[0]).toBe(400);
    expect(Reflect.get({}, 'content')).toBeUndefined();
  });

  it('uses the last of two fields with one name', async () => {
    expect((await store.server.call('POST', '/api/near', { body: '{"content":5,"content":"gull"}' })).status).toBe(200);
    expect(await post('/api/near', '{"content":"gull","content":5}')).toEqual([400, 'content must be a string']);
  });

  it('is 404 with an unknown id in its body, with and without the prefix', async () => {
    for (const prefix of ['', 'mem_'])
      expect((await post('/api/explain', `{"query":"heron","id":"${prefix}00000000-0000-7000-8000-000000000000"}`))[0]).toBe(404);
  });

  it('accepts an import line with unknown fields', async () => {
    const options = { body: '{"content":"From another tool","rating":5}', headers: LINES };
    expect((await store.server.call('POST', '/api/import?dryRun=true', options)).body).toMatchObject({ stored: 1, invalid: 0 });
  });
});
