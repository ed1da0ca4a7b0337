import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { isPersonal } from '../../../src/memory/capture/capture-person.ts';

interface Labelled {
  readonly held: boolean;
  readonly scope: 'person' | 'project';
  readonly text: string;
}

const lines = readFileSync(new URL('../../eval/data/preferences.jsonl', import.meta.url), 'utf8')
  .trimEnd()
  .split('\n');
const labelled = lines.map((line) => JSON.parse(line) as Labelled);

it.each([
  ['tuned on', false],
  ['held out', true],
])('of the labelled preferences, %s, personal ones are distinguished from those of a project', (_name, isHeld) => {
  const own = labelled.filter(({ held }) => held === isHeld);
  const found = own.filter(({ text }) => isPersonal(text));
  expect(found.filter(({ scope }) => scope === 'project')).toEqual([]);
  expect(found.length).toBeGreaterThanOrEqual(0.9 * own.filter(({ scope }) => scope === 'person').length);
});

it.each([
  'Use pnpm here, never npm.',
  'We prefer small pull requests.',
  'I prefer Postgres for the ledger.',
  'I like `src/server` as it is.',
  '我们更喜欢短函数。',
])('belongs to the project: %s', (text) => expect(isPersonal(text)).toBe(false));
