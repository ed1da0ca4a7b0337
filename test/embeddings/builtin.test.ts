import { describe, expect, it } from 'vitest';
import { createBuiltinEmbedder, embedText } from '../../src/embeddings/builtin.ts';
import { tokenize } from '../../src/memory/words/tokens.ts';
import type { WordStatistics } from '../../src/memory/words/word-statistics.ts';

const cosine = (a: Float32Array, b: Float32Array): number => a.reduce((sum, value, at) => sum + value * (b[at] ?? 0), 0);
const likeness = (one: string, other: string): number => cosine(embedText(one), embedText(other));

/** Statistics of a store that holds these texts. */
function statisticsOf(texts: readonly string[]): WordStatistics {
  const rows = texts.map((text) => new Set(tokenize(text)));
  return { rows: rows.length, documentFrequency: (token) => rows.filter((row) => row.has(token)).length };
}

describe('the builtin embedder', () => {
  it.each([
    ['inflections', 'she deploys services', 'deploying a service', 'brewing some coffee'],
    ['irregular forms', 'he went home', 'they go home', 'they stay there'],
    ['misspellings', 'kubernetes', 'kuberntes', 'potato'],
    ['parts of identifiers', 'getUserById', 'user', 'account'],
    ['snake case', 'parse_config_file', 'config parser', 'network timeout'],
    ['accents', 'café', 'cafe', 'cave'],
    ['Chinese', '向量检索系统', '向量检索', '今天天气很好'],
  ])('gives %s similar vectors', (_, text, near, far) => {
    expect(likeness(text, near)).toBeGreaterThan(likeness(text, far) + 0.1);
  });

  it('gives unrelated texts nearly no similarity', () => {
    expect(Math.abs(likeness('quarterly revenue forecast', 'kitchen plumbing leak'))).toBeLessThan(0.15);
  });

  it('gives stop words little weight', () => {
    expect(likeness('the cat is in the house', 'the dog is in the garden')).toBeLessThan(likeness('the cat is in the house', 'cat house'));
  });

  it('is stable across versions: stored vectors depend on it', () => {
    const vector = embedText('We deploy with `make ship`; staging first, then production.');
    const strongest = [...vector.keys()].toSorted((a, b) => Math.abs(vector[b] ?? 0) - Math.abs(vector[a] ?? 0)).slice(0, 4);
    expect(strongest.map((at) => [at, Number(vector[at]?.toFixed(4))])).toMatchInlineSnapshot(`
      [
        [
          33,
          -0.2421,
        ],
        [
          18,
          0.1984,
        ],
        [
          76,
          -0.1754,
        ],
        [
          242,
          0.1714,
        ],
      ]
    `);
  });

  it('gives text without words one fixed vector', () => {
    expect(embedText('')).toEqual(embedText(' …!? '));
    expect(cosine(embedText(''), embedText(''))).toBeCloseTo(1, 6);
  });

  it('keeps no wrong words in its cache, however many there are', () => {
    const before = embedText('an ordinary sentence about coffee');
    for (let nth = 0; nth < 40_000; nth++) embedText(`w${(nth * 2_654_435_761).toString(36)}`);
    expect(embedText('an ordinary sentence about coffee')).toEqual(before);
  });

  it('weights a query by the current document frequencies of the store', async () => {
    const texts = ['deploy the billing service', 'deploy the search service', 'deploy the mail service', 'coffee break at ten'];
    let statistics: WordStatistics = statisticsOf([]);
    const embedder = createBuiltinEmbedder(() => statistics);
    const billing = embedText('billing');
    const plain = await embedder.embedQuery('deploy billing');
    expect(plain).toEqual(embedText('deploy billing'));
    statistics = statisticsOf(texts);
    const weighted = await embedder.embedQuery('deploy billing');
    expect(cosine(weighted, billing)).toBeGreaterThan(cosine(plain, billing) + 0.05);
    expect(await embedder.embedDocuments(['deploy billing'])).toEqual([embedText('deploy billing')]);
  });

  it('works with outdated statistics', async () => {
    const embedder = createBuiltinEmbedder({ rows: 2, documentFrequency: () => 5 });
    const vector = await embedder.embedQuery('deploy the billing service');
    expect(cosine(vector, vector)).toBeCloseTo(1, 6);
  });

  it('yields between long texts, and stops when its caller cancels', async () => {
    const embedder = createBuiltinEmbedder();
    const leaving = new AbortController();
    const long = Array.from({ length: 5 }, () => 'many different words '.repeat(5_000));
    const embedding = embedder.embedDocuments(long, { signal: leaving.signal });
    setImmediate(() => leaving.abort());
    await expect(embedding).rejects.toMatchObject({ message: 'The embedding was cancelled by the caller.' });
  });
});
