import { describe, expect, it } from 'vitest';
import { chosenBy, optionsIn } from '../../../src/memory/capture/capture-choices.ts';

const LIST = `Three ways come to mind for the queue:

1. Redis: quick, one more service.
2. A table in Postgres: slower, nothing to run.
3. SQS: managed, costs money.

Which one shall I take?`;
const LETTERS = `For the loss I see:\n(a) Quantile loss at 0.75.\n(b) A custom objective, more code.\n\nI would take (a).`;
const QUESTION = 'The solver is in. OR-Tools or a greedy heuristic for the routes?';

const INLINE = 'Two kinds exist: (a) an app that somebody maintains, or (b) the page, installed. Both work.';
const COMPARED = 'Dompdf is simple, but breaks small labels. Browsershot needs Node. Typst is one binary and quick.';
const TABLE = '| Store | Cost |\n| --- | --- |\n| S3 | 92 a month |\n| Backblaze B2 | 24 a month |\n\nWhich one?';
const EITHER = 'Either by the year and a running number, which is short, or by parish and day. For reading aloud the first is easier.';

const chosen = (answer: string, words: string): string | undefined => {
  const options = optionsIn(answer);
  return options === undefined ? undefined : chosenBy(options, words);
};

describe('an option chosen by a reply', () => {
  it.each([
    ['by its number', LIST, '2 please', 'A table in Postgres'],
    ['by its place', LIST, 'the second one, fewer things to run', 'A table in Postgres'],
    ['as the middle one', LIST, 'the middle one sounds grown up', 'A table in Postgres'],
    ['as the last one', LIST, 'then the last', 'SQS'],
    ['by its name', LIST, 'redis it is', 'Redis'],
    ['by its letter', LETTERS, 'Sold, (a).', 'Quantile loss at 0.75'],
    ['as an option with a letter', LETTERS, 'option b then', 'A custom objective'],
    ['as the former of a question', QUESTION, 'Ten minutes is nothing at night. The former.', 'OR-Tools'],
    [
      'of a sentence',
      'Two ways: a cron job, or a queue with a worker. A queue is one thing more to run.',
      'cron job then, nothing extra',
      'a cron job',
    ],
    ['by a number in words', LIST, 'number three speaks to me', 'SQS'],
    ['with a verb', LETTERS, 'I go with A, nobody argues about that', 'Quantile loss at 0.75'],
    ['within a sentence', INLINE, 'the second', 'the page, installed'],
    ['among sentences with a name each', COMPARED, "Node on this server, never. Let's try the last one.", 'Typst is one binary'],
    ['by a name among sentences', COMPARED, 'typst it is', 'Typst is one binary'],
    ['of a table', TABLE, 'fine, backblaze then', 'Backblaze B2: 24 a month'],
    ['after either', EITHER, 'The former, if it is all the same to you.', 'by the year and a running number'],
    [
      'at the beginning of a longer reply',
      LETTERS,
      'Oh, (b) then. I know, I know, but the estate has us sign that nothing goes to a cloud, and they have teeth.',
      'A custom objective',
    ],
    ['in German', LIST, 'dann die zweite', 'A table in Postgres'],
    ['in French', LIST, 'la deuxième, merci', 'A table in Postgres'],
    ['in Spanish', LIST, 'la segunda', 'A table in Postgres'],
  ])('is captured %s', (_, answer, words, option) => {
    expect(chosen(answer, words)).toContain(option);
    expect(chosen(answer, words)).toContain(words);
  });

  it('is captured with its subject and the rejected options', () => {
    expect(chosen(LIST, 'the second one')).toBe(
      'Agreed: Three ways come to mind for the queue: A table in Postgres: slower, nothing to run (not Redis, not SQS). the second one',
    );
  });

  it.each([
    ['refuses them all', 'neither of the first two'],
    ['asks', 'what does the second one cost?'],
    ['names two', 'the first and the third'],
    ['names two by number', '3 is cursed. number 1'],
    ['names none', 'hm, let me think about it'],
    ['says much more', `the second one is what we had in ${'the old service and it was slow '.repeat(4)}`],
  ])('is not captured from a reply that %s', (_, words) => {
    expect(chosen(LIST, words)).toBeUndefined();
  });

  it('is not captured from a list that offers nothing', () => {
    expect(optionsIn('What I did:\n- the index\n- the tests\n\nAll pass.')).toBeUndefined();
  });
});
