import { describe, expect, it } from 'vitest';
import { readQuery, type Alternative, type QueryTerm, type QueryWords } from '../../../src/memory/words/query-words.ts';
import { tokenize } from '../../../src/memory/words/tokens.ts';
import { featuresOf, rankParts, RANK_WEIGHTS, type Features } from '../../../src/service/recall/ranking.ts';
import { Lexicon } from '../../../src/store/memtable/lexicon.ts';

/** Features of each text for a query, in a store that holds just these texts. */
function featuresIn(texts: readonly string[], query: string): Features[] {
  const streams = texts.map((text) => tokenize(text).join(' '));
  const lexicon = new Lexicon();
  for (const stream of streams) lexicon.add(stream);
  return featuresOf(
    readQuery(query, lexicon),
    streams.map((stream, at) => ({ id: String(at), stream })),
  );
}

const filler = (words: number): string => Array.from({ length: words }, (_, at) => `filler${at}`).join(' ');

const as = (text: string, weight = 1, idf = 1): Alternative => ({ tokens: text.split(' '), kind: 'exact', weight, idf });
const term = (idf: number, ...alternatives: readonly Alternative[]): QueryTerm => ({ token: 'asked', idf, alternatives });

/** The features of one search text for a query that is put together by hand, in a store whose entries are short. */
function featuresFor(terms: readonly QueryTerm[], stream: string, more: Partial<QueryWords> = {}): Features {
  const weight = terms.reduce((sum, { idf }) => sum + idf, 0);
  const rest = { negated: false, answer: undefined, averageLength: 10, scale: 1, tokens: [], commonTokens: [], relatedTokens: [] };
  return featuresOf({ terms, weight, ...rest, ...more }, [{ id: 'one', stream }])[0]!;
}
/** Of a word that stands once in an entry that is no longer than the mean one. */
const ONCE = 1;
const TWICE = (2 * 2.2) / (2 + 1.2);

describe('the features of an entry', () => {
  it('include weight, rarity and frequency of each word', () => {
    const terms = [term(3, as('fox', 0.5, 3)), term(2, as('hen', 1, 2))];
    expect(featuresFor(terms, 'fox hen hen')).toMatchObject({
      id: 'one',
      bm25: expect.closeTo(0.5 * 3 * ONCE + 2 * TWICE, 9) as number,
      coverage: expect.closeTo((0.5 * 3 + 2) / 5, 9) as number,
    });
    // Without the floor of the length, a text of three words of ten is the better for it.
    const norm = 1 - 0.75 + (0.75 * 3) / 10;
    const plain = (count: number): number => (count * 2.2) / (count + 1.2 * norm);
    expect(featuresFor(terms, 'fox hen hen').plainBm25).toBeCloseTo(0.5 * 3 * plain(1) + 2 * plain(2), 9);
  });

  it('count a related word once, for less in a long entry, without its position', () => {
    const near = { ...as('pack', 0.3), kind: 'related' } as const;
    const [short, long] = ['pack pack', `pack ${filler(400)}`].map((stream) => featuresFor([term(1, near)], stream));
    expect(short!.bm25).toBeCloseTo(0.3 * ONCE, 9);
    expect(long!.bm25).toBeLessThan(short!.bm25 / 4);
    expect(short!.early).toBeCloseTo(0.3, 9);
    expect(featuresFor([term(1, as('ship'), near)], 'pack then ship').matches[0]!.places).toEqual([2]);
  });

  it('use the best of several word forms, and all positions', () => {
    const [weak, strong] = [as('pack', 0.3), as('ship', 0.9)];
    for (const forms of [
      [weak, strong],
      [strong, weak],
    ]) {
      const { matches, bm25 } = featuresFor([term(1, ...forms)], 'we pack then ship and pack');
      expect(matches[0]).toMatchObject({ alternative: strong, count: 1, places: [1, 3, 5] });
      expect(bm25).toBeCloseTo(0.9, 9);
    }
    const [first, second] = [as('pack'), as('ship')];
    expect(featuresFor([term(1, first, second)], 'ship pack').matches[0]!.alternative).toBe(first);
  });

  it('ignore the position of a sense mark after the text', () => {
    const { matches } = featuresFor([term(1, as(':setting'), as('set', 0.7))], 'set dark mode :setting');
    expect(matches[0]).toMatchObject({ alternative: { tokens: [':setting'] }, places: [0] });
  });

  it('rate two words by their smallest distance and the commoner one', () => {
    const terms = [term(3, as('cold')), term(1, as('cache'))];
    const places = (at: Readonly<Record<number, string>>): string => Array.from({ length: 30 }, (_, nth) => at[nth] ?? `w${nth}`).join(' ');
    const proximityOf = (at: Readonly<Record<number, string>>): number => featuresFor(terms, places(at)).proximity;
    expect(proximityOf({ 4: 'cold', 5: 'cache' })).toBeCloseTo(1 / 4, 9);
    expect(proximityOf({ 9: 'cold', 5: 'cache' })).toBeCloseTo(1 / 4 / 4, 9);
    expect(proximityOf({ 0: 'cold', 10: 'cache', 20: 'cold', 22: 'cache' })).toBeCloseTo(1 / 2 / 4, 9);
    expect(proximityOf({ 1: 'cache', 5: 'cold', 9: 'cold' })).toBeCloseTo(1 / 4 / 4, 9);
    expect(proximityOf({ 5: 'cold' })).toBe(0);
    expect(featuresFor([term(1, as('cachecold')), term(1, as('cachecold'))], 'cachecold').proximity).toBeCloseTo(1 / 2, 9);
  });

  it('rate a word at position eleven half as early as at the first, and a missing one not at all', () => {
    const earlyOf = (stream: string): number => featuresFor([term(2, as('cold')), term(2, as('missing'))], stream).early;
    expect(earlyOf('cold')).toBeCloseTo(0.5, 9);
    expect(earlyOf('a1 b1 c1 d1 e1 f1 g1 h1 i1 j1 cold')).toBeCloseTo(0.25, 9);
    expect(earlyOf('nothing of it')).toBe(0);
  });

  it('are BM25 with the mean length if every entry is short', () => {
    const [first, second] = featuresIn(['red fox', 'red hen and a lot of other words'], 'red');
    expect(first!.bm25).toBeCloseTo(second!.bm25);
    expect(first!.bm25).toBeCloseTo(Math.log(1 + 0.5 / 2.5) * (2.2 / (1 + 1.2 * 1)));
    expect(first!.plainBm25).toBeGreaterThan(second!.plainBm25);
  });

  it('do not penalize a runbook ten times as long as a long note', () => {
    const [note, runbook] = featuresIn([`walrus ${filler(200)}`, `walrus ${filler(2000)}`], 'walrus');
    expect(runbook!.bm25).toBeCloseTo(note!.bm25);
  });

  it('include the matched share of the query, less for other forms', () => {
    const [all, half, other, none] = featuresIn(['database backup', 'backup', 'db backup', 'lunch'], 'database backup');
    expect(all!.coverage).toBeCloseTo(1);
    expect(half!.coverage).toBeGreaterThan(0.2);
    expect(half!.coverage).toBeLessThan(other!.coverage);
    expect(other!.coverage).toBeLessThan(1);
    expect(none!.coverage).toBe(0);
    expect(other!.matches.map(({ alternative }) => alternative?.kind)).toEqual(['equivalent', 'exact']);
  });

  it('count a phrase only with all of its words', () => {
    const [all, half] = featuresIn(['open a pull request', 'pull the cord', 'request a chair'], 'pr');
    expect(all!.coverage).toBeCloseTo(0.7);
    expect(half!.coverage).toBe(0);
  });

  it('are higher for adjacent words and near the start', () => {
    const [near, far] = featuresIn([`cold cache ${filler(20)}`, `cold ${filler(20)} cache`], 'cold cache');
    expect(near!.proximity).toBeGreaterThan(far!.proximity);
    expect(near!.early).toBeGreaterThan(far!.early);
    expect(near!.bm25).toBeCloseTo(far!.bm25);
  });

  it('distinguish a negated entry if the query is negated', () => {
    const texts = ['Never use moment here', 'Use moment here'];
    const [never, use] = featuresIn(texts, 'what must we not use');
    expect([never!.negation > 0, use!.negation]).toEqual([true, 0]);
    expect(featuresIn(texts, 'what do we use').map(({ negation }) => negation)).toEqual([0, 0]);
  });

  it('are all zero without a matching word', () => {
    for (const features of featuresIn(['one', 'two'], '!!!')) {
      expect(features).toMatchObject({ bm25: 0, plainBm25: 0, coverage: 0, proximity: 0, early: 0, negation: 0 });
    }
  });
});

describe('the rank of an entry', () => {
  it('is BM25 relative to the best entry plus weighted features', () => {
    const [best, other] = featuresIn(['cold cache', `cold ${filler(60)}`], 'cold cache') as [Features, Features];
    expect(rankParts(best, best.bm25).bm25).toBe(1);
    expect(rankParts(other, best.bm25).bm25).toBeCloseTo(other.bm25 / best.bm25);
    const features = { ...best, bm25: 2, proximity: 0.5, early: 0.4, negation: 0.6, answer: 0.2 };
    expect(rankParts(features, 4, { proximity: 10, early: 20, negation: 30, answer: 40 })).toEqual({
      bm25: 8.5,
      proximity: 5,
      early: 8,
      negation: 18,
    });
    expect(rankParts(best, best.bm25).proximity).toBeCloseTo(RANK_WEIGHTS.proximity * best.proximity);
    expect(rankParts(best, 0).bm25).toBe(0);
  });
});

describe('a question for a time', () => {
  it('ranks an entry with a time before similar ones', () => {
    const [told, asked] = featuresIn(
      ['I went to the support group yesterday', 'I went to the support group together'],
      'When did she go to the support group?',
    );
    expect([told!.answer, asked!.answer]).toEqual([told!.coverage, 0]);
    expect(rankParts(told!, told!.bm25).bm25).toBeGreaterThan(rankParts(asked!, told!.bm25).bm25);
  });

  it('is not answered by a number, unlike a question for a number', () => {
    const texts = ['The choir has 40 members', 'The choir has members'];
    expect(featuresIn(texts, 'How many members has the choir?').map(({ answer, coverage }) => answer === coverage)).toEqual([true, false]);
    expect(featuresIn(texts, 'When has the choir members?').map(({ answer }) => answer)).toEqual([0, 0]);
    expect(featuresIn(['The choir has members, twelve of them'], 'How many members has the choir?')[0]!.answer).toBeGreaterThan(0);
  });
});
