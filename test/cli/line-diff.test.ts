import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lineDiff } from '../../src/cli/line-diff.ts';

describe('the lines that differ', () => {
  it('stand with one line around them, and more of it is left out', () => {
    expect(lineDiff('a\nb\nc\nd\ne\nf', 'a\nb\nc\nD\nd2\ne\nf')).toEqual(['…', '  c', '- d', '+ D', '+ d2', '  e', '…']);
    expect(lineDiff('one', 'two')).toEqual(['- one', '+ two']);
    expect(lineDiff('same', 'same')).toEqual([]);
    expect(lineDiff('a\nb', 'a\nb\nc')).toEqual(['…', '  b', '+ c']);
    expect(lineDiff('x\na\ny', 'a')).toEqual(['- x', '  a', '- y']);
  });

  it('are all of the old text and all of the new one, with nothing in between twice', () => {
    const text = fc.array(fc.constantFrom('a', 'b', 'c', ''), { minLength: 1, maxLength: 12 }).map((lines) => lines.join('\n'));
    fc.assert(
      fc.property(text, text, (before, after) => {
        const diff = lineDiff(before, after);
        const [gone, come] = ['-', '+'].map((sign) => diff.filter((line) => line.startsWith(`${sign} `)).length);
        expect(before.split('\n').length - gone!).toBe(after.split('\n').length - come!);
        expect(diff.length === 0).toBe(before === after);
      }),
    );
  });
});
