import { describe, expect, it } from 'vitest';
import { amount, byteSize, duration, facts, oneLine, printable, table } from '../../src/cli/print/output.ts';
import { textWidth } from '../../src/cli/print/text-width.ts';

describe('table', () => {
  const columns = [{ title: 'ID' }, { title: 'TAGS', shrinkTo: 4 }, { title: 'CONTENT', shrinkTo: 8 }];
  const rows = [
    ['0001', 'alpha, beta, gamma', 'A long line of text that would not fit into a narrow terminal'],
    ['0002', '', '日本語のテキスト'],
  ];

  it('aligns columns', () => {
    expect(
      table(
        [{ title: 'A' }, { title: 'B' }],
        [
          ['1', 'x'],
          ['22', 'y'],
        ],
        undefined,
      ),
    ).toBe('A   B\n1   x\n22  y');
  });

  it('fits the width of the terminal, and never cuts fixed columns', () => {
    const lines = table(columns, rows, 40).split('\n');
    for (const line of lines) expect(textWidth(line)).toBeLessThanOrEqual(40);
    expect(lines[1]).toMatch(/^0001 .*…$/);
  });

  it('aligns numbers to the right', () => {
    expect(
      table(
        [{ title: 'N', align: 'right' }, { title: 'X' }],
        [
          ['5', 'a'],
          ['120', 'b'],
        ],
        undefined,
      ),
    ).toBe('  N  X\n  5  a\n120  b');
  });

  it('keeps a cell on one line', () => {
    expect(table([{ title: 'A' }], [['one\n two\tthree']], undefined)).toBe('A\none two three');
  });
});

describe('facts', () => {
  it('leaves out fields without a value', () => {
    expect(
      facts([
        ['A', '1'],
        ['Long', undefined],
        ['Bc', '2'],
      ]),
    ).toBe('A   1\nBc  2');
  });
});

describe('printable', () => {
  it('escapes terminal control characters and keeps line breaks', () => {
    expect(printable('a\u001b[31mred\u0007\nb\tc\u202e')).toBe('a\ufffd[31mred\ufffd\nb\tc\ufffd');
    expect(oneLine('  a \r\n b\u001b ')).toBe('a b\ufffd');
  });
});

describe('units', () => {
  it.each([
    [0, '0 bytes'],
    [1023, '1023 bytes'],
    [1024, '1.0 KB'],
    [5.5 * 1024 ** 2, '5.5 MB'],
    [3 * 1024 ** 4, '3.0 TB'],
  ])('shows %d bytes as %s', (bytes, expected) => {
    expect(byteSize(bytes)).toBe(expected);
  });

  it.each([
    [400, '0 s'],
    [61_000, '1 min 1 s'],
    [3_600_000, '1 h 0 min'],
    [26 * 3_600_000, '1 d 2 h'],
  ])('shows %d ms as %s', (ms, expected) => {
    expect(duration(ms)).toBe(expected);
  });

  it('counts in words', () => {
    expect([0, 1, 1204].map((count) => amount(count, 'entry', 'entries'))).toEqual(['0 entries', '1 entry', '1,204 entries']);
  });
});
