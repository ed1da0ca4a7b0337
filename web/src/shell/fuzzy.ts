/** A match: the ranges `[from, to)` in order, and its score. */
export interface Match {
  /** Higher is better. */
  readonly score: number;
  readonly ranges: readonly (readonly [number, number])[];
}

const BEGINNING = 4;
const WORD = 3;
const INSIDE = 2;
const LETTERS = 1;
/** A shorter text would match almost everything. */
const LEAST_LETTERS = 3;
/** If letters are farther apart on average, the match is accidental. */
const APART = 4;

const isLetter = (char: string | undefined): boolean => char !== undefined && /[\p{L}\p{N}]/u.test(char);
const begins = (text: string, at: number): boolean => at === 0 || !isLetter(text[at - 1]);
/** Lower case, unless that changes positions. */
const folded = (text: string): string => (text.toLowerCase().length === text.length ? text.toLowerCase() : text);

function wordAt(word: string, text: string): Match | undefined {
  let inside = -1;
  for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + 1)) {
    if (begins(text, at)) return { score: at === 0 ? BEGINNING : WORD, ranges: [[at, at + word.length]] };
    if (inside === -1) inside = at;
  }
  return inside === -1 ? undefined : { score: INSIDE, ranges: [[inside, inside + word.length]] };
}

/** Matches letters in order, the first at the beginning of a word: `gtp` in `Go to page`. */
function lettersIn(word: string, text: string): Match | undefined {
  if (word.length < LEAST_LETTERS) return undefined;
  for (let start = text.indexOf(word[0] ?? ''); start !== -1; start = text.indexOf(word[0] ?? '', start + 1)) {
    if (!begins(text, start)) continue;
    const places = [start];
    for (const letter of word.slice(1)) {
      const next = text.indexOf(letter, (places.at(-1) ?? 0) + 1);
      if (next === -1) break;
      places.push(next);
    }
    const isNear = (places.at(-1) ?? 0) - start < word.length * APART;
    if (places.length === word.length && isNear) return { score: LETTERS, ranges: places.map((at) => [at, at + 1] as const) };
  }
  return undefined;
}

function joined(ranges: readonly (readonly [number, number])[]): (readonly [number, number])[] {
  const all: [number, number][] = [];
  for (const [from, to] of ranges.toSorted((a, b) => a[0] - b[0])) {
    const last = all.at(-1);
    if (last !== undefined && from <= last[1]) last[1] = Math.max(last[1], to);
    else all.push([from, to]);
  }
  return all;
}

/** How well a text matches the input. Every word must occur, as a whole or, with `loose`, as letters in order. */
export function fuzzyMatch(typed: string, text: string, { loose = false }: { readonly loose?: boolean } = {}): Match | undefined {
  const words = folded(typed).split(/\s+/).filter(Boolean);
  const lower = folded(text);
  const ranges: (readonly [number, number])[] = [];
  let score = 0;
  for (const word of words) {
    const match = wordAt(word, lower) ?? (loose ? lettersIn(word, lower) : undefined);
    if (match === undefined) return undefined;
    score += match.score / words.length;
    ranges.push(...match.ranges);
  }
  return { score, ranges: joined(ranges) };
}

/** Ranges of any of the words, for a text that was found in another way. */
export function wordsIn(typed: string, text: string): readonly (readonly [number, number])[] {
  const lower = folded(text);
  const found = folded(typed)
    .split(/\s+/)
    .filter((word) => word.length > 1)
    .flatMap((word) => {
      const match = wordAt(word, lower);
      return match === undefined || match.score < WORD ? [] : match.ranges;
    });
  return joined(found);
}
