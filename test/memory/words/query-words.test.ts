import { describe, expect, it } from 'vitest';
import { idf, readQuery, type QueryWords } from '../../../src/memory/words/query-words.ts';
import { tokenize } from '../../../src/memory/words/tokens.ts';
import { Lexicon } from '../../../src/store/memtable/lexicon.ts';

function vocabularyOf(texts: readonly string[]): Lexicon {
  const lexicon = new Lexicon();
  for (const text of texts) lexicon.add(tokenize(text).join(' '));
  return lexicon;
}

const WORDS = vocabularyOf([
  'The database password is in Vault',
  'Open a pull request for every change',
  'The retry policy of the fetch client waits twice',
  'Deploy on Tuesdays, never on Fridays',
  'The configuration of the timeout is 30 seconds',
  'rate and limit are two words',
]);

/** What an entry may hold for one word of a query: `token kind`. */
function alternatives(words: QueryWords, token: string): string[] {
  const term = words.terms.find((one) => one.token === token);
  return (term?.alternatives ?? []).map(({ tokens, kind }) => `${tokens.join(' ')} ${kind}`);
}

describe('a query', () => {
  it('asks for its telling words, each once, with what they weigh in the store', () => {
    const words = readQuery('where is the database password of the database', WORDS);
    expect(words.terms.map(({ token }) => token)).toEqual(['databas', 'password']);
    expect(words.terms[0]!.idf).toBeCloseTo(idf(1, 6));
    expect(words.weight).toBeCloseTo(2 * idf(1, 6));
  });

  it('finds a word by its other names, and a phrase by its short form', () => {
    expect(alternatives(readQuery('db', WORDS), 'db')).toEqual(['databas equivalent']);
    expect(alternatives(readQuery('how do I open a PR', WORDS), 'pr')).toEqual(['pull request equivalent']);
    const phrase = readQuery('version control pull request', vocabularyOf(['open a PR', 'pull the cord']));
    expect(alternatives(phrase, 'pull')).toEqual(['pull exact', 'pr equivalent']);
    expect(alternatives(phrase, 'request')).toEqual(['pr equivalent']);
  });

  it('takes a phrase only where the store holds all of its words', () => {
    expect(alternatives(readQuery('pr', vocabularyOf(['pull the cord'])), 'pr')).toEqual([]);
  });

  it('finds related words, for less', () => {
    const [, related] = readQuery('deploy', vocabularyOf(['deploy', 'the release train'])).terms[0]!.alternatives;
    expect(related).toMatchObject({ tokens: ['releas'], kind: 'related' });
    expect(related!.weight).toBeLessThan(0.5);
  });

  it('finds what belongs to the category that it names, for less than the word itself, and not where many entries hold it', () => {
    const [exact, member] = readQuery('database', vocabularyOf(['the database', 'orders live in Postgres'])).terms[0]!.alternatives;
    expect(exact).toMatchObject({ tokens: ['databas'], kind: 'exact', weight: 1 });
    expect(member).toMatchObject({ tokens: ['postgr'], kind: 'category' });
    expect(member!.weight).toBeLessThan(0.5);
    const everywhere = vocabularyOf(Array.from({ length: 40 }, (_, at) => `Postgres note${at}`));
    expect(readQuery('database', everywhere).terms[0]!.alternatives).toEqual([]);
  });

  it('corrects the spelling of words that no entry holds, and of no other', () => {
    expect(alternatives(readQuery('databse pasword', WORDS), 'databs')).toEqual(['databas spelling']);
    expect(alternatives(readQuery('fetchRetyrPolicy', WORDS), 'retyr')).toEqual(['retri spelling']);
    expect(alternatives(readQuery('timeot', vocabularyOf(['timeot', 'timeout'])), 'timeot')).toEqual(['timeot exact']);
    expect(alternatives(readQuery('charge', vocabularyOf(['change'])), 'charg')).toEqual([]);
  });

  it('does not look through the store for every word of a pasted log', () => {
    const log = Array.from({ length: 40 }, (_, at) => `unknown${'abcdefghij'.charAt(at % 10)}${'klmn'.charAt(at / 10)}`).join(' ');
    expect(alternatives(readQuery(`databse ${log}`, WORDS), 'databs')).toHaveLength(1);
    expect(alternatives(readQuery(`${log} databse`, WORDS), 'databs')).toEqual([]);
  });

  it('takes apart two words that were typed as one', () => {
    expect(alternatives(readQuery('ratelimit', WORDS), 'ratelimit')).toEqual(['rate limit spelling']);
  });

  it('weighs a word that no entry holds like the surest that stands for it, else like the rarest', () => {
    const [known, unknown] = [readQuery('databse', WORDS), readQuery('walrus', WORDS)];
    expect(known.weight).toBeCloseTo(idf(1, 6));
    expect(unknown.weight).toBeCloseTo(idf(0, 6));
    expect(unknown.terms[0]!.alternatives).toEqual([]);
  });

  it('asks an index for its own words first and for no stop words of a phrase', () => {
    const words = readQuery('logout', vocabularyOf(['sign out here', 'logout']));
    expect([words.tokens, words.relatedTokens]).toEqual([['logout'], ['sign']]);
    expect(readQuery('to be or not to be', WORDS).tokens).toEqual(['to', 'be', 'or', 'not']);
  });

  it('does not ask an index for related words that every other entry holds', () => {
    const many = vocabularyOf([...Array.from({ length: 300 }, (_, at) => `release ${at}`), 'deploy']);
    const words = readQuery('deploy', many);
    expect([words.tokens, words.relatedTokens]).toEqual([['deploi'], []]);
    expect(alternatives(words, 'deploi')).toContain('releas related');
  });

  it('does not ask an index for words that most entries of a large store hold, as long as they are a tenth of the query', () => {
    const large = vocabularyOf(Array.from({ length: 3000 }, (_, at) => `ticket ${at < 1500 ? 'harbour' : 'crane'} number${at}`));
    const asked = ({ tokens, commonTokens }: ReturnType<typeof readQuery>): unknown => [tokens, commonTokens];
    expect(asked(readQuery('ticket number7', large))).toEqual([['number7'], ['ticket']]);
    expect(asked(readQuery('ticket harbour', large))).toEqual([['harbour'], ['ticket']]);
    expect(asked(readQuery('harbour', large))).toEqual([['harbour'], []]);
    expect(readQuery('db databse', WORDS).commonTokens).toEqual([]);
  });

  it.each(['what must not be in a commit', "don't use", '不要 使用', 'nicht verwenden'])('knows that "%s" says no', (query) => {
    expect(readQuery(query, WORDS).negated).toBe(true);
  });

  it('has each switch of its weights turned off by 0', () => {
    const off = { exact: 1, equivalent: 0, category: 0, related: 0, spelling: 0 };
    expect(readQuery('db databse', WORDS, off).terms.flatMap((term) => term.alternatives)).toEqual([]);
  });

  it('is scaled up in a store of a few entries and not in one of hundreds', () => {
    expect(readQuery('tea', vocabularyOf(['tea'])).scale).toBeGreaterThan(10);
    expect(readQuery('tea', vocabularyOf(Array.from({ length: 200 }, (_, at) => `tea ${at}`))).scale).toBe(1);
    expect(readQuery('tea', vocabularyOf([])).terms).toHaveLength(1);
  });

  it('forgets what spelling knew of an entry that is gone', () => {
    const words = vocabularyOf(['the timeout']);
    expect(alternatives(readQuery('timeuot', words), 'timeuot')).toEqual(['timeout spelling']);
    words.remove(tokenize('the timeout').join(' '));
    expect(alternatives(readQuery('timeuot', words), 'timeuot')).toEqual([]);
  });
});
