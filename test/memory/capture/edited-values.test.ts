import { expect, it } from 'vitest';
import { editedValues } from '../../../src/memory/capture/edited-values.ts';

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
