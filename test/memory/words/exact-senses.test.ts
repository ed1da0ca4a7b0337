import { describe, expect, it } from 'vitest';
import { isSense, senseOf, sensesIn, withoutMark } from '../../../src/memory/words/exact-senses.ts';
import { readQuery } from '../../../src/memory/words/query-words.ts';
import { searchText, tokenize } from '../../../src/memory/words/tokens.ts';
import { featuresOf } from '../../../src/service/recall/ranking.ts';
import { Lexicon } from '../../../src/store/memtable/lexicon.ts';

const TEXTS = ['Access goes through the role reader', 'The accessibility statement is renewed each June'];

/** Places of the entries, best first. */
function ranked(query: string, streams: readonly string[]): number[] {
  const lexicon = new Lexicon();
  for (const stream of streams) lexicon.add(stream);
  const features = featuresOf(
    readQuery(query, lexicon),
    streams.map((stream, at) => ({ id: String(at), stream })),
  );
  return features.toSorted((a, b) => b.bm25 - a.bm25).map(({ id }) => Number(id));
}

describe('a word with the stem of an unrelated word', () => {
  it('adds a sense mark after the search text, also from camelCase, for each occurrence', async () => {
    expect(await searchText('Open the Settings, then SettingsPage', ['set'])).toBe(
      `${tokenize('Open the Settings, then SettingsPage set').join(' ')} :setting :setting`,
    );
    expect(sensesIn('nothing of the kind')).toEqual([]);
  });

  it('shares its mark with its inflections only', () => {
    expect(senseOf('settings')).toBe(senseOf('setting'));
    expect(senseOf('university')).not.toBe(senseOf('universe'));
    expect(senseOf('set')).toBeUndefined();
    expect([isSense(':setting'), isSense('set')]).toEqual([true, false]);
    expect([withoutMark(':setting'), withoutMark('set')]).toEqual(['setting', 'set']);
  });

  it('matches its own sense first', async () => {
    const streams = await Promise.all(TEXTS.map((text) => searchText(text, [])));
    expect(ranked('accessibility', streams)[0]).toBe(1);
    expect(ranked('accessibility', streams.toReversed())[0]).toBe(0);
  });

  it('matches entries saved without sense marks', () => {
    const streams = TEXTS.map((text) => tokenize(text).join(' '));
    const lexicon = new Lexicon();
    for (const stream of streams) lexicon.add(stream);
    const { terms, tokens } = readQuery('accessibility', lexicon);
    expect(tokens).toEqual(['access']);
    expect(terms[0]!.alternatives.map(({ tokens: [token], kind }) => `${token} ${kind}`)).toEqual(['access exact']);
  });

  it('matches entries with and without marks in one store', async () => {
    const old = tokenize(TEXTS[1]!).join(' ');
    const streams = [old, await searchText('Accessibility of the reader app', [])];
    const lexicon = new Lexicon();
    for (const stream of streams) lexicon.add(stream);
    const words = readQuery('accessibility', lexicon);
    expect(words.tokens).toEqual(['access']);
    const found = featuresOf(
      words,
      streams.map((stream, at) => ({ id: String(at), stream })),
    );
    expect(found.map(({ coverage }) => coverage)).toEqual([0.7, 1]);
  });
});
