import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { guideSchemas, referenceSchemas, type FormAnswer } from '../helpers/answers.ts';
import { oneForm } from '../helpers/one-form.ts';
import { LOCAL_TOKEN, startTestServer, type Answer, type TestServer } from '../helpers/server.ts';

const UNKNOWN = '00000000-0000-7000-8000-000000000000';
let server: TestServer;
let [older, newer, third, theirs] = ['', '', '', ''];

const as = (name: string, method: string, path: string, body?: unknown): Promise<Answer> => {
  const key = name === 'local' ? LOCAL_TOKEN : server.keys.get(name)!;
  return server.call(method, path, { headers: { 'x-api-key': key }, ...(body !== undefined && { body }) });
};
const call = (method: string, path: string, body?: unknown): Promise<Answer> => as('local', method, path, body);
const save = async (content: string, namespace = 'test'): Promise<string> =>
  (await call('POST', '/api/save', { content, namespace })).body.ids[0]!;

beforeAll(async () => {
  server = await startTestServer({
    keys: [
      { name: 'bound', access: 'full', namespace: 'test' },
      { name: 'reader', access: 'read' },
    ],
  });
  older = await save('Walrus in src/sea/walrus.ts');
  newer = await save('Trombone in `play()`');
  third = await save('Gravel');
  theirs = await save('Umbrella', 'elsewhere');
  await call('POST', '/api/relations', { sourceId: newer, targetId: older, type: 'supersedes' });
  await call('POST', '/api/relations', { sourceId: `mem_${third}`, targetId: newer.toUpperCase(), type: 'references', strength: 0.5 });
  await call('POST', '/api/relations', { sourceId: third, targetId: theirs, type: 'references' });
});
afterAll(() => server.close());

/** The answers in both forms, each exactly as its schema says. */
async function both(
  answer: FormAnswer,
  method: string,
  path: string,
  body?: unknown,
): Promise<{ reference: Answer['body']; guide: Answer['body'] }> {
  const bodies: Answer['body'][] = [];
  for (const [form, schemas] of Object.entries({ reference: referenceSchemas, guide: guideSchemas })) {
    const got = await call(method, `${path}${path.includes('?') ? '&' : '?'}form=${form}`, body);
    expect([got.status, got.body?.error]).toEqual([200, undefined]);
    expect(schemas[answer].parse(got.body)).toEqual(got.body);
    bodies.push(got.body);
  }
  return { reference: bodies[0]!, guide: bodies[1]! };
}

const answered = oneForm('relations', call);

describe('a response', () => {
  it('for a created relation, also repeated', async () => {
    const relation = { sourceId: third, targetId: older, type: 'elaborates' };
    const body = { ...relation, strength: 0.25 };
    const made = await answered('relate', '/api/relations', body);
    expect(made).toMatchObject({ success: true, relation: { ...body, origin: 'manual' } });
    const gone = await call('DELETE', '/api/relations', relation);
    expect(gone).toMatchObject({ status: 200, body: { success: true, message: 'Deleted the relation elaborates.' } });
    await call('POST', '/api/relations', body);
    const query = `sourceId=mem_${third}&targetId=${older}&type=elaborates`;
    const twice = await call('DELETE', `/api/relations?${query}`, relation);
    expect([twice.status, twice.body.error]).toEqual([400, 'sourceId must be in the body, because the request has one']);
    expect((await call('DELETE', `/api/relations?${query}`)).status).toBe(200);
    expect((await call('DELETE', `/api/relations?${query}`)).status).toBe(404);
  });

  it('for a DELETE with a content type and no body', async () => {
    const body = { sourceId: third, targetId: older, type: 'similar' };
    await call('POST', '/api/relations', body);
    const headers = { 'x-api-key': LOCAL_TOKEN, 'content-type': 'application/json' };
    const gone = await server.call('DELETE', `/api/relations?${new URLSearchParams(body).toString()}`, { headers });
    expect([gone.status, gone.body.error]).toEqual([200, undefined]);
  });

  it('for relations, by entry, type and namespace', async () => {
    const reference = await answered('list', `/api/relations?id=mem_${newer}`);
    expect(reference).toMatchObject({ success: true, count: 2, total: 2, offset: 0, limit: 100 });
    expect(reference.relations.map(({ type, strength }) => [type, strength])).toEqual([
      ['references', 0.5],
      ['supersedes', 1],
    ]);
    expect((await call('GET', '/api/relations')).body.total).toBe(3);
    expect((await call('GET', '/api/relations?namespace=test')).body.total).toBe(2);
    expect((await call('GET', '/api/relations?type=supersedes&limit=1')).body.count).toBe(1);
  });

  it('of one entry, with its relations and its mark', async () => {
    const { reference, guide } = await both('entry', 'GET', `/api/${older}`);
    expect(reference.entry.metadata.superseded).toBe(true);
    expect(reference.relations).toMatchObject([{ sourceId: newer, type: 'supersedes', targetId: older }]);
    expect(guide).toMatchObject({ superseded: true, relations: [{ sourceId: `mem_${newer}` }] });
    expect((await call('GET', `/api/${theirs}`)).body.entry.metadata).not.toHaveProperty('superseded');
    const listed = await both('list', 'GET', '/api/list?namespace=test&sort=createdAt');
    expect(listed.reference.entries.map((entry: object) => JSON.stringify(entry).includes('"superseded":true'))).toEqual([
      true,
      false,
      false,
    ]);
  });

  it('of related entries', async () => {
    const reference = await answered('related', `/api/mem_${older}/related?depth=2`);
    expect(reference).toMatchObject({ success: true, count: 2 });
    expect(reference.related.map(({ entry, depth }) => [(entry as { id: string }).id, depth])).toEqual([
      [newer, 1],
      [third, 2],
    ]);
    expect(reference.related[0]).toMatchObject({ relation: { type: 'supersedes' } });
    expect((await call('GET', `/api/${older}/related?namespace=elsewhere`)).body.count).toBe(0);
  });

  it('for the graph', async () => {
    const reference = await answered('graph', '/api/graph?namespace=test');
    expect(reference.nodes.map(({ id }) => id).toSorted()).toEqual([older, newer, third].toSorted());
    expect(reference.edges).toHaveLength(2);
    expect(reference.nodes.find(({ id }) => id === older)).toMatchObject({
      label: 'Walrus in src/sea/walrus.ts',
      priority: 'normal',
      superseded: true,
      degree: 1,
    });
    expect((await call('GET', `/api/graph?seed=${third}&depth=1&minStrength=0.75`)).body.nodes).toHaveLength(2);
  });

  it('for entities, and a moved path', async () => {
    const named = await answered('entities', '/api/entities?name=play');
    expect(named).toMatchObject({
      success: true,
      entities: [{ name: 'play()', kind: 'symbol', entries: 1 }],
      entries: [{ id: newer }],
    });
    const most = await answered('entities', '/api/entities?kind=path&limit=5');
    expect(most.entities).toEqual([{ name: 'src/sea/walrus.ts', kind: 'path', entries: 1 }]);
    const planned = await answered('renamePath', '/api/entities/rename', { from: 'src/sea', to: 'src/ocean', dryRun: true });
    expect(planned).toEqual({ success: true, dryRun: true, count: 1, changed: [older] });
    expect((await call('POST', '/api/entities/rename', { from: 'src/sea', to: 'src/ocean' })).body).toMatchObject({
      dryRun: false,
      changed: [older],
    });
    expect((await call('GET', '/api/entities?name=src/ocean/walrus.ts')).body.entries).toHaveLength(1);
    expect((await call('POST', '/api/entities/rename', { from: 'src/ocean', to: 'src/sea' })).status).toBe(200);
  });
});

describe('a superseded entry', () => {
  it('is found only on request', async () => {
    for (const path of ['/api/recall', '/api/search']) {
      const body = { query: 'walrus', namespace: 'test', searchMode: 'keyword' };
      expect((await call('POST', path, body)).body.results).toEqual([]);
      expect((await call('POST', path, { ...body, includeSuperseded: true })).body.results).toMatchObject([{ entry: { id: older } }]);
    }
    const { body } = await call('POST', '/api/explain', { query: 'walrus', id: older });
    expect(body).toMatchObject({ returned: false, reason: 'A newer entry supersedes it.' });
  });
});

describe('unknown ids', () => {
  it('get 404 everywhere', async () => {
    const answers = await Promise.all([
      call('POST', '/api/relations', { sourceId: UNKNOWN, targetId: older, type: 'similar' }),
      call('POST', '/api/relations', { sourceId: older, targetId: UNKNOWN, type: 'similar' }),
      call('DELETE', '/api/relations', { sourceId: older, targetId: UNKNOWN, type: 'similar' }),
      call('GET', `/api/relations?id=${UNKNOWN}`),
      call('GET', `/api/${UNKNOWN}/related`),
      call('GET', '/api/nothing/related'),
      call('GET', `/api/graph?seed=${UNKNOWN}`),
    ]);
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 404));
  });

  it('in a DELETE are rejected like in a body', async () => {
    for (const query of ['', '?sourceId=nope&targetId=nope&type=similar', `?sourceId=${older}&targetId=${newer}&type=likes`])
      expect((await call('DELETE', `/api/relations${query}`)).status).toBe(400);
    expect((await call('DELETE', '/api/relations', '[]')).status).toBe(400);
    expect((await call('PUT', '/api/relations')).status).toBe(405);
  });

  it('and an entry that would supersede itself are rejected', async () => {
    const circle = await call('POST', '/api/relations', { sourceId: older, targetId: newer, type: 'supersedes' });
    expect([circle.status, circle.body.code]).toEqual([400, 'INVALID_REQUEST']);
    expect((await call('POST', '/api/relations', { sourceId: older, targetId: older, type: 'similar' })).status).toBe(400);
  });
});

describe('a key', () => {
  it('bound to a namespace learns nothing of others', async () => {
    expect((await as('bound', 'GET', '/api/relations')).body.total).toBe(2);
    expect((await as('bound', 'GET', `/api/${third}`)).body.relations).toHaveLength(1);
    expect((await as('bound', 'GET', `/api/${third}/related`)).body.count).toBe(1);
    expect((await as('bound', 'GET', '/api/graph')).text).not.toContain(theirs);
    const foreign = { sourceId: third, targetId: theirs, type: 'similar' };
    const hidden = [
      await as('bound', 'POST', '/api/relations', foreign),
      await as('bound', 'DELETE', '/api/relations', foreign),
      await as('bound', 'GET', `/api/relations?id=${theirs}`),
      await as('bound', 'GET', `/api/${theirs}/related`),
      await as('bound', 'GET', `/api/graph?seed=${theirs}`),
    ];
    expect(hidden.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404]);
    expect((await as('bound', 'GET', '/api/graph?namespace=elsewhere')).status).toBe(403);
    expect((await as('bound', 'POST', '/api/entities/rename', { from: 'a.ts', to: 'b.ts', namespace: 'elsewhere' })).status).toBe(403);
  });

  it('with read-only access changes nothing', async () => {
    const body = { sourceId: third, targetId: older, type: 'similar' };
    const refused = [
      await as('reader', 'POST', '/api/relations', body),
      await as('reader', 'DELETE', '/api/relations', { ...body, targetId: newer, type: 'references' }),
      await as('reader', 'POST', '/api/entities/rename', { from: 'a.ts', to: 'b.ts' }),
    ];
    expect(refused.map(({ status }) => status)).toEqual([403, 403, 403]);
    expect((await as('reader', 'GET', '/api/relations')).body.total).toBe(3);
  });
});
