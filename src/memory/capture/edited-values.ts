import { mayContainSecret } from '../secrets/possible-secrets.ts';
import { numberSynonyms } from '../words/numbers.ts';
import { tokenize } from '../words/tokens.ts';

/** An edit that replaces more than this many words replaces no single value. */
const MOST_REPLACED = 6;
/** Of a trace, UTF-16 units. */
const TRACE_CHARS = 160;
/** Minimum size of a removed text in words; numbers may be shorter. */
const LEAST_TRACE = 2;
const PATCHED_FILE = /^\*\*\* (?:Add|Update|Delete) File: (.+)$/;

/** A value that an edit replaced, and the new one: indexed words. */
export interface EditedValue {
  readonly before: readonly string[];
  readonly after: readonly string[];
}

/** One replaced place in a file: the removed and the added lines. */
export interface Edit {
  readonly file: string;
  readonly removed: string;
  readonly added: string;
}

/** The places that a patch (`-old`, `+new`) changes, each with the lines added after those that it removes. `file`: for a patch that names none. */
export function editsOf(patch: string, file = ''): Edit[] {
  const found: Edit[] = [];
  let named = file;
  let run = { removed: [] as string[], added: [] as string[] };
  const flush = (): void => {
    if (run.removed.length + run.added.length > 0)
      found.push({ file: named, removed: run.removed.join('\n'), added: run.added.join('\n') });
    run = { removed: [], added: [] };
  };
  for (const line of patch.split('\n')) {
    if (line.startsWith('-') && run.added.length > 0) flush();
    if (line.startsWith('-')) run.removed.push(line.slice(1));
    else if (line.startsWith('+')) run.added.push(line.slice(1));
    else flush();
    named = PATCHED_FILE.exec(line)?.[1]?.trim() ?? named;
  }
  flush();
  return found;
}

/**
 * The value that an edit replaces: words only in the removed lines, and words only in the added ones. Undefined if there are none on either
 * side, or many.
 */
export function valueOf({ removed, added }: Edit): EditedValue | undefined {
  const [old, now] = [wordsOf(removed), wordsOf(added)];
  const [before, after] = [[...old].filter((word) => !now.has(word)), [...now].filter((word) => !old.has(word))];
  return isFew(before) && isFew(after) ? { before, after } : undefined;
}

/** What an edit brought into a file, to recognise it where a later edit replaces it: `src/time.rs: pub const night u8 22 5`. */
export function traceOf({ file, added }: Edit): string | undefined {
  const words = mayContainSecret(added, added) ? '' : tokenize(added).join(' ').slice(0, TRACE_CHARS);
  return words === '' || file === '' ? undefined : `${file}: ${words}`;
}

/** Whether an edit removes what left one of these traces, or a part of it. */
export function replacesTrace({ file, removed }: Edit, traces: readonly string[]): boolean {
  const tokens = tokenize(removed);
  if (tokens.length < LEAST_TRACE && !tokens.some((token) => NUMBER.test(token))) return false;
  const words = tokens.join(' ');
  return traces.some((trace) => trace.startsWith(`${file}: `) && meets(trace.slice(file.length + 2), words));
}

/** Whether these traces are all of other files than the edit. */
export const isOfOtherFile = ({ file }: Edit, traces: readonly string[]): boolean =>
  traces.length > 0 && !traces.some((trace) => trace.startsWith(`${file}: `));

const meets = (one: string, other: string): boolean => ` ${one} `.includes(` ${other} `) || ` ${other} `.includes(` ${one} `);

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
function wordsOf(text: string): Set<string> {
  const words = new Set(tokenize(text));
  const parts = new Set([...words].flatMap((word) => (NUMBER.test(word) ? word.split(/[_.,]/).filter((part) => part !== word) : [])));
  return new Set([...words].filter((word) => !parts.has(word)));
}
const isFew = (words: readonly string[]): boolean => words.length > 0 && words.length <= MOST_REPLACED;
