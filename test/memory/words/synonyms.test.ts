import { describe, expect, it } from 'vitest';
import { phrasesFrom, synonymsOf } from '../../../src/memory/words/synonyms.ts';
import { tokenize } from '../../../src/memory/words/tokens.ts';

const kinds = (word: string): Map<string, string> =>
  new Map(synonymsOf(tokenize(word)[0]!).map(({ tokens, kind }): [string, string] => [tokens.join(' '), kind]));

describe('the table of synonyms', () => {
  it('is symmetric for equal words', () => {
    expect(kinds('k8s').get('kubernet')).toBe('equivalent');
    expect(kinds('kubernetes').get('k8')).toBeUndefined();
    expect(kinds('Kubernetes').get('k8s')).toBe('equivalent');
  });

  it('lists equivalents before related words, without duplicates and self-references', () => {
    for (const word of ['config', 'index', 'query', 'user', 'memory']) {
      const synonyms = synonymsOf(tokenize(word)[0]!);
      const keys = synonyms.map(({ tokens }) => tokens.join(' '));
      expect(new Set(keys).size).toBe(keys.length);
      expect(keys).not.toContain(tokenize(word)[0]);
      const firstRelated = synonyms.findIndex(({ kind }) => kind === 'related');
      expect(synonyms.slice(firstRelated).some(({ kind }) => kind === 'equivalent') && firstRelated >= 0).toBe(false);
    }
  });

  it('finds phrases by their first word', () => {
    const phrase = phrasesFrom('load').find(({ tokens }) => tokens.join(' ') === 'load balanc');
    expect(phrase?.synonyms.map(({ tokens }) => tokens.join(' '))).toContain('lb');
    expect(phrasesFrom('walrus')).toEqual([]);
  });
});
