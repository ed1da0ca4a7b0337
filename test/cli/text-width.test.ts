import { assert, integer, property, string } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fit, pad, textWidth, wrap } from '../../src/cli/print/text-width.ts';

describe('textWidth', () => {
  it.each([
    ['', 0],
    ['plain', 5],
    ['日本', 4],
    ['é', 1],
    ['e\u0301', 1],
    ['👩‍👩‍👧', 2],
    ['a\u200bb', 2],
  ])('counts the columns of %j', (text, columns) => {
    expect(textWidth(text)).toBe(columns);
  });
});

describe('fit', () => {
  it('leaves a fitting text unchanged', () => {
    expect(fit('short', 5)).toBe('short');
    expect(fit('日本', 4)).toBe('日本');
  });

  it('ends a cut text with an ellipsis and never splits a character', () => {
    expect(fit('longer', 5)).toBe('long…');
    expect(fit('日本語', 5)).toBe('日本…');
    expect(fit('日本語', 4)).toBe('日…');
  });

  it('never exceeds the given width', () => {
    assert(
      property(string({ unit: 'grapheme' }), integer({ min: 1, max: 40 }), (text, width) => {
        expect(textWidth(fit(text, width))).toBeLessThanOrEqual(width);
      }),
    );
  });
});

describe('pad', () => {
  it('pads by columns instead of characters', () => {
    expect(pad('日本', 6)).toBe('日本  ');
    expect(pad('toolong', 3)).toBe('toolong');
  });
});

describe('wrap', () => {
  it('breaks at blanks', () => {
    expect(wrap('one two three four', 9, 5)).toEqual(['one two', 'three', 'four']);
  });

  it('breaks a word wider than a line, and ends the last line with an ellipsis', () => {
    expect(wrap('abcdefghij', 4, 5)).toEqual(['abcd', 'efgh', 'ij']);
    expect(wrap('one two three four five', 9, 2)).toEqual(['one two', 'three fo…']);
  });

  it('keeps every line within the width', () => {
    assert(
      property(string({ unit: 'grapheme', maxLength: 200 }), integer({ min: 2, max: 40 }), (text, width) => {
        for (const line of wrap(text, width, 6)) expect(textWidth(line)).toBeLessThanOrEqual(width);
      }),
    );
  });
});
