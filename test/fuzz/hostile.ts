/** What no schema asks for: values, texts and names that programs have tripped over. */
import * as fc from 'fast-check';
import { SQL } from '../input/kind.ts';
import { KINDS } from '../input/kinds.ts';

const KNOWN_FAULTS: readonly unknown[] = Object.values(KINDS).flatMap(({ refused, accepted }) => [
  ...Object.values(refused).map(([value]) => value),
  ...Object.values(accepted),
]);

const anyUnits = fc.string({ unit: fc.integer({ min: 0, max: 0xff_ff }).map((unit) => String.fromCodePoint(unit)), maxLength: 40 });

/** Any text at all: control characters, half characters, words of SQL, JavaScript and search engines, very long ones. */
export const hostileText: fc.Arbitrary<string> = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.string({ unit: 'grapheme', maxLength: 40 }),
  anyUnits,
  fc.constantFrom(
    '',
    ' ',
    '\0',
    'a\0b',
    '\n',
    '\u0085',
    '\u2028',
    '\ufeff',
    '\ufffd',
    '\ud800',
    'x\udfff',
    '\u202e',
    'ﬁ',
    'İ',
    'ß',
    'Å',
    'A\u030a',
    SQL,
    "'",
    "''",
    '"',
    '`',
    '\\',
    '\\u0000',
    '%',
    '_',
    '%%',
    '*',
    '?',
    '(',
    '((((',
    ')',
    '--',
    ';',
    '${7*7}',
    '{{7*7}}',
    '%s%n',
    '$ne',
    '__proto__',
    'constructor',
    'prototype',
    'toString',
    'hasOwnProperty',
    'null',
    'undefined',
    'NaN',
    '-0',
    '1e999',
    'true',
    '[]',
    '{}',
    'a AND b',
    'NOT',
    'field:value',
    '"a b"~2',
    'a^2',
    'a~',
    '[a TO b]',
    '+a -b',
    '..',
    '../../etc/passwd',
    '/dev/null',
    'file:///etc',
    '<script>alert(1)</script>',
    '<!--',
    ']]>',
    '\u001b[31m',
    '\r\nx-evil: 1',
    '🐟',
    '👩‍👩‍👧‍👦',
    '𝒳'.repeat(30),
  ),
  fc.constantFrom('x'.repeat(129), 'x'.repeat(257), 'é'.repeat(2049), 'x y '.repeat(3000), '\ud83d'.repeat(200), '('.repeat(2000)),
);

/** Numbers at the ends of what a format, a language or a column holds. */
export const hostileNumber: fc.Arbitrary<number> = fc.oneof(
  fc.constantFrom(-1, 0, -0, 1, 0.5, 1.5, -0.01, 1.01, 1e-7, 5e-324, 1e300, -1e300, 2 ** 31, 2 ** 32, 2 ** 53, 2 ** 53 + 2, 2 ** 63, 1e21),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.integer(),
);

/** Any value of JSON, with a liking for those that were refused before. */
export const hostileValue: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...KNOWN_FAULTS.filter((value) => value !== undefined)) },
  { weight: 2, arbitrary: hostileText },
  { weight: 2, arbitrary: hostileNumber },
  { weight: 2, arbitrary: fc.constantFrom<unknown>(null, true, false, [], {}, [null], [[]], { $ne: '' }, { length: 1 }, [{}]) },
  { weight: 1, arbitrary: fc.jsonValue({ depthSize: 'small', stringUnit: 'binary' }) },
  { weight: 1, arbitrary: fc.integer({ min: 2, max: 900 }).map(nested) },
);

function nested(depth: number): unknown {
  let value: unknown = depth;
  for (let level = 0; level < depth; level += 1) value = level % 2 === 0 ? [value] : { a: value };
  return value;
}

/** Names of fields that an object has without having been given any, and others that no schema names. */
export const hostileName: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    '__proto__',
    'constructor',
    'prototype',
    'toString',
    'valueOf',
    'hasOwnProperty',
    '__defineGetter__',
    'then',
    'length',
    '',
  ),
  hostileText,
);
