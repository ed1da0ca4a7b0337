import { describe, expect, it } from 'vitest';
import { isForeign } from '../../../src/memory/words/prompt-purpose.ts';
import { readQuery } from '../../../src/memory/words/query-words.ts';
import { searchText, tokenize } from '../../../src/memory/words/tokens.ts';
import { formsOf } from '../../../src/memory/words/word-forms.ts';
import { Lexicon } from '../../../src/store/memtable/lexicon.ts';

async function lexiconOf(...texts: string[]): Promise<Lexicon> {
  const lexicon = new Lexicon();
  for (const text of texts) lexicon.add(await searchText(text, []));
  return lexicon;
}

const found = (word: string, lexicon: Lexicon) => formsOf({ word, token: tokenize(word)[0]! }, lexicon);

describe('a word in another language than English', () => {
  it('matches its other forms in German, French and Spanish', async () => {
    const lexicon = await lexiconOf(
      'Die Mahnung geht nach zehn Tagen raus.',
      'Les emprunteurs ont une carte.',
      'Guardamos las copias en Madrid.',
    );
    expect(found('mahnen', lexicon).forms).toEqual(['mahnung']);
    expect(found('emprunter', lexicon).forms).toEqual(['emprunteur']);
    expect(found('guardar', lexicon).forms).toEqual(['guardamo']);
  });

  it('matches inside compounds, and a compound matches its parts', async () => {
    const lexicon = await lexiconOf('Terminbuchung mit Quarkus', 'Der Zettel liegt im Lager.');
    expect(found('termin', lexicon).compounds).toEqual(['terminbuchung']);
    expect(found('kassenzettel', lexicon).compounds).toEqual(['zettel']);
  });

  it('is treated so only if the query is not English', async () => {
    const lexicon = await lexiconOf('Terminbuchung mit Quarkus');
    const kinds = (query: string) =>
      readQuery(query, lexicon)
        .terms.find(({ token }) => token === 'termin')
        ?.alternatives.map(({ kind }) => kind);
    expect(kinds('wie wird ein Termin gemacht?')).toEqual(['category']);
    expect(kinds('the termin service')).toEqual([]);
    expect([isForeign(tokenize('Où est la base ?')), isForeign(tokenize('does the job die when it is idle'))]).toEqual([true, false]);
  });
});
