import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { SearchResults } from '../../../src/memory/operations/operations.ts';
import { openTestApp, type TestApp } from '../../helpers/app.ts';

const MODES = ['vector', 'keyword', 'hybrid'] as const;
const RUNBOOK = Array.from(
  { length: 60 },
  (_, nth) => `Step ${nth}: look at the queue, then at the cache, and write down what is enabled in staging.`,
);
const PASSAGE = 'Only then drain the second node, and wait until no lease is held by it.';
const contents = ({ results }: SearchResults): string[] => results.map(({ entry }) => entry.content);

let app: TestApp;

/** Everything saved so far leaves the memory for the table. */
async function flush(): Promise<void> {
  const lines = Array.from({ length: 2500 }, (_, nth) => ({
    content: `The cache is ${nth % 2 ? 'not ' : ''}enabled in staging, run ${nth}`,
    namespace: 'runs',
  }));
  await app.memories.import([Buffer.from(lines.map((line) => JSON.stringify(line)).join('\n'))] as never, {});
  await vi.waitUntil(async () => (await app.memories.health()).maintenance === 'idle', { timeout: 60_000 });
}

async function saveAll(namespace: string): Promise<void> {
  for (const content of [
    'The cache is enabled in staging',
    'The cache is not enabled in staging',
    'Rotation runs from 10:00 to 11:00',
    'Rotation runs from 11:00 to 10:00',
    'SELECT id FROM jobs FOR UPDATE SKIP LOCKED',
    'For the update, ask Ana; updates are hers',
    'To be or not to be is the motto',
    'Not to be late is all I want to be, or on time',
    [...RUNBOOK.slice(0, 30), PASSAGE, ...RUNBOOK.slice(30)].join('\n\n'),
    'The second node holds a lease; drain it only then, and wait for no node until it is held.',
  ]) {
    await app.memories.save({ content, namespace, tags: ['alpha', 'beta'] });
  }
}

beforeAll(async () => {
  app = await openTestApp();
  await saveAll('stored');
  await app.memories.save({ content: 'The cache is enabled in staging', namespace: 'runs', tags: ['alpha', 'beta', 'gamma', 'delta'] });
  await flush();
  await saveAll('fresh');
}, 60_000);
afterAll(() => app[Symbol.asyncDispose]());

describe.each(MODES)('in %s mode', (searchMode) => {
  it.each([
    ['as it was saved', 'The cache is enabled in staging', 'The cache is enabled in staging'],
    ['in other case and spacing', ' the CACHE is\n not  enabled in staging', 'The cache is not enabled in staging'],
    ['in its own order', 'Rotation runs from 10:00 to 11:00', 'Rotation runs from 10:00 to 11:00'],
    ['in the other order', 'Rotation runs from 11:00 to 10:00', 'Rotation runs from 11:00 to 10:00'],
  ])('the text of an entry, %s, is its first hit with a score of 1', async (_, query, expected) => {
    for (const namespace of ['stored', 'fresh']) {
      const { results } = await app.memories.recall({ query, searchMode, namespace, explain: true });
      expect(results[0]!.entry.content).toBe(expected);
      expect(results[0]!.score).toBe(1);
      expect(results[0]!.explanation!.parts['equal']).toBeGreaterThan(0);
      expect(results.slice(1).every(({ score }) => score < 1)).toBe(true);
    }
  });

  it.each([
    ['code', 'FOR UPDATE', 'SELECT id'],
    ['words that every text has', 'to be or not to be', 'To be or'],
    ['one passage of a long text', PASSAGE, 'Step 0'],
    ['a part in its order', 'from 11:00 to 10:00', 'Rotation runs from 11:00'],
  ])('a phrase ranks before its words: %s', async (_, query, expected) => {
    for (const namespace of ['stored', 'fresh']) {
      const { results } = await app.memories.recall({ query, searchMode, namespace, explain: true });
      expect(results[0]!.entry.content.startsWith(expected)).toBe(true);
      expect(results[0]!.explanation!.parts['phrase']).toBeGreaterThan(0);
    }
  });

  it('an exact text is found among thousands with its words, also with filters', async () => {
    for (const query of ['The cache is enabled in staging', 'the cache is ENABLED in staging']) {
      const found = await app.memories.recall({ query, searchMode, namespace: 'runs' });
      expect(found.results[0]).toMatchObject({ score: 1, entry: { content: 'The cache is enabled in staging' } });
      const filtered = await app.memories.search({ query, searchMode, filter: { tags: ['gamma'] } });
      expect(filtered.results[0]).toMatchObject({ score: 1, entry: { namespace: 'runs' } });
    }
  });

  it('the order is stable, also with thousands of equal scores', async () => {
    for (const query of ['cache enabled staging', 'is it enabled in staging']) {
      const first = contents(await app.memories.recall({ query, searchMode, namespace: 'runs' }));
      for (let nth = 0; nth < 12; nth += 1) {
        expect(contents(await app.memories.recall({ query, searchMode, namespace: 'runs' }))).toEqual(first);
      }
    }
  });
});

it('the exact text ranks before its correction, which comes next', async () => {
  const before = 'The MQTT broker listens on port 1883 in the plant';
  const after = 'The MQTT broker listens on port 8883 in the plant now, no longer on 1883';
  for (const content of [before, after]) await app.memories.save({ content, namespace: 'plant' });
  for (const searchMode of ['keyword', 'hybrid'] as const) {
    expect(contents(await app.memories.recall({ query: before, searchMode, namespace: 'plant', includeSuperseded: true }))).toEqual([
      before,
      after,
    ]);
    expect(contents(await app.memories.recall({ query: 'port of the MQTT broker', searchMode, namespace: 'plant' }))[0]).toBe(after);
  }
});

it('a text without words is found by itself', async () => {
  await app.memories.save({ content: '→ !!!', namespace: 'signs' });
  for (const searchMode of MODES) {
    const { results } = await app.memories.recall({ query: '→ !!!', searchMode, namespace: 'signs' });
    expect(results[0]).toMatchObject({ score: 1 });
  }
});
