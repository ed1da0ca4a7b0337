import { describe, expect, it } from 'vitest';
import { outcomesIn } from '../../../src/memory/capture/capture-outcomes.ts';
import { statementsIn } from '../../../src/memory/capture/capture-statements.ts';

describe('statements of a user', () => {
  it.each([
    ['decision', 'We decided to use Postgres instead of MySQL.'],
    ['decision', "Let's go with tabs."],
    ['decision', 'From now on releases happen on Tuesdays.'],
    ['decision', 'We no longer support Node 18.'],
    ['preference', 'I prefer small functions.'],
    ['preference', 'Never commit to main.'],
    ['preference', "Don't use default exports."],
    ['fact', 'Remember that the staging key is in Vault.'],
    ['fact', 'Our API listens on port 8081.'],
    ['fact', 'The deploy needs about ten minutes.'],
  ])('are a %s: %s', (kind, text) => {
    expect(statementsIn(text)).toEqual([{ kind, text, paragraph: 0 }]);
  });

  it.each([
    'Fix the failing test in src/a.ts.',
    'Can you explain how the deploy works?',
    'Why do we use Postgres?',
    'Maybe we should use Postgres.',
    'If we decided to use Postgres, what would change?',
    "Let's see what happens.",
    'I want you to look at our tests.',
    'ok',
    'Run the tests again',
    'Should we always use UTC?',
  ])('are not in: %s', (text) => {
    expect(statementsIn(text)).toEqual([]);
  });

  it('keep the reason that follows, and leave the rest of the prompt', () => {
    const text = 'Fix the login. We decided to drop Redis. It was too slow for us. Then run the tests.';
    expect(statementsIn(text)).toEqual([{ kind: 'decision', text: 'We decided to drop Redis. It was too slow for us.', paragraph: 0 }]);
  });

  it('are not read from code or quotes', () => {
    expect(statementsIn('```\n// We decided to use Postgres here.\n```\n> We decided to use MySQL here.')).toEqual([]);
  });
});

describe('outcomes of an assistant', () => {
  it.each([
    ['fix', 'The root cause was a missing index on orders.'],
    ['fix', 'The build failed because the lock file was stale.'],
    ['decision', 'I chose Fastify over Express because it is faster.'],
    ['outcome', 'I have added retries to the upload handler.'],
    ['outcome', 'Renamed the column total to amount in all tables.'],
    ['fact', 'Note that the gateway reads its schema at start.'],
  ])('are a %s: %s', (kind, text) => {
    expect(outcomesIn(text)).toEqual([{ kind, text, paragraph: 0 }]);
  });

  it.each([
    'Let me look at the tests first.',
    "I'll add retries to the upload handler.",
    'Would you like me to add retries to the upload handler?',
    'It looks like the index might be missing on orders.',
    "You're absolutely right, that was wrong of me.",
    'Next I will rename the column in all tables.',
    'Done!',
  ])('are not in: %s', (text) => {
    expect(outcomesIn(text)).toEqual([]);
  });
});
