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
  it('has its content words once, with their weight in the store', () => {
    const words = readQuery('where is the database password of the database', WORDS);
    expect(words.terms.map(({ token }) => token)).toEqual(['databas', 'password']);
    expect(words.terms[0]!.idf).toBeCloseTo(idf(1, 6));
    expect(words.weight).toBeCloseTo(2 * idf(1, 6));
  });

  it('matches synonyms of a word, and a phrase by its abbreviation', () => {
    expect(alternatives(readQuery('db', WORDS), 'db')).toEqual(['databas equivalent']);
    expect(alternatives(readQuery('how do I open a PR', WORDS), 'pr')).toEqual(['pull request equivalent']);
    const phrase = readQuery('version control pull request', vocabularyOf(['open a PR', 'pull the cord']));
    expect(alternatives(phrase, 'pull')).toEqual(['pull exact', 'pr equivalent']);
    expect(alternatives(phrase, 'request')).toEqual(['pr equivalent']);
  });

  it('contains a phrase only if the store has all of its words', () => {
    expect(alternatives(readQuery('pr', vocabularyOf(['pull the cord'])), 'pr')).toEqual([]);
  });

  it('matches related words, at a lower weight', () => {
    const [, related] = readQuery('deploy', vocabularyOf(['deploy', 'the release train'])).terms[0]!.alternatives;
    expect(related).toMatchObject({ tokens: ['releas'], kind: 'related' });
    expect(related!.weight).toBeLessThan(0.5);
  });

  it('matches members of a category it names, at a lower weight, and not if many entries match', () => {
    const [exact, member] = readQuery('database', vocabularyOf(['the database', 'orders live in Postgres'])).terms[0]!.alternatives;
    expect(exact).toMatchObject({ tokens: ['databas'], kind: 'exact', weight: 1 });
    expect(member).toMatchObject({ tokens: ['postgr'], kind: 'category' });
    expect(member!.weight).toBeLessThan(0.5);
    const everywhere = vocabularyOf(Array.from({ length: 40 }, (_, at) => `Postgres note${at}`));
    expect(readQuery('database', everywhere).terms[0]!.alternatives).toEqual([]);
  });

  it('corrects the spelling of unknown words only', () => {
    expect(alternatives(readQuery('databse pasword', WORDS), 'databs')).toEqual(['databas spelling']);
    expect(alternatives(readQuery('fetchRetyrPolicy', WORDS), 'retyr')).toEqual(['retri spelling']);
    expect(alternatives(readQuery('timeot', vocabularyOf(['timeot', 'timeout'])), 'timeot')).toEqual(['timeot exact']);
    expect(alternatives(readQuery('charge', vocabularyOf(['change'])), 'charg')).toEqual([]);
  });

  it('does not search for every word of a pasted log', () => {
    const log = Array.from({ length: 40 }, (_, at) => `unknown${'abcdefghij'.charAt(at % 10)}${'klmn'.charAt(at / 10)}`).join(' ');
    expect(alternatives(readQuery(`databse ${log}`, WORDS), 'databs')).toHaveLength(1);
    expect(alternatives(readQuery(`${log} databse`, WORDS), 'databs')).toEqual([]);
  });

  it('splits two words typed as one', () => {
    expect(alternatives(readQuery('ratelimit', WORDS), 'ratelimit')).toEqual(['rate limit spelling']);
  });

  it('weighs an unknown word like its best substitute, or like the rarest word', () => {
    const [known, unknown] = [readQuery('databse', WORDS), readQuery('walrus', WORDS)];
    expect(known.weight).toBeCloseTo(idf(1, 6));
    expect(unknown.weight).toBeCloseTo(idf(0, 6));
    expect(unknown.terms[0]!.alternatives).toEqual([]);
  });

  it('searches the index for its own words first, without stop words of a phrase', () => {
    const words = readQuery('logout', vocabularyOf(['sign out here', 'logout']));
    expect([words.tokens, words.relatedTokens]).toEqual([['logout'], ['sign']]);
    expect(readQuery('to be or not to be', WORDS).tokens).toEqual(['to', 'be', 'or', 'not']);
  });

  it('does not search for related words that half of the entries have', () => {
    const many = vocabularyOf([...Array.from({ length: 300 }, (_, at) => `release ${at}`), 'deploy']);
    const words = readQuery('deploy', many);
    expect([words.tokens, words.relatedTokens]).toEqual([['deploi'], []]);
    expect(alternatives(words, 'deploi')).toContain('releas related');
  });

  it('does not search for words that most entries of a large store have, if they are a tenth of the query', () => {
    const large = vocabularyOf(Array.from({ length: 3000 }, (_, at) => `ticket ${at < 1500 ? 'harbour' : 'crane'} number${at}`));
    const asked = ({ tokens, commonTokens }: ReturnType<typeof readQuery>): unknown => [tokens, commonTokens];
    expect(asked(readQuery('ticket number7', large))).toEqual([['number7'], ['ticket']]);
    expect(asked(readQuery('ticket harbour', large))).toEqual([['harbour'], ['ticket']]);
    expect(asked(readQuery('harbour', large))).toEqual([['harbour'], []]);
    expect(readQuery('db databse', WORDS).commonTokens).toEqual([]);
  });

  it.each(['what must not be in a commit', "don't use", '不要 使用', 'nicht verwenden'])('recognises "%s" as a negation', (query) => {
    expect(readQuery(query, WORDS).negated).toBe(true);
  });

  it('can have each weight switched off by 0', () => {
    const off = { exact: 1, equivalent: 0, category: 0, related: 0, spelling: 0 };
    expect(readQuery('db databse', WORDS, off).terms.flatMap((term) => term.alternatives)).toEqual([]);
  });

  it('is scaled up in a store with few entries, but not in one with hundreds', () => {
    expect(readQuery('tea', vocabularyOf(['tea'])).scale).toBeGreaterThan(10);
    expect(readQuery('tea', vocabularyOf(Array.from({ length: 200 }, (_, at) => `tea ${at}`))).scale).toBe(1);
    expect(readQuery('tea', vocabularyOf([])).terms).toHaveLength(1);
  });

  it('forgets spellings of removed entries', () => {
    const words = vocabularyOf(['the timeout']);
    expect(alternatives(readQuery('timeuot', words), 'timeuot')).toEqual(['timeout spelling']);
    words.remove(tokenize('the timeout').join(' '));
    expect(alternatives(readQuery('timeuot', words), 'timeuot')).toEqual([]);
  });
});
