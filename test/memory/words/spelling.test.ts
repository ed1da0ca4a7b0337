import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { editDistance, isSpelled, respell } from '../../../src/memory/words/spelling.ts';
import { tokenize } from '../../../src/memory/words/tokens.ts';

const VOCABULARY =
  'configur polici ship deploy depend authent cach databas migrat retri timeout station kubernet slug compon compar leap'.split(' ');

/** What a typed word is taken for. */
const meant = (
  word: string,
  vocabulary: readonly string[] = VOCABULARY,
  frequency: (token: string) => number = () => 1,
): readonly string[] => respell({ word, token: tokenize(word)[0]! }, vocabulary, frequency);

/** The textbook matrix: insertion, deletion, replacement, and swap of neighbours that nothing else touches. */
function slowDistance(left: string, right: string): number {
  const rows: number[][] = [Array.from({ length: right.length + 1 }, (_, at) => at)];
  for (let i = 1; i <= left.length; i++) {
    const row = [i];
    for (let j = 1; j <= right.length; j++) {
      const wrong = left[i - 1] === right[j - 1] ? 0 : 1;
      let least = Math.min(rows[i - 1]![j]! + 1, row[j - 1]! + 1, rows[i - 1]![j - 1]! + wrong);
      if (i > 1 && j > 1 && left[i - 1] === right[j - 2] && left[i - 2] === right[j - 1]) least = Math.min(least, rows[i - 2]![j - 2]! + 1);
      row.push(least);
    }
    rows.push(row);
  }
  return rows[left.length]![right.length]!;
}

describe('the distance of two words', () => {
  it('equals the textbook definition for any two words of up to 31 letters', () => {
    const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c', 'ж', '語'), maxLength: 31 });
    fc.assert(
      fc.property(word, word, (left, right) => {
        expect(editDistance(left, right)).toBe(slowDistance(left, right));
      }),
      { numRuns: 500 },
    );
  });
});

describe('a misspelled word', () => {
  it.each([
    ['databse', 'databas'],
    ['migartion', 'migrat'],
    ['rertry', 'retri'],
    ['tiemout', 'timeout'],
    ['kuberntes', 'kubernet'],
    ['athentication', 'authent'],
    ['configration', 'configur'],
    ['polciy', 'polici'],
    ['statoin', 'station'],
    ['retyr', 'retri'],
  ])('%s matches the nearest word of the store', (word, token) => {
    expect(meant(word)).toEqual([token]);
  });

  it.each([
    ['configuraiton', 'configur'],
    ['deploymnet', 'deploy'],
    ['dependncy', 'depend'],
    ['cachign', 'cach'],
    ['shiping', 'ship'],
  ])('%s is understood even if the error is in a suffix', (word, token) => {
    expect(meant(word)).toEqual([token]);
  });

  it.each(['sluggish', 'company', 'ldap', 'zebra', 'abc', 'x'.repeat(40)])('%s matches no word', (word) => {
    expect(meant(word)).toEqual([]);
  });

  it('stands for the three most frequent of the equally near words', () => {
    const frequencies: Readonly<Record<string, number>> = { timer: 1, tiger: 4, tiber: 2, tiler: 3 };
    expect(meant('tizer', Object.keys(frequencies), (token) => frequencies[token] ?? 0)).toEqual(['tiger', 'tiler', 'tiber']);
  });

  it('is corrected only if it has letters only and a medium length', () => {
    expect(['caché', 'привет', 'retry'].every(isSpelled)).toBe(true);
    expect(['cat', 'v1.2.3', 'a'.repeat(32), 'foo_bar'].some(isSpelled)).toBe(false);
  });
});
