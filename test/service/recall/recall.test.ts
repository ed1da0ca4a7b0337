import { describe, expect, it } from 'vitest';
import type { MemoryOperations, SearchResults } from '../../../src/memory/operations/operations.ts';
import { openTestApp } from '../../helpers/app.ts';
import { startEmbeddingApi } from '../../helpers/embedding-api.ts';

const MODES = ['vector', 'keyword', 'hybrid'] as const;
const contents = ({ results }: SearchResults): string[] => results.map(({ entry }) => entry.content);

async function saveAll(
  memories: MemoryOperations,
  texts: readonly string[],
  more: { namespace?: string; tags?: string[] } = {},
): Promise<string[]> {
  const ids: string[] = [];
  for (const content of texts) ids.push(...(await memories.save({ content, ...more })).ids);
  return ids;
}

const NOTES = [
  'The database password lives in Vault under kv/prod/db',
  'Lunch is at noon in the courtyard',
  'Deploys run through the release train on Tuesdays',
  'fetchRetryPolicy waits twice as long after each failure',
  'The configuration of the gateway is read from edge.toml',
  'Never merge on a Friday',
];

describe('a search finds', () => {
  it.each([
    ['a word by its other name', 'db password', NOTES[0]],
    ['a misspelled word', 'relaese train', NOTES[2]],
    ['a mistake in a suffix', 'configuraiton', NOTES[4]],
    ['a part of an identifier', 'retry policy', NOTES[3]],
    ['two words typed as one', 'releasetrain', NOTES[2]],
    ['what must not be done', 'when must we not merge', NOTES[5]],
  ])('%s', async (_, query, expected) => {
    await using app = await openTestApp();
    await saveAll(app.memories, NOTES);
    for (const searchMode of ['keyword', 'hybrid'] as const) {
      expect(contents(await app.memories.recall({ query, searchMode }))[0]).toBe(expected);
    }
  });

  it('with `newerFirst`, the newer of two on one subject first, else by score', async () => {
    await using app = await openTestApp();
    const [older, newer] = [
      'Free shipping starts at 49 euros; orders below that pay 4.90 for the parcel',
      'The finance team moved the threshold: free shipping at 59 euros',
    ];
    await saveAll(app.memories, [older, newer, ...NOTES]);
    const query = 'free shipping starts at how many euros, and what do orders below pay for the parcel';
    const firstTwo = async (newerFirst: boolean): Promise<string[]> =>
      contents(await app.memories.recall({ query, newerFirst })).slice(0, 2);
    expect(await firstTwo(false)).toEqual([older, newer]);
    expect(await firstTwo(true)).toEqual([newer, older]);
  });

  it('the current fact before the corrected one', async () => {
    await using app = await openTestApp();
    await saveAll(app.memories, [
      'The MQTT broker listens on port 1883 in the plant, without TLS',
      'The MQTT broker listens on port 8883 now, with TLS; 1883 is closed in the plant',
      ...NOTES,
    ]);
    const [first] = (await app.memories.recall({ query: 'port of the MQTT broker' })).results;
    expect(first!.entry.content).toContain('8883 now');
  });
});

describe('the score', () => {
  it('never rises down the list, and is sensible even with three entries', async () => {
    await using app = await openTestApp();
    await saveAll(app.memories, NOTES.slice(0, 3));
    for (const searchMode of MODES) {
      const { results } = await app.memories.recall({ query: 'where does the database password live', searchMode });
      expect(results[0]!.entry.content).toBe(NOTES[0]);
      expect(results[0]!.score).toBeGreaterThan(0.3);
      for (const [at, { score }] of results.entries()) expect(score).toBeLessThanOrEqual(results[at - 1]?.score ?? 1);
    }
  });

  it('is low without an answer, and `minScore` excludes it', async () => {
    await using app = await openTestApp();
    await saveAll(app.memories, NOTES);
    const right = await app.memories.recall({ query: 'database password in Vault' });
    const wrong = await app.memories.recall({ query: 'password of the walrus feeding portal account in Alaska' });
    expect(right.results[0]!.score).toBeGreaterThan(2 * (wrong.results[0]?.score ?? 0));
    const query = 'password of the walrus feeding portal account in Alaska';
    expect((await app.memories.recall({ query, minScore: 0.5 })).results).toEqual([]);
    expect((await app.memories.recall({ query: 'database password in Vault', minScore: 0.5 })).results).toHaveLength(1);
    for (const searchMode of MODES) {
      const { results } = await app.memories.recall({ query: 'database password', searchMode, minScore: 0.2 });
      expect(results.every(({ score }) => score >= 0.2)).toBe(true);
    }
  });

  it('lists the legs that found an entry', async () => {
    await using app = await openTestApp({ 'search.vectorWeight': 0.5 });
    await saveAll(app.memories, NOTES);
    const [both] = (await app.memories.recall({ query: 'database password', searchMode: 'hybrid' })).results;
    expect(Object.keys(both!.scores).toSorted()).toEqual(['keyword', 'vector']);
    expect(both!.score).toBeCloseTo(0.9 * both!.scores.keyword! + 0.1 * both!.scores.vector!, 5);
    const [words] = (await app.memories.recall({ query: 'database password', searchMode: 'keyword' })).results;
    expect(words!.scores).toEqual({ keyword: words!.score });
    const [near] = (await app.memories.recall({ query: 'database password', searchMode: 'vector' })).results;
    expect(near!.scores).toEqual({ vector: near!.score });
  });
});

const JOB = 'The nightly backup of the orders database runs at two and is copied to the second site before the office opens';

describe('near-identical entries', () => {
  const twins = ['again', 'daily', 'always', 'quietly', 'early'].map((word) => `${JOB} ${word}`);

  it('take at most three of the first five places, and are folded on request', async () => {
    await using app = await openTestApp();
    await saveAll(app.memories, [...twins, 'The orders database has no nightly clean up', 'A backup needs a second site']);
    const query = 'nightly backup of the orders database';
    const plain = contents(await app.memories.recall({ query }));
    expect(plain).toHaveLength(7);
    expect(plain.slice(0, 5).filter((content) => content.startsWith(JOB))).toHaveLength(3);
    const { results } = await app.memories.recall({ query, collapse: true });
    expect(results).toHaveLength(3);
    expect(results[0]!.collapsed).toHaveLength(4);
    expect(results.slice(1).every(({ collapsed }) => collapsed === undefined)).toBe(true);
  });

  it('do not differ in a number', async () => {
    await using app = await openTestApp();
    await saveAll(
      app.memories,
      [1, 2, 3, 4].map((nth) => `${JOB} ${nth}`),
    );
    const { results } = await app.memories.recall({ query: 'nightly backup', collapse: true });
    expect(results).toHaveLength(4);
  });
});

describe('the passage of a long text', () => {
  const filler = 'Nothing of interest happened on that day. '.repeat(60);

  it.each(MODES)('is the answering one, in %s mode', async (searchMode) => {
    await using app = await openTestApp();
    const content = `${filler}The walrus escaped from the harbour at dawn. ${filler}`;
    await saveAll(app.memories, [content, 'a short note on a walrus']);
    const { results } = await app.memories.recall({ query: 'walrus escaped harbour', searchMode });
    const { passage } = results.find(({ entry }) => entry.content === content)!;
    expect(passage!.text).toContain('walrus escaped');
    expect(content.slice(passage!.start, passage!.end)).toBe(passage!.text);
    expect(results.find(({ entry }) => entry.content !== content)!.passage).toBeUndefined();
  });

  it('is the nearest by vector without a query word', async () => {
    await using app = await openTestApp();
    await saveAll(app.memories, [`${filler}Walrusses were seen. ${filler}`]);
    const [result] = (await app.memories.recall({ query: 'walrussy', searchMode: 'vector' })).results;
    expect(result!.passage!.text).toContain('Walrusses');
  });
});

describe('the explanation', () => {
  it('of a result has matched words, parts that add up, and filters', async () => {
    await using app = await openTestApp();
    await saveAll(app.memories, NOTES, { tags: ['ops'] });
    const { results } = await app.memories.recall({ query: 'db pasword walrus', tags: ['ops'], explain: true });
    const { explanation } = results[0]!;
    expect(explanation!.keyword!.terms.map(({ term, matched, kind }) => [term, matched, kind])).toEqual([
      ['db', 'db', 'exact'],
      ['pasword', 'password', 'spelling'],
    ]);
    expect(explanation!.keyword!.missing).toEqual(['walru']);
    expect(Object.values(explanation!.parts).reduce((sum, part) => sum + part, 0)).toBeCloseTo(explanation!.rankValue, 3);
    expect(explanation!.filters).toEqual(['namespace is test', 'has the tag ops']);
    const silent = await app.memories.recall({ query: 'db password' });
    expect(silent.results[0]!.explanation).toBeUndefined();
  });

  it('an entry is or is not among the results', async () => {
    await using app = await openTestApp();
    const ids = await saveAll(app.memories, NOTES);
    const [away] = await saveAll(app.memories, ['The database password of the other project'], { namespace: 'other' });
    await saveAll(app.memories, ['A password is long', 'password rules', 'no password in the chat']);
    const explain = (id: string, more = {}) => app.memories.explain({ query: 'database password', id, namespace: 'test', ...more });

    expect(await explain(ids[0]!)).toMatchObject({ returned: true, rank: 1, mode: 'hybrid', reason: 'It is number 1 of the results.' });
    const outside = await explain(away!);
    expect(outside).toMatchObject({ returned: false, reason: 'It is in namespace other, the search looked in test.' });
    expect(outside.rank).toBeUndefined();
    expect(outside.filters).toEqual([{ filter: 'namespace is test', passed: false }]);
    expect(outside.explanation!.keyword!.terms).toHaveLength(2);
    expect((await explain(ids[1]!, { searchMode: 'keyword' })).reason).toBe('No word of the query is in it, in any form.');

    const { results } = await app.memories.search({ query: 'database password', namespace: 'test', limit: 4 });
    const last = results[3]!.entry.id;
    expect(await explain(last, { limit: 2 })).toMatchObject({ returned: false, rank: 4, reason: 'It is number 4; the limit was 2.' });
    expect((await explain(last, { minScore: 0.99 })).reason).toMatch(/^Its score is 0\.\d\d; the search asked for 0\.99 or more\.$/);
    expect((await explain(ids[0]!, { tags: ['x'] })).reason).toBe('It does not have the tag x.');
    expect((await explain(ids[0]!, { filter: { importance: { min: 0.99 } } })).reason).toMatch(
      /^Its importance is 0\.\d+, the search asked for 0\.99 or more\.$/,
    );
    await expect(explain('01890000-0000-7000-8000-000000000000')).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('with a model that understands', () => {
  it('a hybrid search uses both legs, and words alone while the model fails', async () => {
    await using api = await startEmbeddingApi();
    await using app = await openTestApp({
      'embeddings.provider': 'openai',
      'embeddings.baseUrl': api.url,
      'embeddings.dimensions': 384,
      'embeddings.timeoutMs': 2000,
    });
    await saveAll(app.memories, NOTES);
    const [both] = (await app.memories.recall({ query: 'database password' })).results;
    expect(both!.score).toBeCloseTo(Math.max(0.8 * both!.scores.vector!, both!.scores.keyword!), 5);

    const refusal = { status: 400, text: '{"error":{"message":"no"}}' };
    api.faults.push(refusal, refusal);
    const [words] = (await app.memories.recall({ query: 'password of the database' })).results;
    expect(words!.entry.content).toBe(NOTES[0]);
    expect(words!.scores).toEqual({ keyword: words!.score });
    await expect(app.memories.recall({ query: 'a password', searchMode: 'vector' })).rejects.toMatchObject({ code: 'invalid_input' });
  });
});
