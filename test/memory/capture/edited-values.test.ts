import { expect, it } from 'vitest';
import { editedValues, namesValue } from '../../../src/memory/capture/edited-values.ts';

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
  ['nothing of one that rewrites', '-one two three four five\n+six seven eight nine ten', []],
  ['nothing of a path', '/srv/shop/load.ts', []],
])('an edit replaces %s', (_, patch, values) => {
  expect(editedValues(patch)).toEqual(values);
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
