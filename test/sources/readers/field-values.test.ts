import { describe, expect, it } from 'vitest';
import { instantOf, tagsOf, textsOf } from '../../../src/sources/readers/field-values.ts';
import { Findings } from '../../../src/sources/readers/findings.ts';

describe('a date', () => {
  it.each([
    ['2024-05-01', '2024-05-01T00:00:00.000Z'],
    ['2024/5/1', '2024-05-01T00:00:00.000Z'],
    ['2024-05', '2024-05-01T00:00:00.000Z'],
    ['2024-05-01 10:30', '2024-05-01T10:30:00.000Z'],
    ['2024-05-01T10:30:15.123456-07:00', '2024-05-01T17:30:15.123Z'],
    ['2024-05-01 10:30:15 +0200', '2024-05-01T08:30:15.000Z'],
    ['2024-05-01 10:30:15 UTC', '2024-05-01T10:30:15.000Z'],
    ['Fri, 26 Jul 2024 10:29:36 GMT', '2024-07-26T10:29:36.000Z'],
    ['May 1, 2024', '2024-05-01T00:00:00.000Z'],
    [1_714_557_600, '2024-05-01T10:00:00.000Z'],
    [1_714_557_600_123, '2024-05-01T10:00:00.123Z'],
    ['1714557600', '2024-05-01T10:00:00.000Z'],
  ])('%j is %s', (value, instant) => {
    expect(instantOf(value)).toBe(instant);
  });

  it.each([
    '',
    ' ',
    'yesterday',
    '01/02/2024',
    '2024',
    '2024-13-01',
    '2024-02-40',
    'May',
    '17',
    17,
    1e300,
    null,
    undefined,
    {},
    [],
    true,
    '9'.repeat(400),
  ])('%j is not a date', (value) => {
    expect(instantOf(value)).toBeUndefined();
  });
});

it('a list may be a list, JSON or separated text', () => {
  expect(textsOf(['a', 1, null, {}, ''])).toEqual(['a', '1']);
  expect(textsOf('["a","b"]')).toEqual(['a', 'b']);
  expect(textsOf('a;b')).toEqual(['a', 'b']);
  for (const nothing of [undefined, null, {}, '', true]) expect(textsOf(nothing)).toEqual([]);
});

it('invalid tags are dropped and reported', () => {
  const findings = new Findings();
  const many = Array.from({ length: 70 }, (_, nth) => `t${nth}`);
  expect(tagsOf(['x'.repeat(129), 'a\u0007b', '  #ok ', 'ok', '##', ...many], findings)).toEqual(['ok', ...many.slice(0, 63)]);
  expect(findings.leftOut.map(({ count }) => count)).toEqual([2, 7]);
  expect(tagsOf([], findings)).toBeUndefined();
});
