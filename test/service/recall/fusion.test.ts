import { describe, expect, it } from 'vitest';
import {
  fuse,
  hybridScore,
  keywordScore,
  raiseCorrections,
  rankWithoutSameness,
  weightsBy,
  type Found,
  type Fusion,
  type Ranked,
} from '../../../src/service/recall/fusion.ts';
import type { Features } from '../../../src/service/recall/ranking.ts';

const NOTHING = { matches: [], proximity: 0, early: 0, negation: 0, answer: 0 };

function found(id: string, bm25: number, more: { cosine?: number; meant?: number; coverage?: number; recency?: number } = {}): Found {
  const features: Features = { ...NOTHING, id, bm25, plainBm25: bm25, coverage: more.coverage ?? (bm25 > 0 ? 1 : 0) };
  return {
    features,
    ...(more.cosine === undefined ? {} : { cosine: more.cosine }),
    ...(more.meant === undefined ? {} : { meant: more.meant }),
    priors: more.recency === undefined ? {} : { recency: more.recency },
    createdAt: 0,
  };
}

const WEIGHTS: Fusion = { weights: { vector: 0.7, keyword: 0.3 }, kind: 'semantic', scale: 1 };
const near = (value: number): number => expect.closeTo(value, 9) as number;
const ids = (ranked: readonly { id: string }[]): string => ranked.map(({ id }) => id).join('');

describe('the order of search results', () => {
  const all = [found('a', 2, { cosine: 0.9 }), found('b', 8), found('c', 0, { cosine: 0.5 })];

  it('uses word meanings if the words say little', () => {
    const lexical: Fusion = { weights: { vector: 0.1, keyword: 0.9 }, kind: 'lexical', scale: 1 };
    const unsure = [found('a', 0.2, { coverage: 0.1 }), found('b', 0, { meant: 0.5 }), found('c', 0, { meant: 0.2 })];
    expect(ids(fuse('hybrid', unsure, lexical))).toBe('bac');
    const sure = [found('a', 40, { meant: 0.1 }), found('b', 10, { coverage: 0.3, meant: 0.6 })];
    expect(ids(fuse('hybrid', sure, lexical))).toBe('ab');
  });

  it('follows cosine in vector mode, words in keyword mode, and both in a hybrid search', () => {
    expect(ids(fuse('vector', all, WEIGHTS))).toBe('acb');
    expect(ids(fuse('keyword', all, WEIGHTS))).toBe('bac');
    expect(ids(fuse('hybrid', all, { ...WEIGHTS, weights: { vector: 0.95, keyword: 0.05 } }))).toBe('abc');
    expect(ids(fuse('hybrid', all, WEIGHTS))).toBe('bac');
  });

  it('puts the later created of equals first, then the later id', () => {
    const [older, newer] = [found('b', 3), { ...found('a', 3), createdAt: 1 }];
    for (const both of [
      [older, newer],
      [newer, older],
    ])
      expect(ids(fuse('keyword', both, WEIGHTS))).toBe('ab');
    const [first, second] = [found('a', 3), found('b', 3)];
    for (const both of [
      [first, second],
      [second, first],
    ])
      expect(ids(fuse('keyword', both, WEIGHTS))).toBe('ba');
  });

  it('puts the exact text first, then equal ones, then containing ones', () => {
    const all: Found[] = [
      found('a', 90, { cosine: 1, recency: 1 }),
      { ...found('b', 1), sameness: 'phrase' },
      { ...found('c', 1), sameness: 'equal' },
      { ...found('d', 1), sameness: 'identical' },
    ];
    for (const mode of ['vector', 'keyword', 'hybrid'] as const) {
      const ranked = fuse(mode, all, WEIGHTS);
      expect(ids(ranked)).toBe('dcba');
      expect(ranked.map(({ score }) => score === 1)).toEqual([true, true, false, false]);
      expect(ranked.map(({ parts }) => [parts['equal'], parts['phrase']])).toEqual([
        [30, undefined],
        [20, undefined],
        [undefined, 10],
        [undefined, undefined],
      ]);
      for (const hit of ranked)
        expect(rankWithoutSameness(hit)).toBeCloseTo(hit.rankValue - (hit.parts['equal'] ?? hit.parts['phrase'] ?? 0), 9);
    }
  });

  it('lets a hit of one leg win', () => {
    expect(ids(fuse('hybrid', [found('a', 1, { cosine: 0.1 }), found('b', 9)], WEIGHTS))).toBe('ba');
    expect(ids(fuse('hybrid', [found('a', 1, { cosine: 0.1 }), found('b', 0, { cosine: 0.9 })], WEIGHTS))).toBe('ba');
  });

  it('treats a missing vector like the farthest one', () => {
    const [near, far, pending] = [found('a', 1, { cosine: 0.9 }), found('b', 1, { cosine: 0.6 }), found('c', 4)];
    const ranked = fuse('hybrid', [near, far, pending], WEIGHTS);
    const part = (id: string): number => ranked.find((hit) => hit.id === id)!.parts['vector']!;
    expect(part('c')).toBe(part('b'));
    expect(ranked.find(({ id }) => id === 'c')!.scores.vector).toBeUndefined();
    expect(fuse('hybrid', [found('a', 3), found('b', 1)], WEIGHTS).every(({ rankValue }) => Number.isFinite(rankValue))).toBe(true);
  });

  it('weighs words by how well they answer, with the configured weights in the middle', () => {
    const weights = { vector: 0.7, keyword: 0.3 };
    expect(weightsBy(0.25, weights).vector).toBeCloseTo(0.7, 9);
    expect(weightsBy(0, weights).vector).toBeCloseTo(0.9, 2);
    expect(weightsBy(1, weights).vector).toBeCloseTo(0.1, 2);
    for (const x of [0, 0.3, 0.7, 1]) {
      expect(weightsBy(x, { vector: 1, keyword: 0 })).toEqual({ vector: 1, keyword: 0 });
      expect(weightsBy(x, { vector: 0, keyword: 1 })).toEqual({ vector: 0, keyword: 1 });
      const { vector, keyword } = weightsBy(x, weights);
      expect(vector + keyword).toBeCloseTo(1, 9);
    }
  });

  it('rates opposite vectors like unrelated ones, but orders them in vector mode', () => {
    const opposite = [found('a', 0, { cosine: -0.5 }), found('b', 0, { cosine: -0.1 })];
    expect(ids(fuse('vector', opposite, WEIGHTS))).toBe('ba');
    expect(fuse('vector', opposite, WEIGHTS).map(({ score }) => score)).toEqual([0, 0]);
    expect(fuse('hybrid', opposite, WEIGHTS).map(({ rankValue }) => rankValue)).toEqual([0, 0]);
  });

  it('has parts that add up to the rank', () => {
    for (const mode of ['vector', 'keyword', 'hybrid'] as const) {
      for (const { parts, rankValue } of fuse(mode, [found('a', 3, { cosine: 0.4, recency: 0.1 }), found('b', 5)], WEIGHTS)) {
        expect(Object.values(parts).reduce((sum, part) => sum + part, 0)).toBeCloseTo(rankValue, 9);
      }
    }
  });

  it('scales words to the best and meaning to the nearest, by their weights', () => {
    const best = found('a', 4, { cosine: 0.8, recency: 0.1 });
    const all: Found[] = [
      { ...best, features: { ...best.features, proximity: 0.4, early: 0.2, negation: 1 }, priors: { recency: 0.1, importance: 0.2 } },
      found('b', 2, { cosine: 0.6 }),
    ];
    const rank = 1 + 0.5 * 0.4 + 0.35 * 0.2 + 0.15;
    const { vector, keyword } = weightsBy(keywordScore(best.features, 1), WEIGHTS.weights);
    const [first, second] = fuse('hybrid', all, WEIGHTS);
    expect(first!.parts).toEqual({
      vector,
      bm25: near(keyword / rank),
      proximity: near((keyword * 0.5 * 0.4) / rank),
      early: near((keyword * 0.35 * 0.2) / rank),
      negation: near((keyword * 0.15) / rank),
      recency: near(keyword * 0.1),
      importance: near(keyword * 0.2),
    });
    expect(second!.parts).toMatchObject({ vector: near((vector * 0.6) / 0.8), bm25: near(keyword / 2 / rank) });
    const [byWords] = fuse('keyword', all, WEIGHTS);
    expect(byWords!.parts).toMatchObject({ bm25: near(1 / rank), recency: 0.1, importance: 0.2 });
    expect(byWords!.parts).not.toHaveProperty('vector');
    expect(fuse('vector', all, WEIGHTS).map(({ parts }) => parts)).toEqual([{ vector: 0.8 }, { vector: 0.6 }]);
  });

  it('does not treat a far nearest entry as a full match', () => {
    const [hit] = fuse('hybrid', [found('a', 0, { cosine: 0.2 })], { ...WEIGHTS, weights: { vector: 1, keyword: 0 } });
    expect(hit!.rankValue).toBeCloseTo(0.4, 9);
  });

  it('applies a prior between equally good entries, but not in vector mode', () => {
    const same = [found('b', 3, { cosine: 0.4 }), found('a', 3, { cosine: 0.4, recency: 0.1 })];
    expect(ids(fuse('hybrid', same, WEIGHTS))).toBe('ab');
    expect(ids(fuse('keyword', same, WEIGHTS))).toBe('ab');
    expect(ids(fuse('vector', same, WEIGHTS))).toBe('ba');
  });
});

describe('the score of a result', () => {
  it('is independent of other results', () => {
    const alone = fuse('hybrid', [found('a', 4, { cosine: 0.5 })], WEIGHTS)[0]!;
    const among = fuse('hybrid', [found('a', 4, { cosine: 0.5 }), found('b', 40, { cosine: 0.9 })], WEIGHTS).find(({ id }) => id === 'a')!;
    expect(among.score).toBe(alone.score);
    expect(alone.scores.keyword).toBeCloseTo(keywordScore(found('a', 4).features, 1), 5);
  });

  it('is that of the surer leg in a hybrid search, whatever the weights', () => {
    const [hit] = fuse('hybrid', [found('a', 4, { cosine: 0.5 })], WEIGHTS);
    expect(hit!.score).toBeCloseTo(Math.max(0.8 * hit!.scores.vector!, hit!.scores.keyword!), 5);
    const [other] = fuse('hybrid', [found('a', 4, { cosine: 0.5 })], { ...WEIGHTS, weights: { vector: 0.1, keyword: 0.9 } });
    expect(other!.score).toBe(hit!.score);
    expect(hybridScore({ cosine: 0.9, words: 0.1 }, 'semantic')).toBeCloseTo(0.72, 9);
    expect(hybridScore({ cosine: 0.9, words: 0.1 }, 'lexical')).toBeCloseTo(0.18, 9);
  });

  it.each<[Fusion['kind'], 'vector' | 'keyword' | 'hybrid', Partial<Found>, Pick<Ranked, 'scores'> & { score: number }]>([
    ['lexical', 'vector', { cosine: 0.5 }, { score: 0.5, scores: { vector: 0.5 } }],
    ['lexical', 'vector', {}, { score: 0, scores: {} }],
    ['lexical', 'vector', { sameness: 'phrase' }, { score: 0.8, scores: { keyword: 0.8 } }],
    ['lexical', 'vector', { sameness: 'phrase', cosine: 0.5 }, { score: 0.5, scores: { vector: 0.5 } }],
    ['lexical', 'keyword', { cosine: 0.5 }, { score: 0.8, scores: { keyword: 0.8 } }],
    ['lexical', 'hybrid', { cosine: 0.5 }, { score: 0.77, scores: { vector: 0.5, keyword: 0.8 } }],
    ['lexical', 'hybrid', {}, { score: 0.72, scores: { keyword: 0.8 } }],
    ['lexical', 'hybrid', { sameness: 'phrase' }, { score: 0.8, scores: { keyword: 0.8 } }],
    ['lexical', 'hybrid', { sameness: 'phrase', cosine: 0.5 }, { score: 0.77, scores: { vector: 0.5, keyword: 0.8 } }],
    ['semantic', 'hybrid', { cosine: 1.0000002 }, { score: 0.8, scores: { vector: 1, keyword: 0.8 } }],
    ['semantic', 'hybrid', { sameness: 'equal', cosine: 0.9 }, { score: 1, scores: { vector: 0.9, keyword: 0.8 } }],
  ])('with %s vectors in %s mode, of %j, is made of what that mode compares', (kind, mode, more, expected) => {
    // Full coverage at this BM25 scores 0.8.
    const bm25 = (10 * 0.64) / 0.36;
    const [hit] = fuse(mode, [{ ...found('a', bm25), ...more }], { ...WEIGHTS, kind });
    expect({ score: hit!.score, scores: hit!.scores }).toEqual(expected);
  });

  it('is that of the vector in vector mode, even with weight 0', () => {
    const [hit] = fuse('vector', [found('a', 4, { cosine: 0.5 })], { ...WEIGHTS, weights: { vector: 0, keyword: 1 } });
    expect(hit!.score).toBe(0.5);
  });

  it('ignores words that an entry lacks', () => {
    for (const mode of ['keyword', 'hybrid'] as const) expect(fuse(mode, [found('a', 0)], WEIGHTS)[0]!.scores).toEqual({});
  });

  it('is that of the words if vectors have weight 0', () => {
    const [hit] = fuse('hybrid', [found('a', 4, { cosine: 0.9 })], { ...WEIGHTS, weights: { vector: 0, keyword: 1 } });
    expect(hit!.score).toBe(hit!.scores.keyword);
  });

  it('by words is high with all words, and low with one common word', () => {
    expect(keywordScore({ ...found('a', 25).features, coverage: 1 }, 1)).toBeGreaterThan(0.8);
    expect(keywordScore({ ...found('a', 2).features, coverage: 0.2 }, 1)).toBeLessThan(0.2);
    expect(keywordScore(found('a', 0).features, 1)).toBe(0);
    expect(keywordScore(found('a', 1).features, 10)).toBeGreaterThan(keywordScore(found('a', 1).features, 1));
  });
});

describe('an entry that corrects another', () => {
  it('ranks right before it with at least its score, shown in the parts', () => {
    const ranked = fuse('keyword', [found('a', 9), found('b', 8), found('c', 4), found('d', 1)], WEIGHTS);
    const raised = raiseCorrections(ranked, new Map([['c', 'a']]));
    expect(ids(raised)).toBe('cabd');
    expect(raised[0]!.score).toBe(ranked[0]!.score);
    expect(Object.values(raised[0]!.parts).reduce((sum, part) => sum + part, 0)).toBeCloseTo(raised[0]!.rankValue, 9);
    expect(
      ids(
        raiseCorrections(
          ranked,
          new Map([
            ['b', 'a'],
            ['c', 'b'],
          ]),
        ),
      ),
    ).toBe('cbad');
    expect(ids(raiseCorrections(ranked, new Map()))).toBe('abcd');
  });

  it('ranks right after an exact match', () => {
    const ranked = fuse('keyword', [{ ...found('a', 9), sameness: 'identical' }, found('b', 8), found('c', 1)], WEIGHTS);
    const raised = raiseCorrections(ranked, new Map([['c', 'a']]));
    expect(ids(raised)).toBe('acb');
    expect(raised.map(({ score }) => score)).toEqual([1, 0.999, ranked[1]!.score]);
  });

  it('keeps its higher score', () => {
    const ranked = fuse('keyword', [found('a', 9, { coverage: 0.1, recency: 0.9 }), found('b', 8)], WEIGHTS);
    expect(ids(ranked)).toBe('ab');
    expect(raiseCorrections(ranked, new Map([['b', 'a']]))[0]).toMatchObject({ id: 'b', score: ranked[1]!.score });
  });

  it('has no effect if only one of the two was found', () => {
    const ranked = fuse('keyword', [found('a', 9), found('b', 8)], WEIGHTS);
    expect(
      raiseCorrections(
        ranked,
        new Map([
          ['x', 'a'],
          ['b', 'x'],
          ['z', 'y'],
        ]),
      ),
    ).toEqual(ranked);
  });
});
