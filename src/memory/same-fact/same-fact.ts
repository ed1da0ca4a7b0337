import { joinDates } from './same-fact-dates.ts';
import { isReordered } from './same-fact-order.ts';
import { readWords, type Word } from './same-fact-words.ts';

/** What tells two texts apart, the most telling first: a change in several is named by the first of these. */
export const DIFFERENCES = [
  'negation',
  'address',
  'path',
  'version',
  'date',
  'number',
  'unit',
  'identifier',
  'name',
  'word',
  'question',
  'sign',
  'code',
  'indentation',
  'letter case',
  'order of words',
] as const;
export type Difference = (typeof DIFFERENCES)[number];

/** Longer texts are the same only where all of them is. UTF-16 units. */
const LONGEST_COMPARED = 200_000;
/** A slip of the keys in a word of this length is no other word: of 118,000 English words hardly a pair differs so, but in spelling. */
const LONG_WORD = 10;
const PLAIN = /^[a-z]+$/;
const VERSION = /^(?:[~^<>=]*v?\d+(?:\.\d+)+\S*|[<>=~^]*v\d+\S*)$/i;
const MONTH_OR_DAY =
  /^(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?|(?:mon|tues|wednes|thurs|fri|satur|sun)days?)$/;
const DATE = /^(?:\d{4}-\d\d-\d\d|--\d\d-\d\d|\d{1,2}:\d\d(?::\d\d)?)$/;
const NEGATIVES: ReadonlySet<string> = new Set(['nobody', 'nothing', 'nowhere', 'invalid', 'impossible']);

/** A text as it is compared. */
export interface Fact {
  readonly text: string;
  /** With dates in one form. */
  readonly words: readonly Word[];
  /** Those that say something. */
  readonly telling: readonly Word[];
  /** Fenced code, line by line. */
  readonly code: readonly string[];
  readonly depths: string;
  /** Too long to be read: nothing else of it is there. */
  readonly isTooLong: boolean;
}

/** Linear in the text, about 1 MB a second. */
export function readFact(text: string): Fact {
  if (text.length > LONGEST_COMPARED) return { text, words: [], telling: [], code: [], depths: '', isTooLong: true };
  const { words: read, code, depths } = readWords(text);
  const words = joinDates(read);
  return { text, words, telling: words.filter(({ empty }) => !empty), code, depths, isTooLong: false };
}

/**
 * What forbids to keep only one of two texts, in plain words, or undefined where anyone who reads one knows what the other says. Only form may
 * differ: white space, punctuation, Markdown, upper and lower case of prose, ways to write a number, a unit or a date, English
 * articles, an adverbial that stands first or last. Any other word, sign or order forbids it, so most paraphrases are refused. Symmetric.
 * Linear in the texts.
 */
export function differenceOf(a: string, b: string): Difference | undefined {
  return a === b ? undefined : differenceBetween(readFact(a), readFact(b));
}

/** The same of texts that were read. */
export function differenceBetween(one: Fact, other: Fact): Difference | undefined {
  if (one.text === other.text) return undefined;
  if (one.isTooLong || other.isTooLong) return one.text.normalize('NFC') === other.text.normalize('NFC') ? undefined : 'word';
  const difference = wordDifference(one.telling, other.telling);
  if (difference === 'order of words' && isReordered(one.words, other.words, isSame)) return undefined;
  if (difference !== undefined) return difference;
  if (one.code.join('\n') !== other.code.join('\n')) return 'code';
  return one.depths === other.depths ? undefined : 'indentation';
}

function wordDifference(left: readonly Word[], right: readonly Word[]): Difference | undefined {
  if (left.length === right.length && left.every((word, at) => isSame(word, right[at]!))) return undefined;
  const extra = [...extraWords(left, right), ...extraWords(right, left)];
  if (extra.length === 0) return left.some((word, at) => word.key !== right[at]?.key) ? 'order of words' : 'letter case';
  const found = new Set(extra.map(differenceIn));
  return DIFFERENCES.find((difference) => found.has(difference));
}

/** The words that stand oftener on one side than on the other. */
export function extraWords(words: readonly Word[], others: readonly Word[]): Word[] {
  const left = new Map<string, number>();
  for (const { key } of others) left.set(key, (left.get(key) ?? 0) + 1);
  return words.filter(({ key }) => {
    const count = left.get(key) ?? 0;
    left.set(key, count - 1);
    return count <= 0;
  });
}

export function isSame(one: Word, other: Word): boolean {
  if (one.written === other.written) return one.key === other.key || one.code !== other.code;
  if (one.key === other.key) return !one.code && !other.code;
  return !one.code && !other.code && isSlip(one.written, other.written);
}

/** Two neighbours swapped or a letter doubled, within a long word in small letters. */
function isSlip(one: string, other: string): boolean {
  const [short, long] = one.length <= other.length ? [one, other] : [other, one];
  if (short.length < LONG_WORD || long.length - short.length > 1 || !PLAIN.test(short) || !PLAIN.test(long)) return false;
  let at = 0;
  while (short[at] === long[at]) at += 1;
  if (at === 0) return false;
  if (long.length > short.length) return long[at - 1] === long[at] && short.slice(at) === long.slice(at + 1);
  const swapped = short[at] === long[at + 1] && short[at + 1] === long[at];
  return swapped && at + 2 < long.length && short.slice(at + 2) === long.slice(at + 2);
}

/** What kind of difference a word makes that only one of two texts has. */
export function differenceIn(word: Word): Difference {
  const { key, written } = word;
  if (word.negation || NEGATIVES.has(key)) return 'negation';
  if (key === '?') return 'question';
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(key)) return 'address';
  if (/[\\/]/.test(key) && /[\p{L}\p{N}]/u.test(key)) return 'path';
  if (VERSION.test(key)) return 'version';
  if (DATE.test(key) || MONTH_OR_DAY.test(key)) return 'date';
  if (/^[+-]?\p{N}[\p{N}.,_-]*$/u.test(key)) return 'number';
  if (word.counted || /^\p{Sc}/u.test(key)) return 'unit';
  if (!/[\p{L}\p{N}]/u.test(key)) return 'sign';
  if (word.code || /[^\p{L}\p{M}'-]|\p{Ll}\p{Lu}|^-/u.test(key)) return 'identifier';
  return !word.starts && /^\p{Lu}/u.test(written) ? 'name' : 'word';
}
