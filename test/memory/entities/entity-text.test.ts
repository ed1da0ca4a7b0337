import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { matchesNearSigns } from '../../../src/memory/entities/entity-text.ts';

describe('matches near a marker', () => {
  const text = fc
    .array(fc.constantFrom('ab', 'c', '.', '/', '-', '(', ' ', '\n', '\u00a0', 'é'), { maxLength: 40 })
    .map((parts) => parts.join(''));

  it('are those of the whole text around the marker', () => {
    const pattern = /(?<![\p{L}./])[a-z][a-z./]*(?:\/ [a-z]+)?/gu;
    const withSign = (matches: Iterable<RegExpExecArray>) =>
      [...matches].flatMap(({ 0: match, index }) => (match.includes('/') ? [[match, index]] : []));
    fc.assert(
      fc.property(text, (content) => {
        const found = matchesNearSigns(content, { sign: /\//g, pattern: new RegExp(pattern) });
        expect(withSign(found)).toEqual(withSign(content.matchAll(pattern)));
      }),
      { numRuns: 1000 },
    );
  });

  it('are searched once per range, so that markers without a match cost nothing more', () => {
    const content = `${'/ '.repeat(200_000)}a/b`;
    expect(matchesNearSigns(content, { sign: /\//g, pattern: /[a-z]+\/[a-z]+/g })).toHaveLength(1);
  });
});
