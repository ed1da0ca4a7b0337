import { describe, expect, it } from 'vitest';
import { numberSynonyms } from '../../../src/memory/words/numbers.ts';
import { tokenize } from '../../../src/memory/words/tokens.ts';

/** What may stand for one token of a query: equivalents as they are, related ones with a question mark. */
function formsOf(query: string, token: string): string[] {
  const forms = numberSynonyms(tokenize(query)).get(token) ?? [];
  return forms.map(({ tokens, kind }) => `${tokens.join(' ')}${kind === 'related' ? '?' : ''}`);
}

describe('a number in a query', () => {
  it('matches digits and words', () => {
    expect(formsOf('two retries', 'two')).toContain('2');
    expect(formsOf('30 retries', '30')).toContain('thirti');
    expect(formsOf('twenty-five users', 'twenti')).toContain('25');
    expect(formsOf('a dozen users', 'dozen')).toContain('12');
  });

  it('matches ordinals', () => {
    expect(formsOf('the third try', 'third')).toEqual(['3rd']);
    expect(formsOf('the 2nd try', '2nd')).toEqual(['second']);
  });

  it('matches thousands, with and without separators', () => {
    for (const [query, token] of [
      ['10k calls', '10k'],
      ['10,000 calls', '000'],
      ['ten thousand calls', 'thousand'],
      ['10000 calls', '10000'],
    ] as const) {
      expect(formsOf(query, token)).toEqual(expect.arrayContaining(query.startsWith('10k') ? ['10000', '10 000'] : ['10k']));
    }
  });

  it('matches another unit of time or memory', () => {
    expect(formsOf('a timeout of three seconds', 'three')).toEqual(expect.arrayContaining(['3s', '3000 ms', '3000?']));
    expect(formsOf('half a gigabyte', 'half')).toEqual(expect.arrayContaining(['512mb', '512 mb']));
    expect(formsOf('quarter of an hour', 'quarter')).toContain('15 minut');
    expect(formsOf('30s', '30s')).toContain('30 second');
  });

  it('has no effect in a query without numbers', () => {
    expect(numberSynonyms(tokenize('where is the half-finished house of the quarterly report')).size).toBe(0);
  });
});
