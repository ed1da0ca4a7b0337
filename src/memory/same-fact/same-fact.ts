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

/**
 * What forbids to keep only one of two texts, in plain words, or undefined where whoever reads one knows what the other says. Only form may
 * differ: white space, punctuation, Markdown, upper and lower case of prose, ways to write a number, a unit or a date, English
 * articles, an adverbial that stands first or last. Any other word, sign or order forbids it, so most paraphrases are refused. Symmetric.
 * Linear in the texts.
 */
export function differenceOf(a: string, b: string): Difference | undefined {
  if (a === b) return undefined;
  if (a.length > LONGEST_COMPARED || b.length > LONGEST_COMPARED) return a.normalize('NFC') === b.normalize('NFC') ? undefined : 'word';
  const [one, other] = [readWords(a), readWords(b)];
  const [left, right] = [joinDates(one.words), joinDates(other.words)];
  const difference = wordDifference(left.filter(isTelling), right.filter(isTelling));
  if (difference === 'order of words' && isReordered(left, right, isSame)) return undefined;
  if (difference !== undefined) return difference;
  if (one.code.join('\n') !== other.code.join('\n')) return 'code';
  return one.depths === other.depths ? undefined : 'indentation';
}

/**
 * Whether compaction may keep one of two texts and archive the other: near enough by cosine, and nothing tells them apart. Saving never
 * asks this: there only the same content, after NFC, is a duplicate.
 */
export function mayMerge(a: string, b: string, similarity: number, threshold: number): boolean {
  return similarity >= threshold && differenceOf(a, b) === undefined;
}

const isTelling = ({ empty }: Word): boolean => !empty;

function wordDifference(left: readonly Word[], right: readonly Word[]): Difference | undefined {
  if (left.length === right.length && left.every((word, at) => isSame(word, right[at]!))) return undefined;
  const extra = [...without(left, right), ...without(right, left)];
  if (extra.length === 0) return left.some((word, at) => word.key !== right[at]?.key) ? 'order of words' : 'letter case';
  const found = new Set(extra.map(differenceIn));
  return DIFFERENCES.find((difference) => found.has(difference));
}

/** The words that stand oftener on one side than on the other. */
function without(words: readonly Word[], others: readonly Word[]): Word[] {
  const left = new Map<string, number>();
  for (const { key } of others) left.set(key, (left.get(key) ?? 0) + 1);
  return words.filter(({ key }) => {
    const count = left.get(key) ?? 0;
    left.set(key, count - 1);
    return count <= 0;
  });
}

function isSame(one: Word, other: Word): boolean {
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

function differenceIn(word: Word): Difference {
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
