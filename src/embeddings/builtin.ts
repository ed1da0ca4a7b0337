import { isStopWord, tokenize } from '../memory/words/tokens.ts';
import { noStatistics, type WordStatistics } from '../memory/words/word-statistics.ts';
import type { Embedder, EmbedOptions } from './embedder.ts';
import { cancelled, closedError } from './embedder-errors.ts';
import { scaleToUnit } from './unit-length.ts';
import { DOCUMENT_VERSION } from './document-versions.ts';
import { addWord, WIDTH } from './word-vectors.ts';

const MODEL = 'hashed-words';
const STOP_WORD_WEIGHT = 0.1;
const LETTER_WEIGHT = 0.5;
const ASCII_LETTER = /^[a-z0-9]$/;
/** Factor for words that no entry has, relative to the rarest word: they can share n-grams with stored words. */
const UNSEEN_WEIGHT = 0.7;
/** Yields to the event loop after this many UTF-16 units. */
const BREATH_CHARS = 65_536;

/**
 * An embedder without files and network, with little memory: words and their 2-4-grams hashed into 384 numbers. Finds inflections,
 * misspellings and parts of identifiers, not synonyms. Document vectors depend only on the text; a query weighs words by their current
 * rarity in `statistics`.
 */
export function createBuiltinEmbedder(statistics: WordStatistics | (() => WordStatistics) = noStatistics): Embedder {
  const current = typeof statistics === 'function' ? statistics : () => statistics;
  let closed = false;
  const check = (options: EmbedOptions | undefined): void => {
    if (closed) throw closedError('builtin');
    if (options?.signal?.aborted) throw cancelled(options.signal);
  };
  return {
    provider: 'builtin',
    model: MODEL,
    dimensions: WIDTH,
    fingerprint: `builtin/${MODEL}/${WIDTH}/${DOCUMENT_VERSION}`,
    kind: 'lexical',
    async embedDocuments(texts, options) {
      const vectors: Float32Array[] = [];
      let sinceBreath = 0;
      check(options);
      for (const text of texts) {
        if (sinceBreath > BREATH_CHARS) {
          await new Promise((resolve) => setImmediate(resolve));
          check(options);
          sinceBreath = 0;
        }
        sinceBreath += text.length;
        vectors.push(embedText(text));
      }
      return vectors;
    },
    async embedQuery(text, options) {
      check(options);
      return vectorOf(tokenize(text), rarity(current()));
    },
    report: () => ({ state: 'ready' }),
    async close() {
      closed = true;
    },
  };
}

/** The document vector of a text: 384 numbers of unit length, deterministic on every machine. */
export function embedText(text: string): Float32Array {
  return vectorOf(tokenize(text), () => 1);
}

/** Inverse document frequency of BM25, divided by five: near 1 for a rare word in a store of thousands of entries. */
function rarity(statistics: WordStatistics): (token: string) => number {
  const { rows } = statistics;
  if (rows <= 0) return () => 1;
  const idf = (holding: number): number => Math.log(1 + Math.max(0, rows - holding + 0.5) / (holding + 0.5)) / 5;
  return (token) => {
    const holding = statistics.documentFrequency(token);
    return holding > 0 ? idf(holding) : UNSEEN_WEIGHT * idf(1);
  };
}

function vectorOf(tokens: readonly string[], weigh: (token: string) => number): Float32Array {
  const counts = new Map<string, number>();
  for (const token of tokens) counts.set(token, (counts.get(token) ?? 0) + 1);
  const vector = new Float32Array(WIDTH);
  for (const [token, count] of counts) addWord(vector, token, (1 + Math.log(count)) * wordWeight(token) * weigh(token));
  if (scaleToUnit(vector)) return vector;
  addWord(vector.fill(0), '', 1);
  return vector;
}

function wordWeight(token: string): number {
  if (isStopWord(token)) return STOP_WORD_WEIGHT;
  return ASCII_LETTER.test(token) ? LETTER_WEIGHT : 1;
}
