import { splitPassages, type Passage } from '../../memory/words/passages.ts';
import type { QueryWords } from '../../memory/words/query-words.ts';
import { tokenize } from '../../memory/words/tokens.ts';

export interface PassageShape {
  /** Most UTF-16 units of a passage. */
  readonly chunkSize: number;
  readonly chunkOverlap: number;
}

/** A text up to this length is read completely; in a longer one, only the surroundings of likely matches. */
const READ_CHARS = 16_384;
/** Passages of a long text that are scored. */
const MAX_READ = 8;
const MAX_PLACES = 400;
/** A stem may end in another letter than the word does. */
const CUT = 2;
const SHORTEST_HEAD = 3;
const LONGEST_WORD = 64;

/**
 * The passage with the highest weight of query words, the first at ties; undefined if no query word is found. Bounded for texts of any
 * length.
 */
export function bestPassage(text: string, words: QueryWords, shape: PassageShape): Passage | undefined {
  const worth = worthOf(words);
  const passages = text.length <= READ_CHARS ? split(text, shape) : likelyPassages(text, words, shape);
  let best: Passage | undefined;
  let most = 0;
  for (const passage of passages) {
    const weight = worth(passage.text);
    if (weight <= most) continue;
    most = weight;
    best = passage;
  }
  return best;
}

/** The passages of a text as they are embedded. */
export function split(text: string, { chunkSize, chunkOverlap }: PassageShape): Passage[] {
  return splitPassages(text, { size: chunkSize, overlap: chunkOverlap });
}

/** Sum over the terms of the query of the best match that a text contains. */
function worthOf(words: QueryWords): (text: string) => number {
  return (text) => {
    const held = new Set(tokenize(text));
    let sum = 0;
    for (const { idf, alternatives } of words.terms) {
      const weights = alternatives.filter(({ tokens }) => tokens.every((token) => held.has(token))).map(({ weight }) => weight);
      sum += idf * Math.max(0, ...weights);
    }
    return sum;
  };
}

/** Passages of a long text around beginnings of query words, those with the most different words first. */
function likelyPassages(text: string, words: QueryWords, shape: PassageShape): Passage[] {
  const found = new Map<number, Set<string>>();
  const heads = [...new Set([...words.tokens, ...words.commonTokens, ...words.relatedTokens].map(headOf))];
  if (heads.length === 0) return [];
  let places = 0;
  for (const { 0: head, index } of text.matchAll(new RegExp(heads.map(escaped).join('|'), 'giu'))) {
    const block = Math.floor(index / shape.chunkSize);
    found.set(block, (found.get(block) ?? new Set()).add(head.toLowerCase()));
    if (++places >= MAX_PLACES) break;
  }
  return [...found]
    .toSorted(([a, left], [b, right]) => right.size - left.size || a - b)
    .slice(0, MAX_READ)
    .flatMap(([block]) => around(text, block, shape));
}

/** The passages of one block and the ends of its neighbours, so that no match is split. */
function around(text: string, block: number, shape: PassageShape): Passage[] {
  const from = wordStart(text, Math.max(0, Math.floor((block - 0.5) * shape.chunkSize)));
  const piece = text.slice(from, wordStart(text, Math.min(text.length, from + 2 * shape.chunkSize)));
  return split(piece, shape).map(({ text: own, start, end }) => ({ text: own, start: from + start, end: from + end }));
}

/** The first position at or near `at` where a word begins, or at least a character. */
function wordStart(text: string, at: number): number {
  if (at === 0 || at === text.length) return at;
  const blank = text.slice(at, at + LONGEST_WORD).search(/\s/);
  if (blank >= 0) return at + blank + 1;
  return (text.codePointAt(at - 1) ?? 0) > 0xffff ? at + 1 : at;
}

const headOf = (token: string): string => token.slice(0, Math.max(SHORTEST_HEAD, token.length - CUT));
const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
