import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { otherValuesIn, type OtherValue } from '../../../src/memory/other-value/other-value.ts';

const Pair = z.object({ id: z.string(), label: z.enum(['told', 'other']), held: z.boolean(), older: z.string(), newer: z.string() });
const pairs = readFileSync(new URL('../../eval/data/changed-values.jsonl', import.meta.url), 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => Pair.parse(JSON.parse(line)));

const between = (newer: string, older: string): OtherValue | undefined => otherValuesIn(newer)(older);

/** Share of the pairs of one label that are told to differ. */
function shareTold(label: 'told' | 'other', held: boolean): number {
  const wanted = pairs.filter((pair) => pair.label === label && pair.held === held);
  return wanted.filter(({ newer, older }) => between(newer, older)?.differs !== undefined).length / wanted.length;
}

describe('differing values in two texts on one subject', () => {
  it.each([
    ['The backup starts at 04:00.', 'The backup starts at 05:00.', [{ here: '04:00', there: '05:00' }]],
    ['Squash commits before you merge.', 'Do not squash commits before you merge.', [{ here: '', there: 'Do not' }]],
    ['Telemetry is disabled by default.', 'Telemetry is enabled by default.', [{ here: 'disabled', there: 'enabled' }]],
    ['The backup starts at 04:00.', 'The backup starts at 05:00 and takes ten minutes.', [{ here: '04:00', there: '05:00' }]],
    ['Standup is at 9:30.', 'Standup is at 10:00.', [{ here: '9:30', there: '10:00' }]],
    ['Logs go to disk. The pool holds 25 connections.', 'The pool holds 10 connections.', [{ here: '25', there: '10' }]],
  ])('are found with both values: %s', (newer, older, differs) => {
    expect(between(newer, older)?.differs).toEqual(differs);
    expect(between(older, newer)?.differs).toEqual(differs.map(({ here, there }) => ({ here: there, there: here })));
  });

  it.each([
    ['The staging database runs Postgres 14.', 'The production database runs Postgres 16.'],
    ['Job alpha runs at 01:00 every night.', 'Job beta runs at 02:00 every night.'],
    ['Does the backup start at 04:00?', 'The backup starts at 05:00.'],
    ['The backup starts at 04:00.', 'Tabs are two spaces wide.'],
  ])('are not found between different subjects or in a question: %s', (newer, older) => {
    expect(between(newer, older)).toBeUndefined();
  });

  it('are found in at least nine in ten labelled pairs of one subject and at most one in twenty of two, also held-out ones', () => {
    for (const held of [false, true]) {
      expect(shareTold('told', held)).toBeGreaterThanOrEqual(0.9);
      expect(shareTold('other', held)).toBeLessThanOrEqual(0.05);
    }
  });
});

describe('a sentence contained in another text', () => {
  it('is found if it is at least half of the text', () => {
    const long = 'The API listens on port 8080. It is behind nginx, which ends TLS.';
    expect(between('The API listens on port 8080', long)).toEqual({ similarity: 1, repeats: ['The API listens on port 8080'] });
    expect(between('The API listens on port 8080. Ana runs it.', long)?.repeats).toEqual(['The API listens on port 8080.']);
    expect(between('The API listens on port 8080. Ana runs it. Tea is at four. Lunch is at noon.', long)).toBeUndefined();
  });
});
