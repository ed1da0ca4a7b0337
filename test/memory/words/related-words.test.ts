import { describe, expect, it } from 'vitest';
import { relatedWords } from '../../../src/memory/words/related-words.ts';
import { tokenize } from '../../../src/memory/words/tokens.ts';

const of = (query: string, word: string): Map<string, string> =>
  new Map(
    (relatedWords(tokenize(query)).get(tokenize(word)[0]!) ?? []).map(({ tokens, kind }): [string, string] => [tokens.join(' '), kind]),
  );

describe('the tables of related words', () => {
  it('contain the members of categories, also in other languages', () => {
    expect(of('which database do we use', 'database').get('postgr')).toBe('category');
    expect(of('Welche Datenbank nutzen wir?', 'Datenbank').get('postgr')).toBe('category');
    expect(relatedWords(tokenize('数据库')).get('据库')).toContainEqual({ tokens: ['postgr'], kind: 'category' });
  });

  it('treat a phrase as a unit: its words do not count alone', () => {
    const query = 'which package manager is it';
    expect(of(query, 'manager').get('pnpm')).toBe('category');
    expect(of(query, 'package').get('pnpm')).toBe('category');
    expect(of(query, 'package').has('parcel')).toBe(false);
    expect(of('where is the package', 'package').get('parcel')).toBe('related');
  });

  it('treat a mostly ambiguous name as merely related', () => {
    expect(of('which package manager', 'manager').get('bun')).toBe('related');
  });

  it('have nothing for unknown words', () => {
    expect(relatedWords(tokenize('walrus on ice')).size).toBe(0);
    expect(relatedWords([]).size).toBe(0);
  });
});
