import { describe, expect, it } from 'vitest';
import { statementsOfSession, type SessionStatements, type Turn } from '../../../src/memory/capture/capture-session.ts';

/** Lines of a talk: `>` a person, `<` the assistant; behind `---` is what is new. */
async function read(talk: string): Promise<SessionStatements> {
  const [before, now] = talk.includes('---') ? talk.split('---') : ['', talk];
  const read = (part: string | undefined, isNew: boolean): Turn[] =>
    (part ?? '')
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '')
      .map((line) => ({ by: line.startsWith('>') ? 'person' : 'assistant', text: line.slice(1).trim(), isNew }));
  return await statementsOfSession([...read(before, false), ...read(now, true)], { leastAnswer: 50, pause: () => Promise.resolve() });
}
const textsOf = async (talk: string): Promise<string[]> => (await read(talk)).statements.map(({ text }) => text);

describe('the turns of a session together', () => {
  it.each([
    [
      'English',
      '< I would move the thumbnails to a queue in Redis, because uploads then return at once. Shall I go ahead?\n> yes, do that',
      'Agreed: I would move the thumbnails to a queue in Redis, because uploads then return at once.',
    ],
    [
      'German',
      '< Ich schlage vor, pro Mandant ein Schema anzulegen. Passt das?\n> Ja, so machen wir es',
      'Einverstanden: Ich schlage vor, pro Mandant ein Schema anzulegen.',
    ],
    ['Chinese', '< 我建议把日志存到 Loki。可以吗？\n> 好的', '同意： 我建议把日志存到 Loki。'],
  ])('turn an accepted proposal into a decision, in %s', async (_, talk, text) => {
    expect((await read(talk)).statements).toMatchObject([{ kind: 'decision', text }]);
  });

  it.each([
    ['work that was asked for', '< I found an unused import. Should I remove it and run the tests?\n> yes please'],
    ['what was turned down', '< I suggest Elasticsearch in front of the product table.\n> no, not now'],
    [
      'a proposal that a later one took the place of',
      '< I suggest Kafka for the events of orders.\n> show me the code\n< Here it is.\n> ok',
    ],
  ])('capture nothing from %s', async (_, talk) => {
    expect(await textsOf(talk)).toEqual([]);
  });

  it('keep the condition of an agreement', async () => {
    expect(await textsOf('< I suggest Elasticsearch in front of the product table.\n> ok but not before May')).toEqual([
      'Agreed: I suggest Elasticsearch in front of the product table. ok but not before May',
    ]);
  });

  it('give a statement the subject of the previous turn, and the reason of the next', async () => {
    expect(await textsOf('< The client in `payments.ts` waits 30 seconds.\n> It should always be 8 seconds.')).toEqual([
      'The client in `payments.ts` waits 30 seconds. It should always be 8 seconds.',
    ]);
    expect(
      (await read('> We use pnpm instead of npm.\n< Understood.\n---\n> The reason is that npm hoists react twice.')).statements,
    ).toEqual([
      {
        kind: 'fact',
        text: 'We use pnpm instead of npm. The reason is that npm hoists react twice.',
        bare: 'We use pnpm instead of npm.',
      },
    ]);
  });

  it('retract the named statement, or the last one', async () => {
    const said = '> We store all money as integer cents.\n< Fine.\n> We decided to use Memcached for sessions.\n< Done.\n---\n';
    expect((await read(`${said}> forget Memcached`)).retracted).toEqual([{ text: 'We decided to use Memcached for sessions.' }]);
    expect((await read(`${said}> hm, scratch that`)).retracted).toEqual([{ text: 'We decided to use Memcached for sessions.' }]);
    expect((await read(`${said}> never mind the warning about Swift`)).retracted).toEqual([]);
    const instead = 'from now on forget what I said about the loudness, minus fourteen it is';
    expect((await read(`> ${instead}`)).retracted).toEqual([]);
  });

  it('identify the corrected statement, and keep its other parts', async () => {
    const { statements: kept, retracted } = await read(
      '> The index lives on host search-1. The cache lives on host cache-1.\n< Noted.\n---\n> Actually the cache lives on host cache-3.',
    );
    expect(retracted).toMatchObject([{ by: 'Actually the cache lives on host cache-3.' }]);
    expect(kept).toMatchObject([
      { text: 'The index lives on host search-1.', isRest: true },
      { text: 'Actually the cache lives on host cache-3.' },
    ]);
  });
});
