/** Unchanged lines shown before and after a change. */
const CONTEXT = 1;
/** Beyond so many pairs of lines the part that differs is shown as one change. */
const MAX_PAIRS = 4_000_000;

/** The lines that differ: `- ` before, `+ ` after, `  ` one line of what is around; `…` stands for more of it. Nothing for equal texts. */
export function lineDiff(before: string, after: string): string[] {
  if (before === after) return [];
  const [old, fresh] = [before.split('\n'), after.split('\n')];
  const start = sharedStart(old, fresh);
  const end = sharedStart(old.slice(start).toReversed(), fresh.slice(start).toReversed());
  const middle = changesOf(old.slice(start, old.length - end), fresh.slice(start, fresh.length - end));
  const kept = (lines: readonly string[]): string[] => lines.map((line) => `  ${line}`);
  return shortened([...kept(old.slice(0, start)), ...middle, ...kept(old.slice(old.length - end))]);
}

function sharedStart(one: readonly string[], other: readonly string[]): number {
  const at = one.findIndex((line, nth) => line !== other[nth]);
  return at === -1 ? Math.min(one.length, other.length) : at;
}

/** By the longest common subsequence of lines. */
function changesOf(old: readonly string[], fresh: readonly string[]): string[] {
  const [gone, come] = [old.map((line) => `- ${line}`), fresh.map((line) => `+ ${line}`)];
  if (old.length * fresh.length > MAX_PAIRS) return [...gone, ...come];
  const width = fresh.length + 1;
  const longest = new Uint32Array((old.length + 1) * width);
  for (let i = old.length - 1; i >= 0; i -= 1) {
    for (let j = fresh.length - 1; j >= 0; j -= 1) {
      const isSame = old[i] === fresh[j];
      const [below, right, both] = [longest[(i + 1) * width + j]!, longest[i * width + j + 1]!, longest[(i + 1) * width + j + 1]!];
      longest[i * width + j] = isSame ? both + 1 : Math.max(below, right);
    }
  }
  const lines: string[] = [];
  let [i, j] = [0, 0];
  while (i < old.length && j < fresh.length) {
    if (old[i] === fresh[j]) {
      lines.push(`  ${old[i]!}`);
      [i, j] = [i + 1, j + 1];
    } else if (longest[(i + 1) * width + j]! >= longest[i * width + j + 1]!) lines.push(gone[i++]!);
    else lines.push(come[j++]!);
  }
  return [...lines, ...gone.slice(i), ...come.slice(j)];
}

/** Only what is near a change. */
function shortened(lines: readonly string[]): string[] {
  const isNear = lines.map((_, at) => lines.slice(Math.max(0, at - CONTEXT), at + CONTEXT + 1).some((line) => !line.startsWith('  ')));
  return lines.flatMap((line, at) => {
    if (isNear[at] === true) return [line];
    return at > 0 && isNear[at - 1] === false ? [] : ['…'];
  });
}
