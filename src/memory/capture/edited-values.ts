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

const wordsOf = (lines: readonly string[]): Set<string> => new Set(tokenize(lines.join(' ')));
const isFew = (words: readonly string[]): boolean => words.length > 0 && words.length <= MOST_REPLACED;
