import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { subjectWeight } from '../../src/memory/words/prompt-purpose.ts';
import { queryTokens, tokenize } from '../../src/memory/words/tokens.ts';

const Line = z.strictObject({
  kind: z.enum(['name', 'word', 'value', 'abbr', 'lang', 'other', 'none']),
  fact: z.string().min(1).optional(),
  question: z.string().min(1).optional(),
  split: z.enum(['tune', 'held-out']).optional(),
});
const lines = readFileSync(new URL('data/other-words.jsonl', import.meta.url), 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => Line.parse(JSON.parse(line)));

describe('the questions in other words', () => {
  test('number at least 120 on at least 150 facts, and 60 without an answer', () => {
    expect(lines.filter(({ fact }) => fact !== undefined).length).toBeGreaterThanOrEqual(150);
    expect(lines.filter(({ fact, question }) => fact !== undefined && question !== undefined).length).toBeGreaterThanOrEqual(120);
    expect(lines.filter(({ kind }) => kind === 'none')).toHaveLength(60);
  });

  test('share no content word with their fact', () => {
    const sharing = lines.filter(({ fact = '', question = '' }) => {
      const said = new Set(tokenize(fact));
      return queryTokens(question).some((token) => said.has(token) && subjectWeight(token) > 0);
    });
    expect(sharing).toEqual([]);
  });
});
