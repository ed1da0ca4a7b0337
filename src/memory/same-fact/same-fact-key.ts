import { joinDates } from './same-fact-dates.ts';
import { americanSpelling, readWords } from './same-fact-words.ts';

/** From this length on a slip of the keys makes no other word (see `differenceOf`). */
const LONG_WORD = 10;
const PLAIN = /^[a-z]+$/;
/** Words shorter than a long one are written in one way only, but for those below; `favourites` is, as `favorites`. See `isSteadyWord`. */
export const STEADY_WORD = /(?<![a-z])[a-z]{4,10}(?![a-z])/g;
/** Of a steady word. */
export const SHOWN_LETTERS = 3;
/** They have other forms (`seconds` and `s`, `three` and `3`, `May 4` and a date, `will` and `'ll`), or may be left out. */
const UNSTEADY: ReadonlySet<string> = new Set(
  (
    'secs second seconds msec mins minute minutes hour hours percent gigabyte gigabytes megabyte megabytes kilobyte kilobytes ' +
    'zero three four five seven eight nine eleven twelve cannot will have please note remember reminder hinweis merke ' +
    'january february march april june july august september sept october november december'
  ).split(' '),
);

/**
 * The same for two texts of the same key, and ten times as fast to make: what is alone with its sketch needs no key. The beginnings of
 * their plain words, each once.
 */
export function sameFactSketch(text: string): string {
  const words = text.normalize('NFC').toLowerCase().match(STEADY_WORD) ?? [];
  const beginnings = new Set<string>();
  for (const word of words) {
    if (isSteadyWord(word)) beginnings.add(word.slice(0, SHOWN_LETTERS));
  }
  return [...beginnings].toSorted().join(' ');
}

/** Whether a match of `STEADY_WORD` begins with the same letters in every text that has this word. */
export const isSteadyWord = (word: string): boolean =>
  word.length < LONG_WORD ? !UNSTEADY.has(word) : americanSpelling(word).length < LONG_WORD;

/**
 * The same for two texts that say the same (`differenceOf` finds nothing), and for few others: what is compared is only what shares it.
 * Words in any order, since some order says nothing. A text that mixes code and prose in another way than its twin may miss it. About as
 * long as the text; linear in it.
 */
export function sameFactKey(text: string): string {
  const { words, code, depths } = readWords(text);
  const told = joinDates(words).flatMap(({ key, empty }) => (empty ? [] : [skeleton(key.toLowerCase())]));
  return [told.toSorted().join(' '), ...code, depths].join('\n');
}

/** Without order and repetition of its letters, a long word with two of them swapped or one doubled is the word itself. */
function skeleton(word: string): string {
  return word.length >= LONG_WORD && PLAIN.test(word) ? [...new Set(word)].toSorted().join('') : word;
}
