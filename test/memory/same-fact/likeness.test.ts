import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { comparedWith, likenessOf } from '../../../src/memory/same-fact/likeness.ts';

const LONG = 'The night ferry to the outer islands leaves from the old quay at dusk and carries mail, bread and bicycles in its hold.';

describe('the likeness of two texts', () => {
  it('is 1 for the same words in any punctuation and letter case', () => {
    expect(likenessOf(LONG, `**${LONG.toUpperCase().slice(0, 3).toLowerCase()}${LONG.slice(3)}**`)).toMatchObject({ similarity: 1 });
    expect(likenessOf('', '...')).toMatchObject({ similarity: 1, difference: undefined });
    expect(likenessOf('a'.repeat(200_001), 'a'.repeat(200_001))).toMatchObject({ similarity: 1 });
  });

  it('is slightly lower for other spellings, and lower for a replaced word than for an added one', () => {
    const [rewritten, added, replaced] = [
      likenessOf('keep 1,000 rows of each tenant', 'keep 1000 rows of each tenant'),
      likenessOf(LONG, `${LONG} Always.`),
      likenessOf(LONG, LONG.replace('bread', 'beer')),
    ];
    expect(rewritten).toEqual({ similarity: 0.9583, difference: undefined, telling: undefined });
    expect([added.difference, replaced.difference]).toEqual(['word', 'word']);
    expect([added.telling, replaced.telling]).toEqual([undefined, undefined]);
    expect(1 - replaced.similarity).toBeGreaterThan(5 * (1 - added.similarity));
  });

  it.each([
    ['number', `${LONG} 40 of them.`],
    ['negation', LONG.replace('carries', 'never carries')],
    ['name', LONG.replace('mail', 'Amara')],
    ['version', `${LONG} Since v2.1.`],
    ['path', `${LONG} See docs/ferry.md.`],
    ['question', LONG.replace('.', '?')],
    ['order of words', LONG.replace('bread and bicycles', 'bicycles and bread')],
    ['order of words', `${LONG.replace('bread and bicycles', 'bicycles and bread')} Always.`],
    ['code', `${LONG}\n\`\`\`\nferry --go\n\`\`\``],
  ])('treats a %s as a different fact', (telling, other) => {
    expect(likenessOf(LONG, other).telling).toBe(telling);
    expect(likenessOf(other, LONG).telling).toBe(telling);
  });

  it('reaches a threshold also if the extra word is a compound of several', () => {
    const [shorter, longer] = [`${LONG} See the docs.`, `${LONG} See the docs/ferry/timetable/winter.md docs.`];
    const { similarity } = likenessOf(shorter, longer);
    expect(comparedWith(shorter, similarity)(longer)).toMatchObject({ similarity, telling: 'path' });
    expect(comparedWith(longer, similarity)(shorter)).toMatchObject({ similarity, telling: 'path' });
  });

  it('is symmetric, between 0 and 1, and consistent with every threshold', () => {
    const word = fc.constantFrom(
      ...'deploy the gateway on Friday not 40 v2 src/a.ts 1,000 1000 is in staging, . ? ```'.split(' '),
      '\n',
      '部署',
    );
    const text = fc.array(word, { maxLength: 12 }).map((words) => words.join(' '));
    fc.assert(
      fc.property(text, text, fc.double({ min: 0, max: 1, noNaN: true }), (a, b, least) => {
        const likeness = likenessOf(a, b);
        expect(likenessOf(b, a)).toEqual(likeness);
        expect(likeness.similarity).toBeGreaterThanOrEqual(0);
        expect(likeness.similarity).toBeLessThanOrEqual(1);
        const found = comparedWith(a, least)(b);
        const isSure = likeness.difference === undefined && likeness.similarity >= least;
        expect(found ?? likeness).toEqual(likeness);
        expect(isSure && found === undefined).toBe(false);
      }),
    );
  });
});
