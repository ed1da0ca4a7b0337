import { describe, expect, it } from 'vitest';
import type { Hit } from '../../web/src/api/responses.ts';
import { searchTexts } from '../../web/src/search/texts.ts';
import type { Results } from '../../web/src/search/use-results.ts';
import { bestPart, markerFor, wordOfStem } from '../../web/src/search/marker.ts';
import { partsOf, scoredOf, sourcesOf } from '../../web/src/search/scored.ts';
import { containsQueryWord, isRelevant } from '../../web/src/search/weak-hits.ts';

const hit = (fields: Omit<Hit, 'entry'>, content = ''): Hit => ({ entry: { content, metadata: {} } as Hit['entry'], ...fields });

describe('the explanation of a score', () => {
  it('is empty for a listed memory', () => {
    expect(scoredOf(hit({}))).toBeUndefined();
  });

  it.each([
    ['an explained hit', 0.724, { recency: 0.001, early: 0.2, correction: -0.4, bm25: 0.9, vector: 0.333 }],
    ['a hit whose text is the query', 1, { equal: 30, bm25: 1, vector: 0.3 }],
    ['thirds', 0.5, { bm25: 1, vector: 1, tag: 1 }],
  ])('adds up to the score that is shown, by parts and by sources: %s', (_, score, parts) => {
    const rankValue = Object.values(parts).reduce((sum, part) => sum + part, 0);
    const shared = partsOf({ score, scores: {}, explanation: { rankValue, parts, filters: [] } });
    const sum = (of: typeof shared): number => of.reduce((total, { hundredths }) => total + hundredths, 0);
    expect(sum(shared)).toBe(Math.round(score * 100));
    expect(sum(sourcesOf(shared))).toBe(Math.round(score * 100));
    expect(shared.every(({ hundredths }) => hundredths !== 0)).toBe(true);
    const sizes = shared.map(({ hundredths }) => Math.abs(hundredths));
    expect(sizes).toEqual(sizes.toSorted((a, b) => b - a));
  });

  it('shows what lowered it', () => {
    const shared = partsOf({
      score: 0.5,
      scores: {},
      explanation: { rankValue: 0.5, parts: { bm25: 0.9, correction: -0.4 }, filters: [] },
    });
    expect(shared).toEqual([
      { name: 'bm25', source: 'words', hundredths: 90 },
      { name: 'correction', source: 'other', hundredths: -40 },
    ]);
  });

  it('is split by search leg without an explanation', () => {
    expect(partsOf({ score: 0.6, scores: { vector: 0.4, keyword: 0.6 } }).map(({ name, hundredths }) => [name, hundredths])).toEqual([
      ['bm25', 36],
      ['vector', 24],
    ]);
    expect(partsOf({ score: 0, scores: {} })).toEqual([]);
  });
});

describe('the number of results', () => {
  const results = {
    hits: Array.from({ length: 25 }, () => hit({ score: 1 })),
    query: 'tea',
    tookMs: 12,
    loading: false,
    hasMore: true,
    total: undefined,
    matches: undefined,
  } as unknown as Results;

  it.each([
    ['as many as were asked for, as long as nobody has counted', {}, 'Best 25 memories in 12 ms'],
    ['all, where no more came', { hasMore: false }, '25 memories in 12 ms'],
    ['all that a search by words finds', { total: 728, matches: 728 }, '728 memories in 12 ms'],
    ['all with the words, also beyond the results', { total: 1000, matches: 3412 }, '3,412 memories with these words in 12 ms'],
    ['those with the words, where others are only near', { total: 1000, matches: 728 }, '728 memories with these words in 12 ms'],
    ['the best, where there are no words to count', { total: 1000 }, 'Best 1,000 memories in 12 ms'],
    ['all, where a search by meaning comes to an end', { total: 90 }, '90 memories in 12 ms'],
  ] as const)('is %s', (_what, more, said) => {
    expect(searchTexts.found({ ...results, ...more })).toBe(said);
  });
});

describe('the excerpt in a list', () => {
  const marker = markerFor('lighthouse');
  const content = `${'Gulls circle. '.repeat(60)}The lighthouse is white. ${'Boats come and go. '.repeat(60)}`;
  const passageOf = (text: string) => {
    const start = content.indexOf(text);
    return { text, start, end: start + text.length };
  };

  it('is the best passage of the server, with ellipses', () => {
    expect(bestPart(hit({ passage: passageOf('The lighthouse is white.') }, content), marker)).toBe('… The lighthouse is white. …');
    expect(bestPart(hit({ passage: passageOf('Gulls circle.') }, content), marker)).toBe('Gulls circle. …');
  });

  it('starts near the first match of a long passage', () => {
    const text = content.slice(300, 1200);
    const part = bestPart(hit({ passage: passageOf(text) }, content), marker);
    expect(part).toMatch(/^… .{0,80}lighthouse/);
    expect(part.length).toBeLessThan(500);
    expect(part.endsWith('…')).toBe(true);
  });

  it('starts near a match below the visible lines', () => {
    const passage = { text: `${'gulls over the quay '.repeat(15)}and the lighthouse fails`, start: 900, end: 1224 };
    const part = bestPart(hit({ passage }, `${'x '.repeat(450)}${passage.text}`), markerFor('lighthouse'));
    expect(part.indexOf('lighthouse')).toBeLessThan(100);
  });

  it('is chosen by the page if the server has none', () => {
    expect(bestPart(hit({}, 'A short one'), marker)).toBe('A short one');
    expect(bestPart(hit({}, content), marker)).toContain('lighthouse');
  });
});

describe('marked words', () => {
  it('are those of the query and those that the server matched', () => {
    const marked = (text: string, also: string[]) =>
      markerFor(
        'k8s setup',
        also,
      )(text)
        .filter((piece) => piece.marked)
        .map((piece) => piece.text);
    expect(marked('The Kubernetes setup', [])).toEqual(['setup']);
    expect(marked('The Kubernetes setup', ['kubernet'])).toEqual(['Kubernetes', 'setup']);
  });
});

describe('a stem from the server', () => {
  it('is shown as the text spells it, or unchanged', () => {
    const spelled = wordOfStem('retry policy: Webhooks are retried');
    expect(['retri', 'webhook', 'kubernet'].map(spelled)).toEqual(['retry', 'webhooks', 'kubernet']);
  });
});

describe('a hit', () => {
  const keyword = (coverage: number, kind: 'exact' | 'related') => ({
    explanation: {
      rankValue: 1,
      parts: {},
      filters: [],
      keyword: { bm25: 1, coverage, missing: [], terms: [{ term: 'a', matched: 'a', kind, count: 1, idf: 1, bm25: 1 }] },
    },
  });

  it('is relevant by its score or by half of the content words', () => {
    expect(isRelevant(hit({ score: 0.3 }))).toBe(true);
    expect(isRelevant(hit({ score: 0.29, ...keyword(0.49, 'exact') }))).toBe(false);
    expect(isRelevant(hit({ score: 0.29, ...keyword(0.5, 'exact') }))).toBe(true);
    expect(isRelevant(hit({}))).toBe(true);
  });

  it('contains a query word in any form, but not one that is only related', () => {
    expect([
      containsQueryWord(hit(keyword(0.1, 'exact'))),
      containsQueryWord(hit(keyword(0.1, 'related'))),
      containsQueryWord(hit({})),
    ]).toEqual([true, false, false]);
  });
});
