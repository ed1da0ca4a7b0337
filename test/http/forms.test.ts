import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { durationText } from '../../src/operations/health.ts';
import { transfer } from '../../src/operations/transfer.ts';
import { guideSchemas, referenceSchemas, type FormAnswer } from '../helpers/answers.ts';
import { startTestServer, TEST_NAMESPACE, type Answer, type TestServer } from '../helpers/server.ts';

const ANY_STRING: unknown = expect.any(String);
const ANY_NUMBER: unknown = expect.any(Number);
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const LONG = `${'The harbour is quiet in the morning and loud at noon. '.repeat(40)}\n\nBoats leave at six.`;
let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

/** The answer has exactly what the schema of its form says, no field more and none less. */
function expectForm(answer: Answer, schema: z.ZodType): void {
  expect([answer.status, answer.text]).toEqual([200, ANY_STRING]);
  expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(schema.parse(answer.body)).toEqual(answer.body);
}
const both = async (
  answer: FormAnswer,
  call: (query: string) => Promise<Answer>,
): Promise<{ reference: Answer['body']; guide: Answer['body'] }> => {
  const reference = await call('?form=reference');
  expectForm(reference, referenceSchemas[answer]);
  const guide = await call('?form=guide');
  expectForm(guide, guideSchemas[answer]);
  return { reference: reference.body, guide: guide.body };
};

describe('both representations', () => {
  it('of save', async () => {
    const body = { content: 'We ship on Fridays', tags: ['release'], priority: 'medium' };
    const first = await server.call('POST', '/api/save', { body });
    expectForm(first, referenceSchemas.save);
    expect(first.body).toMatchObject({ success: true, count: 1, ids: [expect.stringMatching(UUID)], message: 'Saved.' });
    expect(first.body.outcomes).toEqual([{ id: first.body.ids[0], status: 'stored', vector: 'stored', passages: 1 }]);
    const again = await server.call('POST', '/api/save?form=guide', { body: { ...body, tags: ['friday'] } });
    expectForm(again, guideSchemas.save);
    expect(again.body).toMatchObject({
      id: `mem_${first.body.ids[0]}`,
      content: 'We ship on Fridays',
      tags: ['release', 'friday'],
      priority: 'medium',
      status: 'saved',
    });
    const duplicate = await server.call('POST', '/api/save', { body });
    expect(duplicate.body).toMatchObject({ ids: first.body.ids, count: 1, outcomes: [{ status: 'duplicate' }] });
    expect(duplicate.body.message).toContain('duplicate');
  });

  it('of recall', async () => {
    await server.save('The gate code is 4711', { tags: ['house'], namespace: 'home' });
    const body = { query: 'gate code', namespace: 'home', searchMode: 'keyword' };
    const { reference, guide } = await both('recall', (query) => server.call('POST', `/api/recall${query}`, { body }));
    expect(reference).toMatchObject({ success: true, count: 1, mode: 'keyword' });
    const result = reference.results[0]!;
    expect(result.entry.metadata).toMatchObject({
      namespace: 'home',
      container: 'home',
      tags: ['house'],
      priority: 'normal',
      source: 'api',
    });
    expect(result.entry.metadata.contentHash).toMatch(/^[0-9a-f]{64}$/);
    expect(result.scores).toEqual({ keyword: ANY_NUMBER });
    expect(guide).toMatchObject({ query: 'gate code', mode: 'keyword', count: 1 });
    expect(guide.results[0]).toMatchObject({ id: `mem_${result.entry.id}`, similarity: result.score, priority: 'medium', tags: ['house'] });
  });

  it('of search, with the filter echoed', async () => {
    await server.save('Anchors are checked in spring', { tags: ['boat'], namespace: 'harbour', priority: 'high' });
    const times = { createdAfter: '2020-01-01', createdBefore: '2099-01-01T00:00:00+02:00' };
    const filter = { tags: ['boat'], priority: 'high', source: 'api', importance: { min: 0.1 }, ...times };
    const body = { query: 'anchors', filter };
    const { reference, guide } = await both('search', (query) => server.call('POST', `/api/search${query}`, { body }));
    expect(reference.results.map((hit: { entry: { content: string } }) => hit.entry.content)).toEqual(['Anchors are checked in spring']);
    expect(guide.filters).toEqual(filter);
    expect(guide.results[0]!.priority).toBe('high');
    const unfiltered = await server.call('POST', '/api/search?form=guide', { body: { query: 'anchors' } });
    expect(unfiltered.body.filters).toEqual({});
    const other = { query: 'anchors', namespace: 'harbour', filter: { priority: 'medium' } };
    expect((await server.call('POST', '/api/search?form=guide', { body: other })).body).toMatchObject({ filters: other.filter, count: 0 });
    const nothing = await server.call('POST', '/api/search', { body: { query: 'anchors', filter: { createdBefore: '2020-01-01' } } });
    expect(nothing.body).toMatchObject({ success: true, count: 0, results: [] });
  });

  it('of search results', async () => {
    const text = `${'Sails are mended in the loft above the workshop. '.repeat(40)}Ropes are spliced on the pier.`;
    await server.save(text, { namespace: 'loft' });
    for (const end of ['.', '!']) await server.save(`Splicing ropes takes patience and a dry day at sea${end}`, { namespace: 'loft' });
    const body = { query: 'spliced ropes', namespace: 'loft', collapse: true, explain: true, minScore: 0.05 };
    for (const answer of ['recall', 'search'] as const) {
      const { reference, guide } = await both(answer, (query) => server.call('POST', `/api/${answer}${query}`, { body }));
      expect(reference.results).toHaveLength(2);
      const long = reference.results.find((hit: { entry: { content: string } }) => hit.entry.content === text)!;
      expect(long.passage!.text).toContain('Ropes are spliced on the pier.');
      expect(text.slice(long.passage!.start, long.passage!.end)).toBe(long.passage!.text);
      const twin = reference.results.find((hit: { entry: { content: string } }) => hit.entry.content !== text)!;
      expect(twin.collapsed).toEqual([expect.stringMatching(UUID)]);
      expect(twin).not.toHaveProperty('passage');
      for (const { explanation } of reference.results) {
        const sum = Object.values(explanation!.parts).reduce((total, part) => total + part, 0);
        expect(sum).toBeCloseTo(explanation!.rankValue, 3);
        expect(explanation!.keyword!.terms.length).toBeGreaterThan(0);
      }
      const [mine, theirs] = [reference.results, guide.results].map((hits) =>
        hits.map(({ explanation, passage, collapsed = [] }) => ({
          explanation,
          passage,
          collapsed: collapsed.map((id) => id.replace(/^mem_/, '')),
        })),
      );
      expect(theirs).toEqual(mine);
      expect(guide.results.flatMap(({ collapsed = [] }) => collapsed)).toEqual([expect.stringMatching(/^mem_/)]);
    }
    const plain = await server.call('POST', '/api/recall', { body: { query: 'spliced ropes', namespace: 'loft' } });
    expect(plain.body.count).toBe(3);
    for (const field of ['explanation', 'collapsed']) expect(plain.text).not.toContain(`"${field}"`);
  });

  it('of explain, which has one form, for a found entry and another', async () => {
    const id = await server.save('Fog horns sound twice a minute', { namespace: 'coast', tags: ['fog'] });
    const explained = async (form: string, body: object) => (await server.call('POST', `/api/explain?form=${form}`, { body })).body;
    const asked = { query: 'fog horn', id, namespace: 'coast' };
    const found = await explained('reference', asked);
    expect(found).toMatchObject({ success: true, id, query: 'fog horn', mode: 'hybrid', returned: true, rank: 1, score: ANY_NUMBER });
    expect(found.filters).toEqual([{ filter: expect.stringContaining('coast') as unknown, passed: true }]);
    expect(await explained('guide', asked)).toEqual(found);
    const missed = await explained('reference', { query: 'fog horn', id: `mem_${id}`, filter: { tags: ['clear'] } });
    expect(missed).toMatchObject({ id, returned: false, reason: ANY_STRING });
    expect(missed.filters).toContainEqual({ filter: expect.stringContaining('clear') as unknown, passed: false });
  });

  it('of diagnose, namespaces, statistics and migrate, which have one form', async () => {
    const id = await server.save('Counted', { namespace: 'counted', container: 'box', tags: ['only-here'], priority: 'normal' });
    expect(id).toMatch(UUID);
    const { body: diagnosis } = await server.call('POST', '/api/diagnose?form=guide', { body: { probes: 5 } });
    expect(diagnosis).toMatchObject({ success: true, rows: ANY_NUMBER, vectorIndex: { kind: 'none' }, findings: [] });
    expect(diagnosis.recall).toMatchObject({ all: 1, oneNamespace: 1, worst: 1 });
    const spaces = await server.call('GET', '/api/namespaces?form=guide');
    expect(spaces.body).toMatchObject({ success: true, count: spaces.body.namespaces.length });
    expect(spaces.body.namespaces).toContainEqual({ namespace: 'counted', entries: 1, containers: ['box'], newest: ANY_STRING });
    const { body: stats } = await server.call('GET', '/api/stats?form=guide');
    expect(stats.topTags).toContainEqual({ tag: 'only-here', entries: 1 });
    expect(stats.byPriority).toHaveProperty('normal');
    expect(stats.perDay).toHaveLength(30);
    const planned = await server.call('POST', '/api/migrate?form=guide', { body: { dryRun: true } });
    expect(planned.body).toMatchObject({ success: true, dryRun: true, status: 'nothing to do', migrated: 0 });
    expect((await server.call('POST', '/api/migrate', { body: {} })).body).toMatchObject({ status: 'nothing to do', dryRun: false });
  });

  it('of list, with pages, tags and order', async () => {
    for (const at of [1, 2, 3]) await server.save(`Page ${at}`, { namespace: 'book', tags: at === 2 ? ['even', 'prime'] : ['odd'] });
    const { reference, guide } = await both('list', (query) =>
      server.call('GET', `/api/list${query}&namespace=book&limit=2&offset=1&sort=createdAt`),
    );
    expect(reference).toMatchObject({ success: true, count: 2, total: 3, offset: 1, limit: 2 });
    expect(reference.entries.map((entry: { content: string }) => entry.content)).toEqual(['Page 2', 'Page 3']);
    expect(guide).toMatchObject({ total: 3, limit: 2, offset: 1 });
    expect(guide.memories.map((entry: { content: string }) => entry.content)).toEqual(['Page 2', 'Page 3']);
    const tagged = await server.call('GET', '/api/list?namespace=book&tags=even,%20prime');
    expect(tagged.body.entries.map((entry: { content: string }) => entry.content)).toEqual(['Page 2']);
    const newest = await server.call('GET', '/api/list?namespace=book&tags=');
    expect(newest.body.entries.map((entry: { content: string }) => entry.content)).toEqual(['Page 3', 'Page 2', 'Page 1']);
    expect((await server.call('GET', '/api/list?namespace=nowhere')).body).toMatchObject({
      success: true,
      count: 0,
      total: 0,
      entries: [],
    });
  });

  it('of one entry, by either id, and of a change to it', async () => {
    const id = await server.save(LONG, { namespace: 'long' });
    const { reference, guide } = await both('entry', (query) =>
      server.call('GET', `/api/${query.includes('guide') ? `mem_${id}` : id}${query}`),
    );
    expect(reference.entry).toMatchObject({ id, content: LONG });
    expect(reference.entry.metadata.summary).toBeTruthy();
    expect(guide).toMatchObject({ id: `mem_${id}`, content: LONG, summary: reference.entry.metadata.summary });
    const patched = await both('entry', (query) =>
      server.call('PATCH', `/api/${id.toUpperCase()}${query}`, { body: { priority: 'high', tags: ['sea'] } }),
    );
    expect(patched.reference.entry.metadata).toMatchObject({ priority: 'high', tags: ['sea'] });
    expect(patched.guide).toMatchObject({ priority: 'high', tags: ['sea'] });
    expect((await server.call('GET', `/api/${id}`)).body.entry.metadata.tags).toEqual(['sea']);
  });

  it('of delete', async () => {
    const [first, second] = [await server.save('Forget me'), await server.save('Forget me too')];
    const reference = await server.call('DELETE', `/api/${first}`);
    expectForm(reference, referenceSchemas.forget);
    expect(reference.body).toEqual({ success: true, message: expect.stringContaining(first) as unknown });
    const guide = await server.call('DELETE', `/api/mem_${second}?form=guide`);
    expect(guide.body).toEqual({ id: `mem_${second}`, status: 'deleted' });
    const gone = await server.call('DELETE', `/api/${first}`);
    expect([gone.status, gone.body.code, gone.body.success]).toEqual([404, 'NOT_FOUND', false]);
    expect(gone.body.error).toContain(first);
  });

  it('of health', async () => {
    const { reference, guide } = await both('health', (query) => server.call('GET', `/api/health${query}`));
    expect(reference).toMatchObject({
      success: true,
      status: 'healthy',
      config: { storageType: 'lancedb', embeddingProvider: 'builtin', namespace: TEST_NAMESPACE },
      stats: { globalEntries: 0, autoCapture: true },
      maintenance: expect.stringMatching(/^(idle|optimizing)/),
      degraded: [],
    });
    expect(reference.uptime).toMatch(/^(\d+[dhms] ?)+$/);
    expect(reference.requests.total).toBeGreaterThan(1);
    expect(guide).toMatchObject({ status: 'healthy', embeddings: { provider: 'builtin' }, storage: { type: 'lancedb' } });
    expect(guide.memory.total).toBe(reference.stats.totalEntries);
    expect(guide.requests.total).toBeGreaterThan(reference.requests.total);
    expect(Math.abs(Date.parse(guide.timestamp) - Date.now())).toBeLessThan(60_000);
  });

  it('of import, in either form', async () => {
    const lines = '{"content":"From a file"}\nnonsense\n';
    const options = { body: lines, headers: { 'content-type': 'application/x-ndjson' } };
    const load = (form: string) => server.call('POST', `/api/import?form=${form}&namespace=filed`, options);
    const [first, second] = [await load('reference'), await load('guide')].map(({ body }) => transfer.import.form.schema.parse(body));
    expect(first).toMatchObject({ success: true, dryRun: false, lines: 2, stored: 1, duplicates: 0, invalid: 1 });
    expect(first!.errors).toMatchObject([{ line: 2, status: 'invalid' }]);
    expect(second).toMatchObject({ success: true, lines: 2, stored: 0, duplicates: 1, invalid: 1 });
  });
});

describe('the representation of a response', () => {
  it('is the configured one by default', async () => {
    await using guided = await startTestServer({ server: { responseForm: 'guide' } });
    const saved = await guided.call('POST', '/api/save', { body: { content: 'Guided' } });
    expect(saved.body.status).toBe('saved');
    expect((await guided.call('GET', '/api/list?form=reference')).body.entries).toHaveLength(1);
  });

  it('does not change errors, and an unknown one changes nothing', async () => {
    const missing = await server.call('POST', '/api/save?form=guide', { body: {} });
    expect([missing.status, missing.body]).toEqual([400, { success: false, error: 'content is required', code: 'INVALID_REQUEST' }]);
    const id = await server.save('Still here');
    const refused = await server.call('DELETE', `/api/${id}?form=xml`);
    expect([refused.status, refused.body.error]).toEqual([400, 'form must be one of reference, guide']);
    expect((await server.call('GET', `/api/${id}`)).status).toBe(200);
  });
});

describe('the source of an entry', () => {
  it.each([
    ['cli', 'cli'],
    ['web', 'web'],
    ['mcp', 'mcp'],
    ['auto-capture', 'api'],
    ['nobody', 'api'],
    [undefined, 'api'],
  ])('with x-lore-source %s is %s', async (header, source) => {
    const saved = await server.call('POST', '/api/save?form=guide', {
      body: { content: `Saved by ${header}` },
      ...(header !== undefined && { headers: { 'x-lore-source': header } }),
    });
    expect(saved.body.source).toBe(source);
  });
});

describe('an uptime', () => {
  it.each([
    [0, '0s'],
    [999, '0s'],
    [61_000, '1m 1s'],
    [90_061_000, '1d 1h 1m 1s'],
    [7_200_000, '2h'],
  ])('of %i ms reads %s', (ms, text) => {
    expect(durationText(ms)).toBe(text);
  });
});
