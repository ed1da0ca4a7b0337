import { describe, expect, it } from 'vitest';
import { fuse } from '../../src/service/fusion.ts';
import type { Hit } from '../../web/src/api/forms.ts';
import { partsOf, vectorWeight } from '../../web/src/search/weights.ts';

const VECTOR = [
  { id: 'a', score: 0.8 },
  { id: 'b', score: 0.5 },
  { id: 'c', score: 0.2 },
];
const KEYWORD = [
  { id: 'b', score: 12 },
  { id: 'a', score: 3 },
];

/** Hits as a search with these weights gives them; only what the page reads of them. */
function hitsOf(weights: { vector: number; keyword: number }, legs = { vector: VECTOR, keyword: KEYWORD }): Hit[] {
  return fuse('hybrid', legs, weights).map(({ score, scores }) => ({ score, scores }) as Hit);
}

describe('the weight of the vector leg', () => {
  it.each([0.7, 0.3, 0.55])('%d is found again in the scores', (vector) => {
    expect(vectorWeight(hitsOf({ vector, keyword: 1 - vector }))).toBeCloseTo(vector, 4);
  });

  it('is found where both legs found every hit', () => {
    const legs = { vector: VECTOR.slice(0, 2), keyword: KEYWORD };
    expect(vectorWeight(hitsOf({ vector: 0.6, keyword: 0.4 }, legs))).toBeCloseTo(0.6, 4);
  });

  it('is all or nothing in a search by one leg', () => {
    const byVector = fuse('vector', { vector: VECTOR, keyword: [] }, { vector: 0.7, keyword: 0.3 });
    const byKeyword = fuse('keyword', { vector: [], keyword: KEYWORD }, { vector: 0.7, keyword: 0.3 });
    expect(vectorWeight(byVector as unknown as Hit[])).toBeCloseTo(1, 4);
    expect(vectorWeight(byKeyword as unknown as Hit[])).toBe(0);
  });

  it('is not claimed where the scores are no such sum', () => {
    const strange = [
      { score: 0.9, scores: { vector: 0.3 } },
      { score: 0.2, scores: { vector: 0.8 } },
    ];
    expect(vectorWeight(strange as unknown as Hit[])).toBeUndefined();
  });

  it('splits a score into parts that add up to it', () => {
    for (const hit of hitsOf({ vector: 0.3, keyword: 0.7 })) {
      const scored = { score: hit.score!, scores: hit.scores! };
      for (const weight of [0.3, undefined]) {
        const { vector, keyword } = partsOf(scored, weight);
        expect(vector + keyword).toBeCloseTo(scored.score, 6);
        expect(Math.min(vector, keyword)).toBeGreaterThanOrEqual(0);
      }
    }
  });
});
