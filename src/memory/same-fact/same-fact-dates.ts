import type { Word } from './same-fact-words.ts';

const MONTHS = ['january', 'february', 'march', 'april', 'may', 'june', 'july', 'august', 'september', 'october', 'november', 'december'];
const DAY = /^(?:[1-9]|0[1-9]|[12]\d|3[01])$/;
const YEAR = /^(?:19|20)\d\d$/;
const CAPITAL = /^\p{Lu}/u;

/**
 * Joins dates to one word: `4 May 2027` and `May 4, 2027` equal `2027-05-04`; `May 4` has no year. English month names with a capital only.
 */
export function joinDates(words: readonly Word[]): Word[] {
  const joined: Word[] = [];
  for (let at = 0; at < words.length;) {
    const date = dateAt(words, at);
    joined.push(date?.word ?? words[at]!);
    at += date?.length ?? 1;
  }
  return joined;
}

function dateAt(words: readonly Word[], at: number): { word: Word; length: number } | undefined {
  const [one, two, three] = [words[at], words[at + 1], words[at + 2]];
  if (!one || !two || one.code || two.code || two.starts) return undefined;
  const month = monthOf(one) ?? monthOf(two);
  const day = monthOf(one) === undefined ? one : two;
  if (month === undefined || !DAY.test(day.key)) return undefined;
  const year = three !== undefined && !three.code && !three.starts && YEAR.test(three.key) ? three : undefined;
  const parts = year === undefined ? [one, two] : [one, two, year];
  const key = `${year?.key ?? '-'}-${month}-${day.key.padStart(2, '0')}`;
  return { word: { ...one, key, written: parts.map(({ written }) => written).join(' ') }, length: parts.length };
}

/** Month `01` to `12`; accepts abbreviations such as `Sep` and `Sept`. */
function monthOf({ key, written }: Word): string | undefined {
  if (!CAPITAL.test(written)) return undefined;
  const month = key.toLowerCase();
  const nth = MONTHS.findIndex((name) => name === month || (month.length >= 3 && month.length <= 4 && name.startsWith(month)));
  return nth < 0 ? undefined : String(nth + 1).padStart(2, '0');
}
