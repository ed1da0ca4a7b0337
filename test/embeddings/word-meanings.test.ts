import { describe, expect, it } from 'vitest';
import { knownTokens, meaningOf, tokensNear } from '../../src/embeddings/word-meanings.ts';
import { dotProduct } from '../../src/memory/dot-product.ts';
import { tokenize } from '../../src/memory/words/tokens.ts';

const meaning = (text: string): Float32Array => meaningOf(tokenize(text).join(' '));
const near = (one: string, other: string): number => dotProduct(meaning(one), meaning(other));

describe('the meaning of single words', () => {
  it('is similar for texts on one subject in other words', () => {
    const question = 'Who handles legal agreements?';
    expect(near(question, 'Contracts are the business of our lawyer.')).toBeGreaterThan(near(question, 'The cache expires at midnight.'));
    expect(near('biggest upload', 'largest file size')).toBeGreaterThan(near('biggest upload', 'wine harvest in autumn'));
  });

  it('has length 1, is independent of order and word form, and is empty without a known word', () => {
    expect(near('upload files', 'upload files')).toBeCloseTo(1, 5);
    expect(near('upload files', 'file uploads')).toBeCloseTo(1, 5);
    expect(near('qwrtzplk', 'upload')).toBe(0);
    expect(near('the of and', 'upload')).toBe(0);
  });

  it('finds the given words that are near to a text, nearest first', () => {
    const among = knownTokens((token) => ['surgeon', 'doctor', 'harvest'].includes(token));
    expect(tokensNear(meaning('surgery'), { among, most: 5, least: 0.3 })).toEqual(['surgeon', 'doctor']);
    expect(tokensNear(meaning('surgery'), { among, most: 1, least: 0.3 })).toEqual(['surgeon']);
    expect(tokensNear(meaning('qwrtzplk'), { among, most: 5, least: 0.3 })).toEqual([]);
  });
});
