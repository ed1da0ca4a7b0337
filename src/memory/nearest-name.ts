/** Edit distance allowed as a share of the name's length, and the minimum that is always allowed. */
const MISSPELT_SHARE = 0.25;
const LEAST_MISTAKES = 2;
/** Names up to this length may differ by one edit only: they are close to too many others. */
const SHORT_CHARS = 3;
/** Longer names are not compared: they are not misspellings, and the comparison would be slow. */
const MAX_CHARS = 200;

/**
 * The most similar name to `unknown`, or undefined if none is similar. Letter case, `_` and `-` are ignored, so `dry_run` is `dryRun`. The
 * last part of a dotted name matches the whole name.
 */
export function nearestName(unknown: string, names: readonly string[]): string | undefined {
  if (unknown.length > MAX_CHARS) return undefined;
  const wanted = plain(unknown);
  const ranked = names
    .map((name) => {
      const known = plain(name);
      const misplaced = lastPart(known) === lastPart(wanted) ? 1 : Infinity;
      return { name, distance: Math.min(misplaced, editDistance(wanted, known)) };
    })
    .sort((a, b) => a.distance - b.distance);
  const best = ranked[0];
  const most = wanted.length <= SHORT_CHARS ? 1 : Math.max(LEAST_MISTAKES, wanted.length * MISSPELT_SHARE);
  return best && best.distance <= most ? best.name : undefined;
}

const plain = (name: string): string => name.toLowerCase().replaceAll(/[_-]/g, '');
const lastPart = (name: string): string => name.slice(name.lastIndexOf('.') + 1);

/** Levenshtein distance. */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let line = 1; line <= a.length; line++) {
    const next = [line];
    for (let column = 1; column <= b.length; column++) {
      const replaced = (row[column - 1] ?? 0) + (a[line - 1] === b[column - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[column] ?? 0) + 1, (next[column - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
