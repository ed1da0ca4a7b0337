import { JOINTS } from './other-value-words.ts';
import type { Word } from '../same-fact/same-fact-words.ts';

/** A word of a sentence, and what it can tell. */
export interface Term {
  readonly word: Word;
  readonly stem: string;
  readonly lower: string;
  /** Says something about a subject, or is a value. */
  readonly telling: boolean;
  readonly isValue: boolean;
  /** A number, a time and the like: nobody speaks of it. */
  readonly isCount: boolean;
  readonly negates: boolean;
}

/** Words that only one or the other sentence has, at one place. */
export interface Gap {
  readonly here: readonly Term[];
  readonly there: readonly Term[];
  /** Where it begins in the first sentence. */
  readonly at: number;
  readonly thereAt: number;
  /** Telling words before it that both have. */
  readonly before: number;
  readonly after: number;
  /** The first word behind it that both have. */
  readonly next: Term | undefined;
}

/** Says what a sentence speaks of. */
export const isSubject = ({ telling, isCount }: Term): boolean => telling && !isCount;

/** The longest run of words that both have, in order, leaves these. */
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

/** What follows a joining word says more, and nothing else. */
function firstClause(terms: readonly Term[]): readonly Term[] {
  const end = terms.findIndex(({ lower, word }, at) => JOINTS.has(lower) || (at > 0 && word.pause));
  return end < 0 ? terms : terms.slice(0, end);
}

/** For each pair of places how many words are shared from there on. */
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
