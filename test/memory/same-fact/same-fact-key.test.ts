import { readFileSync } from 'node:fs';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { differenceOf } from '../../../src/memory/same-fact/same-fact.ts';
import { sameFactKey, sameFactSketch } from '../../../src/memory/same-fact/same-fact-key.ts';

interface Pair {
  readonly a: string;
  readonly b: string;
}

const pairs = readFileSync(new URL('../../eval/data/pairs.jsonl', import.meta.url), 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => JSON.parse(line) as Pair);
const word = fc.constantFrom(
  ...'deploy Deploy authentication authentciation recommended recomended the is not in 5 1,000 1000 v2 s seconds three 3 May March 03-04 4 2027 will colour color favourites favorites cannot a/b.ts fooBar --dry-run , . ? #'.split(
    ' ',
  ),
  '\n',
);
const text = fc.array(word, { maxLength: 12 }).map((words) => words.join(' '));

describe('the key of a fact', () => {
  it('is equal for every labelled pair without a difference', () => {
    const same = pairs.filter(({ a, b }) => differenceOf(a, b) === undefined);
    expect(same.length).toBeGreaterThan(20);
    expect(same.filter(({ a, b }) => sameFactKey(a) !== sameFactKey(b))).toEqual([]);
    expect(same.filter(({ a, b }) => sameFactSketch(a) !== sameFactSketch(b))).toEqual([]);
  });

  it('is equal for few of the different pairs', () => {
    const different = pairs.filter(({ a, b }) => differenceOf(a, b) !== undefined);
    const shared = different.filter(({ a, b }) => sameFactKey(a) === sameFactKey(b));
    expect(shared.length).toBeLessThan(different.length / 5);
  });

  it('is equal for any two texts that differ only in form', () => {
    fc.assert(
      fc.property(text, text, fc.boolean(), (one, other, turned) => {
        const [a, b] = turned ? [one, one.toUpperCase()] : [one, other];
        if (differenceOf(a, b) !== undefined) return;
        expect(sameFactKey(a)).toBe(sameFactKey(b));
        expect(sameFactSketch(a)).toBe(sameFactSketch(b));
      }),
      { numRuns: 2000 },
    );
  });
});
