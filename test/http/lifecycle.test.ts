import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createHttpClient, type HttpClient } from '../../src/client/http-client.ts';
import type { MemoryOperations } from '../../src/memory/operations/operations.ts';
import { daysAgo } from '../helpers/past.ts';
import { LOCAL_TOKEN, startTestServer, type TestServer } from '../helpers/server.ts';

const UNKNOWN = '00000000-0000-7000-8000-000000000000';
const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const DAY_MS = 86_400_000;

let server: TestServer;
let memories: MemoryOperations;
beforeEach(async () => {
  server = await startTestServer({
    keys: [
      { name: 'all', access: 'full' },
      { name: 'bound', access: 'full', namespace: 'mine' },
      { name: 'reader', access: 'read' },
    ],
  });
  memories = server.app.memories;
});
afterEach(() => server.close());

const as = (name: string) => ({ headers: { 'x-api-key': server.keys.get(name) ?? '' } });
const post = (path: string, body: unknown, name = 'all') => server.call('POST', path, { body, ...as(name) });
const get = (path: string, name = 'all') => server.call('GET', path, as(name));

/** An entry that a compaction archives for its age. */
async function plantFaded(content: string): Promise<string> {
  const line = { content, priority: 'low', timestamp: new Date(Date.now() - 300 * DAY_MS).toISOString() };
  const { body } = await daysAgo(300, () =>
    server.call('POST', '/api/import?report=summary', {
      body: JSON.stringify(line),
      headers: { 'content-type': 'application/x-ndjson', ...as('all').headers },
    }),
  );
  expect(body.stored).toBe(1);
  return (await memories.list({ sort: 'createdAt' })).entries[0]!.id;
}

describe('POST /api/compact', () => {
  it('previews, then archives, in either form', async () => {
    const id = await plantFaded('faded');
    const planned = await post('/api/compact', { dryRun: true });
    expect(planned).toMatchObject({ status: 200, body: { success: true, dryRun: true, run: '', looked: 1, archived: 1, purged: 0 } });
    expect(planned.body.items).toEqual([
      { id, namespace: 'test', reason: 'expired', why: expect.stringContaining('300 days'), preview: 'faded' },
    ]);
    const done = await post('/api/compact?form=guide', {});
    expect(done.body).toEqual({
      ...planned.body,
      dryRun: false,
      run: done.body.run,
    });
    for (const form of ['reference', 'guide']) {
      for (const route of ['health', 'stats']) {
        const { body } = await get(`/api/${route}?form=${form}`);
        expect(body.lastCompaction).toEqual({
          at: expect.stringMatching(ISO),
          run: done.body.run,
          archived: 1,
          purged: 0,
          ms: expect.any(Number),
        });
      }
    }
  });
});

describe('POST /api/forget', () => {
  it('counts and returns a token, and forgets with the token', async () => {
    await memories.save({ content: 'one', tags: ['x'], priority: 'normal' });
    await memories.save({ content: 'two', tags: ['x'] });
    const asked = await post('/api/forget?form=guide', { tags: ['x'] });
    expect(asked).toMatchObject({
      status: 200,
      body: { matches: 2, done: false, preview: [{ content: 'two', metadata: { priority: 'normal' } }, { content: 'one' }] },
    });
    expect((await post('/api/forget', { tags: ['y'], confirm: asked.body.token })).status).toBe(400);
    const done = await post('/api/forget', { tags: ['x'], confirm: asked.body.token });
    expect(done).toMatchObject({ status: 200, body: { success: true, matches: 2, done: true, run: expect.any(String) } });
    expect((await memories.list({})).total).toBe(0);
  });

  it('accepts ids in either form', async () => {
    const [one, two] = [(await memories.save({ content: 'one' })).ids[0]!, (await memories.save({ content: 'two' })).ids[0]!];
    await memories.save({ content: 'three' });
    const ids = [one, `mem_${two}`];
    const asked = await post('/api/forget', { ids });
    expect(asked).toMatchObject({ status: 200, body: { matches: 2, preview: [{ content: 'two' }, { content: 'one' }] } });
    const done = await post('/api/forget', { ids, confirm: asked.body.token });
    expect(done).toMatchObject({ status: 200, body: { matches: 2, done: true } });
    expect((await memories.list({})).entries.map(({ content }) => content)).toEqual(['three']);
    expect(await post('/api/forget', { ids })).toMatchObject({ status: 404 });
    expect(await post('/api/forget', { ids, namespace: 'mine' }, 'bound')).toMatchObject({ status: 404 });
    expect(await post('/api/forget', { ids }, 'reader')).toMatchObject({ status: 403 });
  });

  it('requires at least one condition', async () => {
    for (const body of [{}, { tags: [] }, { importance: {} }, { permanent: true }])
      expect(await post('/api/forget', body)).toMatchObject({
        status: 400,
        body: { error: expect.stringContaining('Name the entries to forget') },
      });
  });
});

describe('GET /api/archive and POST /api/restore', () => {
  it('list archived entries and restore them, in either form', async () => {
    const id = await plantFaded('faded');
    const { run } = (await post('/api/compact', {})).body;
    const listed = await get('/api/archive');
    expect(listed.body).toMatchObject({ success: true, count: 1, total: 1, offset: 0, limit: 20 });
    expect(listed.body.entries).toEqual([
      {
        entry: expect.objectContaining({ id, content: 'faded' }),
        archivedAt: expect.stringMatching(ISO),
        reason: 'expired',
        run,
        relations: [],
      },
    ]);
    const guide = await get(`/api/archive?form=guide&run=${run}&reason=expired&namespace=test`);
    expect(guide.body.entries[0]).toMatchObject({ entry: { id, metadata: { priority: 'low' } }, reason: 'expired' });
    expect(await post('/api/restore', { run, since: '2020-01-01' })).toMatchObject({ status: 400 });
    expect(await post('/api/restore', {})).toMatchObject({ status: 400, body: { error: expect.stringContaining('ids') } });
    expect(await post('/api/restore', { ids: [UNKNOWN] })).toMatchObject({ status: 404 });
    const back = await post('/api/restore?form=guide', { ids: [`mem_${id}`] });
    expect(back.body).toEqual({ success: true, dryRun: false, count: 1, restored: [id], skipped: [] });
    expect((await get('/api/archive')).body.total).toBe(0);
  });
});

describe('the history of an entry', () => {
  it('is shown, and its last change is undone, in either form', async () => {
    const id = (await memories.save({ content: 'one', tags: ['a'] })).ids[0]!;
    await server.call('PATCH', `/api/${id}`, {
      body: { content: 'two', importance: 0.25 },
      headers: { ...as('all').headers, 'x-lore-source': 'cli' },
    });
    const { body } = await get(`/api/${id}/history`);
    expect(body).toMatchObject({ success: true, entry: { id, content: 'two' } });
    const times = { writtenAt: expect.stringMatching(ISO), replacedAt: expect.stringMatching(ISO) };
    const state = { content: 'one', tags: ['a'], priority: 'normal', namespace: 'test', container: 'test', importance: 0.5 };
    expect(body.versions).toEqual([{ ...times, replacedBy: 'cli', state }]);
    expect((await get(`/api/mem_${id}/history?form=guide`)).body).toEqual(body);
    const undone = await post(`/api/${id}/undo?form=guide`, {});
    expect(undone.body).toMatchObject({ success: true, entry: { id, content: 'one', metadata: { importance: 0.5 } } });
    expect((await get(`/api/${id}/history`)).body.versions).toHaveLength(2);
  });

  it('of an unknown id is 404, and without a change there is nothing to undo', async () => {
    const { ids } = await memories.save({ content: 'unchanged' });
    expect((await get(`/api/${UNKNOWN}/history`)).status).toBe(404);
    expect((await post(`/api/${UNKNOWN}/undo`, {})).status).toBe(404);
    expect((await post('/api/nonsense/undo', {})).status).toBe(404);
    expect(await post(`/api/${ids[0]}/undo`, {})).toMatchObject({ status: 400, body: { error: expect.stringContaining('never changed') } });
  });
});

describe('an entry', () => {
  it('shows its recall count in both forms', async () => {
    const { ids } = await memories.save({ content: 'walrus', importance: 0.9 });
    const [id] = ids as [string];
    expect((await get(`/api/${id}`)).body.entry.metadata).not.toHaveProperty('recalls');
    expect((await post('/api/recall', { query: 'walrus' })).body.results[0]!.entry.metadata).not.toHaveProperty('recalls');
    expect((await get(`/api/${id}`)).body.entry.metadata).toMatchObject({ recalls: 1, lastRecalledAt: expect.stringMatching(ISO) });
    expect((await get(`/api/${id}?form=guide`)).body).toMatchObject({
      recalls: 1,
      lastRecalledAt: expect.stringMatching(ISO),
      importance: 0.9,
    });
  });

  it('is saved with the requested importance', async () => {
    const saved = await post('/api/save?form=guide', { content: 'weighed', importance: 0.05 });
    expect(saved.body).toMatchObject({ importance: 0.05 });
  });
});

describe('keys', () => {
  it('that are bound or read-only are limited here too', async () => {
    const { ids } = await memories.save({ content: 'theirs', namespace: 'theirs' });
    await memories.update(ids[0]!, { tags: ['x'] });
    for (const [path, body] of [
      ['/api/compact', {}],
      ['/api/forget', { tags: ['x'] }],
      ['/api/restore', { since: '2020-01-01' }],
      [`/api/${ids[0]}/undo`, {}],
    ] as const)
      expect([path, (await post(path, body, 'reader')).status]).toEqual([path, 403]);
    expect((await post('/api/compact', { namespace: 'theirs' }, 'bound')).status).toBe(403);
    expect((await get('/api/archive?namespace=theirs', 'bound')).status).toBe(403);
    expect((await get(`/api/${ids[0]}/history`, 'bound')).status).toBe(404);
    expect((await post(`/api/${ids[0]}/undo`, {}, 'bound')).status).toBe(404);
    expect((await post('/api/forget', { tags: ['x'] }, 'bound')).body.matches).toBe(0);
    expect((await get(`/api/${ids[0]}/history`, 'reader')).status).toBe(200);
  });
});

describe('archived entries in a search', () => {
  it('are counted next to weak results and found on request, in both forms, within the limits of the key', async () => {
    const id = (await memories.save({ content: 'The lathe needs a belt of size 17' })).ids[0]!;
    const { token } = await memories.lifecycle.forgetMany({ ids: [id] });
    await memories.lifecycle.forgetMany({ ids: [id], confirm: token! });
    const archived = { at: expect.stringMatching(ISO), reason: 'forgotten' };
    for (const route of ['/api/recall', '/api/search']) {
      for (const form of ['reference', 'guide']) {
        const ask = (more: object, key?: string) => post(`${route}?form=${form}`, { query: 'lathe belt', ...more }, key);
        expect((await ask({})).body).toMatchObject({ results: [], count: 0, archivedMatches: 1 });
        const { body } = await ask({ includeArchived: true });
        expect(body).not.toHaveProperty('archivedMatches');
        expect(body.results).toEqual([expect.objectContaining({ archived })]);
        expect((await ask({}, 'bound')).body).not.toHaveProperty('archivedMatches');
        expect((await ask({ includeArchived: true }, 'bound')).body.results).toEqual([]);
      }
    }
  });
});

describe('POST /api/:id/use', () => {
  it('counts a use, in both forms, for a read-only key, within its namespace', async () => {
    const id = (await memories.save({ content: 'opened on the page' })).ids[0]!;
    expect((await post('/api/search', { query: 'opened', countUse: false })).body.count).toBe(1);
    expect((await post(`/api/${id}/use`, {}, 'reader')).body.entry.metadata).toMatchObject({ recalls: 1 });
    expect((await post(`/api/${id}/use?form=guide`, {})).body).toMatchObject({ id: `mem_${id}`, recalls: 2 });
    expect((await post(`/api/${id}/use`, {}, 'bound')).status).toBe(404);
    expect((await post(`/api/${UNKNOWN}/use`, {})).status).toBe(404);
  });
});

describe('a client and the service behind its server', () => {
  let client: HttpClient;
  beforeEach(() => {
    client = createHttpClient({ baseUrl: server.url, key: LOCAL_TOKEN });
  });
  afterEach(() => client.close());

  const TIMES = ['createdAt', 'updatedAt', 'arrivedAt', 'at', 'archivedAt', 'writtenAt', 'replacedAt'];
  /** An answer as HTTP can say it: in whole milliseconds. */
  async function onWire<T>(answer: Promise<T>): Promise<T> {
    const whole = (key: string, value: unknown): unknown => (TIMES.includes(key) ? Math.floor(value as number) : value);
    return JSON.parse(JSON.stringify(await answer), whole) as T;
  }

  it('return the same', async () => {
    const id = await plantFaded('faded');
    const { lifecycle } = memories;
    expect(await client.lifecycle.compact({ dryRun: true })).toEqual(await onWire(lifecycle.compact({ dryRun: true })));
    const { run } = await client.lifecycle.compact({}, { source: 'cli' });
    expect(await client.lifecycle.archived({ run })).toEqual(await onWire(lifecycle.archived({ run })));
    expect(await client.lifecycle.restore({ run, dryRun: true })).toEqual(await onWire(lifecycle.restore({ run, dryRun: true })));
    expect(await client.lifecycle.restore({ ids: [id] })).toEqual({ dryRun: false, restored: [id], skipped: [] });
    expect(await client.get(id)).toEqual(await onWire(memories.get(id)));
    const search = { query: 'faded', includeArchived: true } as const;
    expect(await client.search(search)).toEqual(await onWire(memories.search(search)));
    expect(await client.markUsed(id)).toEqual(await onWire(memories.get(id)));
    await client.update(id, { tags: ['x'] }, { source: 'cli' });
    expect(await client.lifecycle.history(id)).toEqual(await onWire(lifecycle.history(id)));
    expect((await client.lifecycle.undo(id)).tags).toEqual([]);
    // On object storage the bytes are counted in the background.
    await expect.poll(async () => (await memories.stats()).storage?.bytes).toBeGreaterThan(0);
    expect(await client.stats()).toEqual(await onWire(memories.stats()));
    expect((await client.health()).lastCompaction).toEqual((await memories.health()).lastCompaction);
    const { token, ...asked } = await client.lifecycle.forgetMany({ namespace: 'test' });
    const { token: _token, ...direct } = await onWire(lifecycle.forgetMany({ namespace: 'test' }));
    expect(asked).toEqual(direct);
    expect(await client.lifecycle.forgetMany({ namespace: 'test', confirm: token! })).toMatchObject({ done: true, matches: 1 });
    await expect(client.lifecycle.history(id)).rejects.toMatchObject({ code: 'not_found' });
  });
});
