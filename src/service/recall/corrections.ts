import { statesChange } from '../../memory/relation-cues/relation-cues.ts';
import { CHANGE_HINTS } from '../../memory/relation-cues/relation-cues-words.ts';
import { isStopWord, tokenize } from '../../memory/words/tokens.ts';

/** An entry among the first of a search. */
export interface Dated {
  readonly id: string;
  readonly namespace: string;
  readonly createdAt: number;
  readonly rankValue: number;
  /** Its search text: tokens joined by blanks. */
  readonly stream: string;
  readonly content: string;
  /** Identifies this version of the entry; parsed texts are cached by it. */
  readonly version: object;
}

/** Only this many of the first entries are compared, each with each. */
const COMPARED = 10;
/** An older fact below this rank is harmless. */
const CORRECTED = 5;
/** A longer text has many subjects, so shared words say little. */
const MAX_CHARS = 4000;
/** Least share of the weight (idf) of the older entry in the newer one, and the other way round. */
const OLDER_HELD = 0.35;
const NEWER_HELD = 0.2;
/** Least score of a correction, relative to the entry that it corrects. */
const LEAST_RANK = 0.6;
const HINTS: ReadonlySet<string> = new Set(
  CHANGE_HINTS.trim()
    .split(/\s+/)
    .flatMap(tokenize)
    .filter((token) => !isStopWord(token) || token === 'now' || token === 'since'),
);

/**
 * Among the first entries of a search, those that correct an older one ranked above them, with its id: newer, in the same namespace, on
 * the same subject, and worded as a change. In the order of the search.
 */
export function corrections(ranked: readonly Dated[], idf: (token: string) => number): ReadonlyMap<string, string> {
  const read = ranked.slice(0, COMPARED).flatMap((entry) => (entry.stream.length > MAX_CHARS ? [] : [new Subject(entry, idf)]));
  const found = new Map<string, string>();
  for (const newer of read) {
    const older = read.slice(0, CORRECTED).find((other) => isCorrected(other, newer));
    if (older !== undefined) found.set(newer.entry.id, older.entry.id);
  }
  return found;
}

function isCorrected(older: Subject, newer: Subject): boolean {
  const [before, after] = [older.entry, newer.entry];
  if (before.rankValue <= after.rankValue || before.createdAt >= after.createdAt || before.namespace !== after.namespace) return false;
  if (after.rankValue < LEAST_RANK * before.rankValue) return false;
  if (!newer.statesChange()) return false;
  const shared = older.sharedWith(newer);
  return shared >= OLDER_HELD * older.weight && shared >= NEWER_HELD * newer.weight;
}

/** The subject of an entry: its distinct significant words, weighted by rarity. Computed when it is first compared. */
class Subject {
  static readonly #statingChange = new WeakMap<object, boolean>();
  readonly entry: Dated;
  readonly #idf: (token: string) => number;
  #tokens: ReadonlySet<string> | undefined;
  #weights: ReadonlyMap<string, number> | undefined;

  constructor(entry: Dated, idf: (token: string) => number) {
    this.entry = entry;
    this.#idf = idf;
  }

  /** Whether it is worded as a change: by a single word, or by a phrase that the rules for relations know. */
  statesChange(): boolean {
    const { version, content } = this.entry;
    let states = Subject.#statingChange.get(version);
    if (states === undefined) {
      states = this.#words().some((token) => HINTS.has(token)) || statesChange(content);
      Subject.#statingChange.set(version, states);
    }
    return states;
  }

  get weight(): number {
    return sumOf(this.#weighed().values());
  }

  sharedWith(other: Subject): number {
    const others = other.#weighed();
    let shared = 0;
    for (const [token, weight] of this.#weighed()) if (others.has(token)) shared += weight;
    return shared;
  }

  #words(): string[] {
    this.#tokens ??= new Set(this.entry.stream.split(' '));
    return [...this.#tokens];
  }

  #weighed(): ReadonlyMap<string, number> {
    this.#weights ??= new Map(this.#words().flatMap((token) => (isStopWord(token) ? [] : [[token, this.#idf(token)] as const])));
    return this.#weights;
  }
}

function sumOf(values: Iterable<number>): number {
  let sum = 0;
  for (const value of values) sum += value;
  return sum;
}
