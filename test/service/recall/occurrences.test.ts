import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isStopWord } from '../../../src/memory/words/tokens.ts';
import { TokenFinder } from '../../../src/service/recall/occurrences.ts';

describe('finding tokens in a search text', () => {
  it('equals splitting it, for any text', () => {
    const token = fc.constantFrom('port', 'ports', 'po', 'the', 'not', '検索', 'a_b', '👍', 'server');
    fc.assert(
      fc.property(fc.array(token, { maxLength: 30 }), fc.uniqueArray(token, { minLength: 1 }), (tokens, wanted) => {
        const { length, counts, places } = new TokenFinder(wanted).find(tokens.join(' '));
        expect(length).toBe(tokens.filter((one) => !isStopWord(one)).length);
        for (const [index, one] of wanted.entries()) {
          const at = tokens.flatMap((other, place) => (other === one ? [place] : []));
          expect([counts[index], places[index]]).toEqual([at.length, at]);
        }
      }),
    );
  });

  it('reads the start of a long text closely, and finds what is only at its end', () => {
    const text = `${'word other '.repeat(100_000)}walrus`;
    const { length, counts, places } = new TokenFinder(['walrus', 'word', 'seal']).find(text);
    expect(counts[0]).toBe(1);
    expect(counts[1]).toBeGreaterThan(1000);
    expect(counts[2]).toBe(0);
    expect(places[0]![0]).toBeGreaterThan(150_000);
    expect(Math.abs(length - 100_001)).toBeLessThan(2000);
  });
});
