import { joinDates } from './same-fact-dates.ts';
import { isReordered } from './same-fact-order.ts';
import { readWords, type Word } from './same-fact-words.ts';

/** Kinds of differences, most important first: if there are several, the first is reported. */
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

/** Longer texts count as equal only if they are identical. UTF-16 units. */
const LONGEST_COMPARED = 200_000;
/** From this length a typo is not another word: of 118,000 English words hardly a pair differs only by that, except in spelling. */
const LONG_WORD = 10;
const PLAIN = /^[a-z]+$/;
const VERSION = /^(?:[~^<>=]*v?\d+(?:\.\d+)+\S*|[<>=~^]*v\d+\S*)$/i;
const MONTH_OR_DAY =
  /^(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?|(?:mon|tues|wednes|thurs|fri|satur|sun)days?)$/;
const DATE = /^(?:\d{4}-\d\d-\d\d|--\d\d-\d\d|\d{1,2}:\d\d(?::\d\d)?)$/;
const NEGATIVES: ReadonlySet<string> = new Set(['nobody', 'nothing', 'nowhere', 'invalid', 'impossible']);

/** A parsed text for comparison. */
export interface Fact {
  readonly text: string;
  /** All words, with normalized dates. */
  readonly words: readonly Word[];
  /** Content words. */
  readonly telling: readonly Word[];
  /** Lines of fenced code. */
  readonly code: readonly string[];
  readonly depths: string;
  /** Too long to parse: all other fields are empty. */
  readonly isTooLong: boolean;
}

/** Parses a text. Linear, about 1 MB/s. */
export function readFact(text: string): Fact {
  if (text.length > LONGEST_COMPARED) return { text, words: [], telling: [], code: [], depths: '', isTooLong: true };
  const { words: read, code, depths } = readWords(text);
  const words = joinDates(read);
  return { text, words, telling: words.filter(({ empty }) => !empty), code, depths, isTooLong: false };
}

/**
 * The difference because of which both texts must be kept, or undefined if they say the same. Only form may differ: white space,
 * punctuation, Markdown, letter case of prose, notation of numbers, units and dates, English articles, position of an adverbial. Any other
 * word, sign or order is a difference, so most paraphrases count as different. Symmetric. Linear.
 */
export function differenceOf(a: string, b: string): Difference | undefined {
  return a === b ? undefined : differenceBetween(readFact(a), readFact(b));
}

/** Like `differenceOf`, for parsed texts. */
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

/** Words that occur more often in the first list. */
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

/** Whether two long lower-case words differ by swapped neighbours or one doubled letter. */
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

/** The kind of difference of a word that is in only one text. */
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
