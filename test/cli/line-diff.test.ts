import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lineDiff } from '../../src/cli/print/line-diff.ts';

describe('the lines that differ', () => {
  it('are shown with one line of context; longer unchanged parts are omitted', () => {
    expect(lineDiff('a\nb\nc\nd\ne\nf', 'a\nb\nc\nD\nd2\ne\nf')).toEqual(['…', '  c', '- d', '+ D', '+ d2', '  e', '…']);
    expect(lineDiff('one', 'two')).toEqual(['- one', '+ two']);
    expect(lineDiff('same', 'same')).toEqual([]);
    expect(lineDiff('a\nb', 'a\nb\nc')).toEqual(['…', '  b', '+ c']);
    expect(lineDiff('x\na\ny', 'a')).toEqual(['- x', '  a', '- y']);
    expect(lineDiff('a', 'a\n')).toEqual(['  a', '+ ']);
  });

  it('are minimal', () => {
    expect(lineDiff('a\nb\nc\na\nb\nb\na', 'c\nb\na\nb\na\nc').filter((line) => !line.startsWith('  '))).toHaveLength(5);
  });

  it('are both texts if little of a long text is left', () => {
    const [before, after] = ['old', 'new'].map((word) => Array.from({ length: 3000 }, (_, nth) => `${word} ${nth}`));
    const diff = lineDiff(['same', ...before!].join('\n'), ['same', ...after!].join('\n'));
    expect([diff.length, diff[0], diff[3001], diff[3002]]).toEqual([6002, '- same', '+ same', '+ new 0']);
  });

  it('are all old and all new lines if nothing is common', () => {
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
