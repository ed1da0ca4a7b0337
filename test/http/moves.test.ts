import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createHttpClient } from '../../src/client/http-client.ts';
import { startTestServer, type TestServer } from '../helpers/server.ts';

let server: TestServer;
let prefix: string;
let nth = 0;
beforeAll(async () => {
  server = await startTestServer({
    keys: [
      { name: 'all', access: 'full' },
      { name: 'reader', access: 'read' },
      { name: 'bound', access: 'full', namespace: 'bound' },
    ],
  });
});
afterAll(() => server.close());
beforeEach(() => {
  prefix = `n${++nth}`;
});

const headers = (key = 'all') => ({ 'x-api-key': server.keys.get(key)! });
const call = (verb: string, body: unknown, { form = 'reference', key = 'all' } = {}) =>
  server.call('POST', `/api/namespaces/${verb}?form=${form}`, { body, headers: headers(key) });
async function save(content: string, namespace: string, tags: string[] = []): Promise<string> {
  const { body } = await server.call('POST', '/api/save', { body: { content, namespace, tags }, headers: headers() });
  return body.ids[0]!;
}

describe('the namespace routes', () => {
  it('rename, merge and move, in either form', async () => {
    const [from, to, into] = [`${prefix}/from`, `${prefix}/to`, `${prefix}/into`];
    const [kept, twin] = [await save('Same text', into, ['a']), await save('Same text', from, ['b'])];
    await save('Other text', from);
    const renamed = await call('rename', { from, to });
    expect(renamed).toMatchObject({ status: 200, body: { success: true, dryRun: false, to, matches: 2, moved: 2, merged: 0 } });
    const foreseen = await call('merge', { from: [to], into, dryRun: true }, { form: 'guide' });
    expect(foreseen).toMatchObject({
      status: 200,
      body: { success: true, dryRun: true, moved: 1, duplicates: [{ id: twin, kept }] },
    });
    expect((await call('merge', { from: [to], into })).body).toMatchObject({ moved: 1, merged: 1, duplicates: [{ id: twin, kept }] });
    const moved = await call('move', { ids: [`mem_${kept}`], to: from });
    expect(moved.body).toMatchObject({ success: true, to: from, moved: 1, duplicates: [] });
    expect((await server.call('GET', `/api/${kept}`, { headers: headers() })).body.entry.metadata).toMatchObject({
      namespace: from,
      tags: ['a', 'b'],
    });
  });

  it('refuse with a message', async () => {
    await save('x', `${prefix}/a`);
    await save('y', `${prefix}/b`);
    const refused = [
      await call('rename', { from: `${prefix}/a`, to: `${prefix}/b` }),
      await call('rename', { from: 'global', to: 'x' }),
      await call('merge', { from: ['global'], into: 'x' }),
      await call('move', { to: 'x' }),
    ];
    expect(refused.map(({ status, body }) => [status, body.code, body.error])).toEqual([
      [400, 'INVALID_REQUEST', `to must name an unused namespace; "${prefix}/b" holds entries: merge the two instead.`],
      [400, 'INVALID_REQUEST', 'from must not be global: that namespace keeps its name.'],
      [400, 'INVALID_REQUEST', 'from must not contain global: it stays.'],
      [400, 'INVALID_REQUEST', 'Name the entries to move: `ids`, or a filter such as `namespace`, `tags` or `source`.'],
    ]);
    const unknown = await call('move', { ids: ['00000000-0000-7000-8000-000000000000'], to: 'x' });
    expect(unknown).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
  });

  it.each(['reader', 'bound'])('are closed to the key %s', async (key) => {
    const id = await save('x', 'bound');
    for (const [verb, body] of [
      ['rename', { from: 'bound', to: 'free' }],
      ['merge', { from: ['bound'], into: 'free' }],
      ['move', { ids: [id], to: 'bound' }],
      ['move', { namespace: 'bound', to: 'free', dryRun: true }],
    ] as const) {
      expect([verb, (await call(verb, body, { key })).status]).toEqual([verb, 403]);
    }
    expect((await server.call('GET', `/api/${id}`, { headers: headers() })).body.entry.metadata.namespace).toBe('bound');
  });

  it('return the same reports to a client as the operations', async () => {
    const [from, to] = [`${prefix}/from`, `${prefix}/to`];
    const id = await save('Text', from);
    const client = createHttpClient({ baseUrl: server.url, key: server.keys.get('all')! });
    const request = { from: [from], into: to, dryRun: true };
    expect(await client.moves.merge(request)).toEqual(await server.app.memories.moves.merge(request));
    expect(await client.moves.rename({ from, to })).toMatchObject({ dryRun: false, moved: 1, duplicates: [] });
    expect(await client.moves.move({ namespace: to, to: from })).toMatchObject({ moved: 1 });
    expect((await client.get(id)).namespace).toBe(from);
    await client.close();
  });
});
