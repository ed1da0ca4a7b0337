import { describe, expect, it } from 'vitest';
import { asksGeneralKnowledge, namesSubject } from '../../../src/memory/words/prompt-purpose.ts';

describe('the purpose of a prompt', () => {
  it.each([
    'ok merge it',
    'run the formatter',
    'add a blank line at the end',
    'can you show me the diff of the last change?',
    'bump the patch version',
  ])('%j is a chore, which needs no memory', (prompt) => {
    expect(namesSubject(prompt)).toBe(false);
  });

  it.each([
    'draft the release notes for the player',
    'add a column `explicit` to the episodes table',
    'where do payouts happen?',
    'our test setup please',
    'can you look up who signs the contracts?',
  ])('%j names a subject', (prompt) => {
    expect(namesSubject(prompt)).toBe(true);
  });

  it.each(['what does volatile do in C', 'what time is it in Lisbon?', 'Guten Morgen, kurze Frage: Wie spät ist es in Tokio?'])(
    '%j asks for general knowledge',
    (prompt) => {
      expect(asksGeneralKnowledge(prompt)).toBe(true);
    },
  );

  it.each(['what time does the nightly job start?', 'what does the nightly job do?', 'was machen wir mit Mahnungen?'])(
    '%j asks about this project',
    (prompt) => {
      expect(asksGeneralKnowledge(prompt)).toBe(false);
    },
  );
});
