import { diffArrays } from 'diff/lib/diff/array.js';

/** Unchanged lines shown before and after a change. */
const CONTEXT = 1;
/** With more changed lines, both texts are shown completely, because the time to compare grows with the square. */
const MAX_EDITS = 1_000;

/** A line diff: `- ` before, `+ ` after, ` ` one line of context, `…` for omitted lines. Empty for equal texts. */
export function lineDiff(before: string, after: string): string[] {
  if (before === after) return [];
  const [old, fresh] = [before.split('\n'), after.split('\n')];
  const changes = diffArrays(old, fresh, { maxEditLength: MAX_EDITS });
  if (changes === undefined) return [...signed('-', old), ...signed('+', fresh)];
  return shortened(changes.flatMap(({ value, added, removed }) => signed(added ? '+' : removed ? '-' : ' ', value)));
}

const signed = (sign: string, lines: readonly string[]): string[] => lines.map((line) => `${sign} ${line}`);

/** Only the surroundings of a change. */
function shortened(lines: readonly string[]): string[] {
  const isNear = lines.map((_, at) => lines.slice(Math.max(0, at - CONTEXT), at + CONTEXT + 1).some((line) => !line.startsWith('  ')));
  return lines.flatMap((line, at) => {
    if (isNear[at] === true) return [line];
    return at > 0 && isNear[at - 1] === false ? [] : ['…'];
  });
}
