import { assert, boolean, property, string } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fuzzyMatch, wordsIn } from '../../web/src/shell/fuzzy.ts';

const marked = (typed: string, text: string, options?: { loose: boolean }): string | undefined => {
  const match = fuzzyMatch(typed, text, options);
  return match?.ranges.reduceRight((all, [from, to]) => `${all.slice(0, from)}[${all.slice(from, to)}]${all.slice(to)}`, text);
};

describe('a match', () => {
  it.each([
    ['arch', 'Open the archive', 'Open the [arch]ive'],
    ['arch', 'Search', 'Se[arch]'],
    ['open arch', 'Open the archive', '[Open] the [arch]ive'],
    ['ARCH', 'Tag architecture', 'Tag [arch]itecture'],
    ['über', 'Über alles', '[Über] alles'],
    ['api', 'Namespace kelpwright/api', 'Namespace kelpwright/[api]'],
  ])('of %s in %s marks the words', (typed, text, shown) => {
    expect(marked(typed, text)).toBe(shown);
  });

  it('needs every word', () => {
    expect(fuzzyMatch('open window', 'Open the archive')).toBeUndefined();
  });

  it('matches letters in order from the start of a word, if allowed', () => {
    expect(marked('ota', 'Open the archive', { loose: true })).toBe('[O]pen [t]he [a]rchive');
    expect(fuzzyMatch('ota', 'Open the archive')).toBeUndefined();
    expect(fuzzyMatch('pta', 'Open the archive', { loose: true })).toBeUndefined();
  });

  it('is better at the start of a text than of a word, and there better than inside', () => {
    const [first, word, inside] = ['archive', 'the archive', 'search'].map((text) => fuzzyMatch('arch', text)!.score);
    expect(first).toBeGreaterThan(word!);
    expect(word).toBeGreaterThan(inside!);
  });

  it('has consecutive ranges for any input', () => {
    assert(
      property(string(), string(), boolean(), (typed, text, loose) => {
        const ranges = [...(fuzzyMatch(typed, text, { loose })?.ranges ?? []), [text.length, text.length] as const];
        let done = 0;
        for (const [from, to] of ranges) {
          expect(from).toBeGreaterThanOrEqual(done);
          expect(to).toBeGreaterThanOrEqual(from);
          done = to;
        }
        expect(done).toBeLessThanOrEqual(text.length);
      }),
    );
  });
});

describe('words in a text found by other means', () => {
  it('are marked at the start of a word, without single letters', () => {
    expect(wordsIn('a retry hook', 'The retry of a webhook')).toEqual([[4, 9]]);
  });
});
