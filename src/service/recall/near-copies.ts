import { isNegation } from '../../memory/words/negations.ts';

/** The fields of an entry that are compared. */
interface Comparable {
  readonly id: string;
  readonly namespace: string;
  /** Its search text: tokens joined by blanks. */
  readonly stream: string;
}

/** Share of common tokens from which two entries count as near copies. */
const SAME_SHARE = 0.9;
/** Near copies of one text that may be among the first results. */
const FIRST_RESULTS = 5;
const MAX_COPIES = 3;
const PLAIN_WORD = /^\p{L}+$/u;
/**
 * For each entry, in order, the place of the first one that it nearly repeats, or its own; found as they are asked for. Near copies are of
 * one namespace and share 90 % of their words. A different number, name with punctuation, negation or query word makes them
 * different facts.
 */
export function* nearCopies(entries: readonly Comparable[], asked: ReadonlySet<string>): Generator<number, void> {
  const sets = entries.map((): Set<string> | undefined => undefined);
  const setOf = (at: number): Set<string> => (sets[at] ??= new Set(entries[at]!.stream.split(' ')));
  const firsts: number[] = [];
  for (const [at, entry] of entries.entries()) {
    const original = firsts.findIndex(
      (first, before) => first === before && isLike(entry, entries[before]!) && isNearCopy(setOf(at), setOf(before), asked),
    );
    firsts.push(original < 0 ? at : original);
    yield firsts[at]!;
  }
}

/** Reorders entries so that the first five have at most three near copies of one text, if there are others. */
export function spread<T>(ranked: readonly T[], firsts: Iterable<number>): T[] {
  const front: T[] = [];
  const waiting: T[] = [];
  const copies = new Map<number, number>();
  const places = firsts[Symbol.iterator]();
  for (const [at, item] of ranked.entries()) {
    if (front.length >= FIRST_RESULTS) return [...front, ...waiting, ...ranked.slice(at)];
    const place = places.next();
    const first = place.done === true ? at : place.value;
    const seen = copies.get(first) ?? 0;
    copies.set(first, seen + 1);
    if (seen < MAX_COPIES) front.push(item);
    else waiting.push(item);
  }
  return [...front, ...waiting];
}

/** A cheap necessary condition of near copies. */
function isLike(one: Comparable, other: Comparable): boolean {
  const [a, b] = [one.stream.length, other.stream.length];
  return one.namespace === other.namespace && Math.min(a, b) > Math.max(a, b) * (SAME_SHARE - 0.2);
}

/** Stops at the first difference too many, because most pairs have little in common. */
function isNearCopy(one: ReadonlySet<string>, other: ReadonlySet<string>, asked: ReadonlySet<string>): boolean {
  // The share of common and different tokens together that may differ is 1 - SAME_SHARE.
  let left = Math.floor(((one.size + other.size) * (1 - SAME_SHARE)) / (1 + SAME_SHARE) + 1e-9);
  const isFine = (token: string): boolean => {
    left -= 1;
    return left >= 0 && PLAIN_WORD.test(token) && !isNegation(token) && !asked.has(token);
  };
  for (const token of one) if (!other.has(token) && !isFine(token)) return false;
  for (const token of other) if (!one.has(token) && !isFine(token)) return false;
  return true;
}
