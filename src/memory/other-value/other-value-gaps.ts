import { JOINTS } from './other-value-words.ts';
import type { Word } from '../same-fact/same-fact-words.ts';

/** A word of a sentence with its properties. */
export interface Term {
  readonly word: Word;
  readonly stem: string;
  readonly lower: string;
  /** A content word or value. */
  readonly telling: boolean;
  readonly isValue: boolean;
  /** A number, time or other quantity: never the subject. */
  readonly isCount: boolean;
  readonly negates: boolean;
}

/** Words in only one of two sentences, at one position. */
export interface Gap {
  readonly here: readonly Term[];
  readonly there: readonly Term[];
  /** Start in the first sentence. */
  readonly at: number;
  readonly thereAt: number;
  /** Number of shared content words before it. */
  readonly before: number;
  readonly after: number;
  /** The next shared word. */
  readonly next: Term | undefined;
}

/** Whether a term names the subject of a sentence. */
export const isSubject = ({ telling, isCount }: Term): boolean => telling && !isCount;

/** The gaps of the longest common subsequence of two sentences. */
export function gapsBetween(one: readonly Term[], other: readonly Term[]): Gap[] {
  const lengths = longestShared(one, other);
  const gaps: Gap[] = [];
  const total = countShared(one, other, lengths);
  let [at, thereAt, before] = [0, 0, 0];
  while (at < one.length || thereAt < other.length) {
    const [start, thereStart] = [at, thereAt];
    while (!(at < one.length && thereAt < other.length && one[at]!.stem === other[thereAt]!.stem)) {
      if (at >= one.length && thereAt >= other.length) break;
      if (thereAt >= other.length || (at < one.length && lengths[at + 1]![thereAt]! >= lengths[at]![thereAt + 1]!)) at += 1;
      else thereAt += 1;
    }
    if (at > start || thereAt > thereStart) {
      const isLast = at === one.length && thereAt === other.length;
      const [here, there] = [one.slice(start, at), other.slice(thereStart, thereAt)].map((terms) =>
        isLast ? firstClause(terms) : terms,
      ) as [Term[], Term[]];
      gaps.push({ here, there, at: start, thereAt: thereStart, before, after: total - before, next: one[at] });
    }
    if (at < one.length && thereAt < other.length) {
      if (isSubject(one[at]!)) before += 1;
      at += 1;
      thereAt += 1;
    }
  }
  return gaps;
}

function countShared(one: readonly Term[], other: readonly Term[], lengths: readonly (readonly number[])[]): number {
  let [at, thereAt, count] = [0, 0, 0];
  while (at < one.length && thereAt < other.length) {
    if (one[at]!.stem === other[thereAt]!.stem) {
      if (isSubject(one[at]!)) count += 1;
      at += 1;
      thereAt += 1;
    } else if (lengths[at + 1]![thereAt]! >= lengths[at]![thereAt + 1]!) at += 1;
    else thereAt += 1;
  }
  return count;
}

/** The terms before the first conjunction or pause: what follows is an addition. */
function firstClause(terms: readonly Term[]): readonly Term[] {
  const end = terms.findIndex(({ lower, word }, at) => JOINTS.has(lower) || (at > 0 && word.pause));
  return end < 0 ? terms : terms.slice(0, end);
}

/** Length of the longest common subsequence from each pair of positions. */
function longestShared(one: readonly Term[], other: readonly Term[]): number[][] {
  const lengths = Array.from({ length: one.length + 1 }, () => Array.from({ length: other.length + 1 }, () => 0));
  for (let at = one.length - 1; at >= 0; at -= 1) {
    for (let there = other.length - 1; there >= 0; there -= 1) {
      const isShared = one[at]!.stem === other[there]!.stem;
      lengths[at]![there] = isShared ? lengths[at + 1]![there + 1]! + 1 : Math.max(lengths[at + 1]![there]!, lengths[at]![there + 1]!);
    }
  }
  return lengths;
}
