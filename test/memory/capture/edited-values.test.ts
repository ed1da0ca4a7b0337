import { expect, it } from 'vitest';
import { editsOf, namesValue, replacesTrace, traceOf, valueOf } from '../../../src/memory/capture/edited-values.ts';

it.each([
  ['a number', '-export const ALARM = 10;\n+export const ALARM = 5;', [{ before: ['10'], after: ['5'] }]],
  ['a word', '-weekday = "wed"\n+weekday = "tue"', [{ before: ['wed'], after: ['tue'] }]],
  [
    'two values of one patch',
    '*** Update File: a.ts\n@@\n-limit: 10\n+limit: 20\n keep\n-days: 3\n+days: 7\n*** End Patch',
    [
      { before: ['10'], after: ['20'] },
      { before: ['3'], after: ['7'] },
    ],
  ],
  ['nothing of an edit that only adds', '-\n+export const LONG_SIDE = 1600;', []],
  ['nothing of one that rewrites', '-one two three four five six seven\n+eight nine ten eleven twelve thirteen fourteen', []],
  ['nothing of a path', '/srv/shop/load.ts', []],
])('an edit replaces %s', (_, patch, values) => {
  expect(editsOf(patch).flatMap((edit) => valueOf(edit) ?? [])).toEqual(values);
});

it.each([
  ['the number', 'make it 5 mites', '5'],
  ['the number without its scale in code', 'we got 2074.0 MHz assigned', '2_074_000_000'],
  ['milliseconds as seconds', 'baja a 45', '45_000'],
  ['a number in words', 'minus fourteen it is', '14'],
  ['a word that the code shortens', 'we publish on Tuesdays now', 'tue'],
])('a text names %s', (_, text, value) => {
  expect(namesValue(text, [value])).toBe(true);
});

it.each([
  ['a part of another number', '90 seconds', '9'],
  ['a part of a version', 'pin it to 1.9.24', '24'],
  ['another word', 'we publish on Tuesdays now', 'wed'],
])('a text does not name a value by %s', (_, text, value) => {
  expect(namesValue(text, [value])).toBe(false);
});

const wrote = (added: string, file = 'src/time.rs'): string[] => [traceOf({ file, removed: '', added }) ?? ''];

it.each([
  ['a whole line', '-pub const NIGHT: (u8, u8) = (22, 5);\n+pub const NIGHT: (u8, u8) = (22, 4);'],
  ['a part of a line', '-(22, 5)\n+(22, 4)'],
  ['more than the line', '-use std::time;\n-pub const NIGHT: (u8, u8) = (22, 5);\n+use std::time;'],
])('an edit replaces an earlier one by %s', (_, patch) => {
  const [edit] = editsOf(patch, 'src/time.rs');
  expect(replacesTrace(edit!, wrote('pub const NIGHT: (u8, u8) = (22, 5);'))).toBe(true);
});

it.each([
  ['the same text in another file', '-(22, 5)\n+(22, 4)', 'src/day.rs'],
  ['another value', '-(6, 12)\n+(6, 13)', 'src/time.rs'],
  ['a single word', '-const\n+static', 'src/time.rs'],
  ['nothing', '+pub const DAY: (u8, u8) = (6, 12);', 'src/time.rs'],
])('an edit does not replace an earlier one by %s', (_, patch, file) => {
  const [edit] = editsOf(patch, file);
  expect(replacesTrace(edit!, wrote('pub const NIGHT: (u8, u8) = (22, 5);'))).toBe(false);
});

it('records no trace of an edit that may contain a secret', () => {
  expect(traceOf({ file: 'src/mail.ts', removed: '', added: "const password = 'Tr0ub4dor&3x';" })).toBeUndefined();
});
