import { describe, expect, it } from 'vitest';
import { tokenize } from '../../../src/memory/words/tokens.ts';
import { nearCopies, spread } from '../../../src/service/recall/near-copies.ts';

const TEXT = 'The nightly backup of the orders database runs at two and is copied to the second site before the office opens again';
const entries = (texts: readonly string[], namespaces: readonly string[] = []) =>
  texts.map((text, at) => ({ id: String(at), namespace: namespaces[at] ?? 'ns', stream: tokenize(text).join(' ') }));
const copies = (texts: readonly string[], asked: readonly string[] = [], namespaces: readonly string[] = []): number[] =>
  Array.from(nearCopies(entries(texts, namespaces), new Set(asked.flatMap(tokenize))));

const letters = (word: string): string[] => word.split('');

describe('near copies', () => {
  it('are entries of one namespace with nearly the same words', () => {
    expect(copies([TEXT, `${TEXT}, always`, 'Lunch is at noon', TEXT.replace('again', 'daily')])).toEqual([0, 0, 2, 0]);
    expect(copies([TEXT, TEXT], [], ['a', 'b'])).toEqual([0, 1]);
  });

  it.each([
    ['a number', TEXT.replace('two', '2'), TEXT.replace('two', '3')],
    ['an identifier', `${TEXT} see job_a`, `${TEXT} see job_b`],
    ['a negation', TEXT, TEXT.replace('is copied', 'is not copied')],
  ])('are not entries that differ in %s', (_, one, other) => {
    expect(copies([one, other])).toEqual([0, 1]);
  });

  it('are not entries that differ in a query word', () => {
    const [orders, invoices] = [TEXT, TEXT.replace('orders', 'invoices')];
    expect(copies([orders, invoices])).toEqual([0, 0]);
    expect(copies([orders, invoices], ['invoices backup'])).toEqual([0, 1]);
  });
});

describe('the first five results', () => {
  it('contain at most three near copies of one text if there are others; none is dropped', () => {
    expect(spread(letters('abcdexyz'), [0, 0, 0, 0, 0, 5, 6, 7])).toEqual(letters('abcxydez'));
  });

  it('contain more if there are no others', () => {
    expect(spread(letters('abcde'), [0, 0, 0, 0, 0])).toEqual(letters('abcde'));
    expect(spread(letters('abcdex'), [0, 0, 0, 0, 0, 5])).toEqual(letters('abcxde'));
  });

  it('are unchanged without four near copies', () => {
    expect(spread(letters('abcdef'), [0, 1, 0, 1, 0, 1])).toEqual(letters('abcdef'));
    expect(spread([], [])).toEqual([]);
  });
});
