import { numberSynonyms } from '../words/numbers.ts';
import { tokenize } from '../words/tokens.ts';

/** An edit that replaces more than this many words replaces no single value. */
const MOST_REPLACED = 3;

/** A value that an edit replaced, and the new one: indexed words. */
export interface EditedValue {
  readonly before: readonly string[];
  readonly after: readonly string[];
}

/**
 * The values that the lines of a patch (`-old`, `+new`) replace: words only in the removed lines of a run, and words only in the added
 * lines after it. Runs without removed words, or with many on either side, are left out.
 */
export function editedValues(patch: string): EditedValue[] {
  const found: EditedValue[] = [];
  let run = { removed: [] as string[], added: [] as string[] };
  const flush = (): void => {
    const [removed, added] = [wordsOf(run.removed), wordsOf(run.added)];
    const [before, after] = [[...removed].filter((word) => !added.has(word)), [...added].filter((word) => !removed.has(word))];
    if (isFew(before) && isFew(after)) found.push({ before, after });
    run = { removed: [], added: [] };
  };
  for (const line of patch.split('\n')) {
    if (line.startsWith('-') && run.added.length > 0) flush();
    if (line.startsWith('-')) run.removed.push(line.slice(1));
    else if (line.startsWith('+')) run.added.push(line.slice(1));
    else flush();
  }
  flush();
  return found;
}

/** No part of a version, a date or a decimal. */
const NUMBERS = /(?<![\d.,_])\d[\d_]*(?:[.,]\d+)?(?![.,]?\d)/g;
const NUMBER = /^\d/;
/** `2.5 MHz` in code: `2_500_000`. */
const SCALES = [1, 1e3, 1e6, 1e9];
/** `tue` for Tuesday. */
const LEAST_SHORTENED = 3;

/** Whether a text names one of the values, also in another notation: `90 s` for `90_000`, `fourteen` for `14`, `Tuesday` for `tue`. */
export function namesValue(text: string, values: readonly string[]): boolean {
  const tokens = tokenize(text);
  const spelled = [...numberSynonyms(tokens)].flatMap(([word, forms]) => (NUMBER.test(word) ? [] : forms.flatMap((form) => form.tokens)));
  const said = new Set(tokens);
  const numbers = [...numbersIn(text), ...numbersIn(spelled.join(' '))];
  return values.some((value) => {
    if (NUMBER.test(value)) return numbersIn(value).some((number) => numbers.some((other) => isSame(number, other)));
    return said.has(value) || (value.length >= LEAST_SHORTENED && tokens.some((token) => token.startsWith(value)));
  });
}

const numbersIn = (text: string): number[] => (text.match(NUMBERS) ?? []).map((each) => Number(each.replaceAll('_', '').replace(',', '.')));
const isSame = (inCode: number, said: number): boolean => SCALES.some((scale) => inCode === said * scale);

/** Indexed words, without the parts of a number such as `2_072_500_000`. */
function wordsOf(lines: readonly string[]): Set<string> {
  const words = new Set(tokenize(lines.join(' ')));
  const parts = new Set([...words].flatMap((word) => (NUMBER.test(word) ? word.split(/[_.,]/).filter((part) => part !== word) : [])));
  return new Set([...words].filter((word) => !parts.has(word)));
}
const isFew = (words: readonly string[]): boolean => words.length > 0 && words.length <= MOST_REPLACED;
