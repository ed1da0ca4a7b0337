import { describe, expect, it } from 'vitest';
import { phrasesFrom, synonymsOf } from '../../../src/memory/words/synonyms.ts';
import { tokenize } from '../../../src/memory/words/tokens.ts';

const kinds = (word: string): Map<string, string> =>
  new Map(synonymsOf(tokenize(word)[0]!).map(({ tokens, kind }): [string, string] => [tokens.join(' '), kind]));

describe('the table of synonyms', () => {
  it('knows both ways that two words are one', () => {
    expect(kinds('k8s').get('kubernet')).toBe('equivalent');
    expect(kinds('kubernetes').get('k8')).toBeUndefined();
    expect(kinds('Kubernetes').get('k8s')).toBe('equivalent');
  });

  it('holds equivalents before related words, none twice and none that is the word itself', () => {
    for (const word of ['config', 'index', 'query', 'user', 'memory']) {
      const synonyms = synonymsOf(tokenize(word)[0]!);
      const keys = synonyms.map(({ tokens }) => tokens.join(' '));
      expect(new Set(keys).size).toBe(keys.length);
      expect(keys).not.toContain(tokenize(word)[0]);
      const firstRelated = synonyms.findIndex(({ kind }) => kind === 'related');
      expect(synonyms.slice(firstRelated).some(({ kind }) => kind === 'equivalent') && firstRelated >= 0).toBe(false);
    }
  });

  it('knows phrases by their first word', () => {
    const phrase = phrasesFrom('load').find(({ tokens }) => tokens.join(' ') === 'load balanc');
    expect(phrase?.synonyms.map(({ tokens }) => tokens.join(' '))).toContain('lb');
    expect(phrasesFrom('walrus')).toEqual([]);
  });
});
