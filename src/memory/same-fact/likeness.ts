import { DIFFERENCES, differenceBetween, differenceIn, extraWords, isSame, readFact, type Difference, type Fact } from './same-fact.ts';
import type { Word } from './same-fact-words.ts';
import { beginningsOf, countMissing, type Beginnings } from './word-beginnings.ts';

/**
 * Word similarity of two texts. Without a model, so it is the same in every store.
 *
 *     similarity = max(0, 1 - (added + 6 * replaced + 0.5 * rewritten) / words of both)
 *
 * `added`: words in only one text; `replaced`: pairs of words of which one replaces the other, or in another order; `rewritten`: pairs with
 * the same meaning in another notation (`25,000` and `25000`). Articles, `is` and `are` do not count; a line of fenced code counts as a
 * word.
 */
interface Likeness {
  /** 0..1, rounded to four digits; 1 if the words are equal, whatever their punctuation and letter case. */
  readonly similarity: number;
  /** Why both must be kept; see `differenceOf`. */
  readonly difference: Difference | undefined;
  /** The difference that makes them two facts whatever the similarity: any difference except plain words. */
  readonly telling: Difference | undefined;
}

/** Replacing a word usually changes the fact (`staging`, `production`): three times the cost of adding both words. */
const REPLACED_COST = 6;
const REWRITTEN_COST = 0.5;

/**
 * A function that compares other texts with this one. Undefined if the similarity is below `least`, usually without parsing the other text.
 */
export function comparedWith(text: string, least: number): (other: string) => Likeness | undefined {
  let own: Fact | undefined;
  return (other) => {
    const cost = text === other ? 0 : leastCost(beginningsOf(text), beginningsOf(other));
    // A text has at most as many words as characters.
    if (!canReach(least, text.length, cost)) return undefined;
    own ??= readFact(text);
    if (!own.isTooLong && !canReach(least, own.telling.length + own.code.length, cost)) return undefined;
    const likeness = likenessBetween(own, readFact(other));
    return likeness.similarity < least ? undefined : likeness;
  };
}

/** Word similarity of two texts. Symmetric. Linear. */
export function likenessOf(a: string, b: string): Likeness {
  return likenessBetween(readFact(a), readFact(b));
}

/** Minimum cost of words in only one of two texts; of fenced code only the number of distinct words is known. */
function leastCost(one: Beginnings, other: Beginnings): number {
  if (one.hasCode || other.hasCode) return countMissing(one.all, other.all) + countMissing(other.all, one.all);
  return costOf(countMissing(one.alone, other.all), countMissing(other.alone, one.all));
}

/** Cost of words in only one of the texts: as many as possible count as replaced. */
const costOf = (left: number, right: number): number => Math.abs(left - right) + REPLACED_COST * Math.min(left, right);

/** Whether this cost allows a similarity of `least`: then the other text has at most (2 - least) / least times as many words. */
function canReach(least: number, words: number, cost: number): boolean {
  return least <= 0 || cost <= (2 * words * (1 - least)) / least;
}

function likenessBetween(one: Fact, other: Fact): Likeness {
  const found = differenceBetween(one, other);
  if (one.isTooLong || other.isTooLong) return { similarity: found === undefined ? 1 : 0, difference: found, telling: found };
  const size = [one, other].reduce((sum, { telling, code }) => sum + telling.length + code.length, 0);
  const written = extraOf(writtenWords(one), writtenWords(other)).length;
  if (found === undefined) {
    return { similarity: similarityOf(REWRITTEN_COST * written, size), difference: undefined, telling: undefined };
  }
  const apart = takeApart(one, other);
  const [left, right] = [apart.left.length + apart.codeLeft, apart.right.length + apart.codeRight];
  const moved = apart.pairs.filter(([a, b]) => a.key !== b.key).length;
  const rewritten = Math.max(0, written - apart.left.length);
  const cost = costOf(left, right) + REPLACED_COST * moved + REWRITTEN_COST * rewritten;
  return { similarity: size === 0 ? 0 : similarityOf(cost, size), difference: found, telling: tellingOf(one, other, apart) };
}

/** Rounded to four digits; 1 for two texts without words and differences. */
const similarityOf = (cost: number, size: number): number => (cost === 0 ? 1 : Math.max(0, Number((1 - cost / size).toFixed(4))));

interface Apart {
  /** Words in only one of the texts. */
  readonly left: readonly Word[];
  readonly right: readonly Word[];
  /** The other words, paired by position. */
  readonly pairs: readonly (readonly [Word, Word])[];
  /** Number of code lines in only one of the texts. */
  readonly codeLeft: number;
  readonly codeRight: number;
}

function takeApart(one: Fact, other: Fact): Apart {
  const [left, right] = [extraWords(one.telling, other.telling), extraWords(other.telling, one.telling)];
  const extra = new Set([...left, ...right]);
  const rest = other.telling.filter((word) => !extra.has(word));
  const pairs = one.telling.filter((word) => !extra.has(word)).map((word, at) => [word, rest[at]!] as const);
  return { left, right, pairs, codeLeft: extraOf(one.code, other.code).length, codeRight: extraOf(other.code, one.code).length };
}

function tellingOf(one: Fact, other: Fact, { left, right, pairs }: Apart): Difference | undefined {
  const found = new Set<Difference>([...left, ...right].map(differenceIn));
  found.delete('word');
  if (pairs.some(([a, b]) => a.key !== b.key)) found.add('order of words');
  else if (!pairs.every(([a, b]) => isSame(a, b))) found.add('letter case');
  if (one.code.join('\n') !== other.code.join('\n')) found.add('code');
  if (one.depths !== other.depths) found.add('indentation');
  return DIFFERENCES.find((difference) => found.has(difference));
}

const writtenWords = ({ telling }: Fact): string[] => telling.map(({ written }) => written.toLowerCase());

/** Elements that occur more often in the first list. */
function extraOf(texts: readonly string[], others: readonly string[]): string[] {
  const left = new Map<string, number>();
  for (const text of others) left.set(text, (left.get(text) ?? 0) + 1);
  return texts.filter((text) => {
    const count = left.get(text) ?? 0;
    left.set(text, count - 1);
    return count <= 0;
  });
}
