import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createHttpClient, type HttpClient } from '../../src/client/http-client.ts';
import { guideSchemas, referenceSchemas } from '../helpers/answers.ts';
import { LOCAL_TOKEN, startTestServer, type TestServer } from '../helpers/server.ts';

const KETTLE = 'The old kettle in the kitchen whistles before the water boils over';
const SECRET = `Clone with ghp_${'a1B2c3D4e5'.repeat(4)}`;
const ANY_NUMBER: unknown = expect.any(Number);

let server: TestServer;
let client: HttpClient;
beforeAll(async () => {
  server = await startTestServer({
    keys: [{ name: 'bound', access: 'full', namespace: 'bound' }],
  });
  client = createHttpClient({ baseUrl: server.url, key: LOCAL_TOKEN });
});
afterAll(async () => {
  await client.close();
  await server.close();
});

describe('POST /api/save with near', () => {
  it('returns near duplicates in both forms, with their ids', async () => {
    const headers = { 'x-api-key': LOCAL_TOKEN };
    const send = (end: string, query: string) =>
      server.call('POST', `/api/save${query}`, { headers, body: { content: KETTLE + end, near: true, namespace: 'kitchen' } });
    const first = await send('.', '');
    expect(first.body.outcomes).toEqual([{ id: first.body.ids[0], status: 'stored', vector: 'stored', passages: 1, near: [] }]);
    const reference = await send('!', '');
    expect(referenceSchemas.save.parse(reference.body)).toEqual(reference.body);
    expect(reference.body.outcomes[0]?.near).toEqual([{ id: first.body.ids[0], similarity: ANY_NUMBER }]);
    const guide = await send('…', '?form=guide');
    expect(guideSchemas.save.parse(guide.body)).toEqual(guide.body);
    expect(guide.body).toMatchObject({ status: 'saved', outcomes: [{ id: guide.body.id, status: 'stored' }] });
    const ids = guide.body.outcomes[0]?.near?.map(({ id }) => id).toSorted();
    expect(ids).toEqual([first.body.ids[0], reference.body.ids[0]].map((id) => `mem_${id}`).toSorted());
  });

  it('returns none unless requested, and none of another namespace to a bound key', async () => {
    const headers = { 'x-api-key': server.keys.get('bound')! };
    const saved = await server.call('POST', '/api/save', { headers, body: { content: KETTLE, near: true } });
    expect(saved.body.outcomes[0]?.near).toEqual([]);
    const plain = await server.call('POST', '/api/save', { headers, body: { content: `${KETTLE}!` } });
    expect(Object.keys(plain.body.outcomes[0]!)).toEqual(['id', 'status', 'vector', 'passages']);
  });

  it('works through the client', async () => {
    const one = await client.save({ content: `${KETTLE}.`, namespace: 'client', near: true });
    const two = await client.save({ content: `${KETTLE}!`, namespace: 'client', near: true });
    expect(one.outcomes[0]?.near).toEqual([]);
    expect(two.outcomes[0]?.near).toEqual([{ id: one.ids[0], similarity: ANY_NUMBER }]);
  });
});

describe('POST /api/save of another value', () => {
  const headers = (key: string) => ({ headers: { 'x-api-key': key } });
  const differs = [{ here: '04:00', there: '05:00' }];

  it('reports in POST /api/near, in either form and through the client, what differs', async () => {
    const place = { namespace: 'clock' };
    const { ids } = await client.save({ content: 'The nightly backup starts at 05:00.', ...place });
    const content = 'The nightly backup starts at 04:00.';
    for (const form of ['reference', 'guide'] as const) {
      const query = `?form=${form}`;
      const near = await server.call('POST', `/api/near${query}`, { ...headers(LOCAL_TOKEN), body: { content, ...place } });
      expect(near.body.results).toMatchObject([{ differs }]);
    }
    expect((await client.details.near({ content, ...place })).results).toMatchObject([{ entry: { id: ids[0] }, differs }]);
    const saved = await client.save({ content, ...place, near: true });
    expect(saved.outcomes[0]?.near).toEqual([{ id: ids[0], similarity: ANY_NUMBER, differs }]);
  });

  it('supersedes one or more entries in the same commit, in both forms of ids', async () => {
    const { ids } = await client.save({ content: 'The nightly backup starts at 05:00.', namespace: 'one' });
    const body = { content: 'The nightly backup starts at 04:00.', namespace: 'one', supersedes: [`mem_${ids[0]}`] };
    const saved = await server.call('POST', '/api/save', { ...headers(LOCAL_TOKEN), body });
    expect(referenceSchemas.save.parse(saved.body)).toEqual(saved.body);
    expect(saved.body.outcomes).toMatchObject([{ supersedes: ids }]);
    expect((await client.get(ids[0]!)).superseded).toBe(true);
    const again = await client.save({ content: 'The nightly backup starts at 03:00.', namespace: 'one', supersedes: saved.body.ids });
    expect(again.outcomes[0]?.supersedes).toEqual(saved.body.ids);
    const refused = await server.call('POST', '/api/save', {
      ...headers(server.keys.get('bound')!),
      body: { content: 'Mine', supersedes: ids },
    });
    expect(refused.status).toBe(404);
    const odd = await server.call('POST', '/api/save', { ...headers(LOCAL_TOKEN), body: { content: 'Odd', supersedes: ['?'] } });
    expect(odd.status).toBe(400);
  });
});

describe('a receipt over HTTP', () => {
  it.each(['reference', 'guide'] as const)('warns of a stored secret, in the %s form', async (form) => {
    const headers = { 'x-api-key': LOCAL_TOKEN };
    const { body } = await server.call('POST', `/api/save?form=${form}`, { headers, body: { content: SECRET, namespace: form } });
    expect(body.outcomes[0]?.warnings).toEqual([expect.stringContaining('github-token')]);
    const { entries } = await server.app.memories.list({ namespace: form });
    expect(entries.map(({ content }) => content)).toEqual([SECRET]);
  });

  it('lists the entities of the text, in both forms and to the client', async () => {
    const headers = { 'x-api-key': LOCAL_TOKEN };
    const names = ['src/http/retry.ts', '@ken'];
    const id = (await client.save({ content: 'The retry lives in src/http/retry.ts, says @ken', namespace: 'names' })).ids[0]!;
    expect((await client.get(id)).entities).toEqual(names);
    const get = async (query: string) => (await server.call('GET', `/api/${id}${query}`, { headers })).body;
    expect((await get('')).entry.metadata.entities).toEqual(names);
    expect(await get('?form=guide')).toMatchObject({ entities: names });
    const listed = await server.call('GET', '/api/list?namespace=names', { headers });
    expect(listed.body.entries[0]?.metadata.entities).toEqual(names);
    const found = await server.call('POST', '/api/recall', { headers, body: { query: 'where is the retry', namespace: 'names' } });
    expect(found.body.results[0]?.entry.metadata.entities).toEqual(names);
    const { entry } = await client.save({ content: 'It names nothing', namespace: 'names' });
    expect(entry).not.toHaveProperty('entities');
    expect((await server.call('GET', `/api/${entry.id}`, { headers })).body.entry.metadata).not.toHaveProperty('entities');
  });
});
