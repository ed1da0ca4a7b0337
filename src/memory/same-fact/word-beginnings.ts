import { RecentMap } from '../recent-map.ts';
import { eachSteadyWord, SHOWN_LETTERS } from './same-fact-key.ts';

/** Word beginnings of a text for cheap comparison without parsing; distinct and ascending. */
export interface Beginnings {
  /** Beginnings of all steady words. */
  readonly all: Uint16Array;
  /** Beginnings of steady words between blanks, which are always separate words. */
  readonly alone: Uint16Array;
  /** Fenced code is compared by line, so its words do not count. */
  readonly hasCode: boolean;
}

const CACHED = 2000;
const FIRST_LETTER = 97;
const LETTERS = 26;
const OPENS = /[\s("]/;
/** Punctuation after a separate word. */
const ENDS = /[.,;:!?)"]*(?:\s|$)/y;
/** Part of the announcement `Note that …`. */
const ANNOUNCING = 'that';
const FENCE = /```|~~~/;

const remembered = new RecentMap<string, Beginnings>(CACHED);

/** Cached: one entry is compared with many. Linear in the text. */
export function beginningsOf(text: string): Beginnings {
  let beginnings = remembered.get(text);
  if (beginnings === undefined) remembered.set(text, (beginnings = readBeginnings(text)));
  return beginnings;
}

/** Number of elements of `of` that are not in `others`; both ascending. */
export function countMissing(of: Uint16Array, others: Uint16Array): number {
  let [count, at] = [0, 0];
  for (const beginning of of) {
    while (at < others.length && others[at]! < beginning) at += 1;
    if (others[at] !== beginning) count += 1;
  }
  return count;
}

function readBeginnings(text: string): Beginnings {
  const lower = text.normalize('NFC').toLowerCase();
  const [all, alone]: [number[], number[]] = [[], []];
  eachSteadyWord(lower, (word, start) => {
    const beginning = numberOf(word);
    all.push(beginning);
    if (word !== ANNOUNCING && standsAlone(lower, start, word.length)) alone.push(beginning);
  });
  return { all: distinct(all), alone: distinct(alone), hasCode: FENCE.test(text) };
}

function distinct(numbers: readonly number[]): Uint16Array {
  const sorted = Uint16Array.from(numbers).sort();
  let kept = 0;
  for (const number of sorted) {
    if (kept > 0 && sorted[kept - 1] === number) continue;
    sorted[kept] = number;
    kept += 1;
  }
  return sorted.slice(0, kept);
}

function numberOf(word: string): number {
  let number = 0;
  for (let at = 0; at < SHOWN_LETTERS; at += 1) number = number * LETTERS + word.charCodeAt(at) - FIRST_LETTER;
  return number;
}

function standsAlone(text: string, start: number, length: number): boolean {
  if (start > 0 && !OPENS.test(text.charAt(start - 1))) return false;
  ENDS.lastIndex = start + length;
  return ENDS.test(text);
}
