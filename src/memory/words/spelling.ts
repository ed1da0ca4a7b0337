/** Longest word that is corrected: the distance uses the bits of a 32-bit number. */
const MAX_CHARS = 31;
const SHORTEST_WORD = 5;
/** From this length two errors are allowed, below it one. */
const LONG_WORD = 8;
/** Minimum stem length: shorter stems occur in too many words. */
const SHORTEST_STEM = 4;
const SHORTEST_CANDIDATE = 3;
const BEST = 3;
/** Minimum suffix length with an error: two letters do not identify a suffix. */
const SHORTEST_TAIL = 3;
/** Penalty of a match as stem plus misspelled suffix, compared with the whole word. */
const SUFFIX_COST = 0.25;
const SPELLED = /^\p{L}+$/u;

/** English suffixes. The stemmer does not recognize a misspelled one: it does not reduce `configuraiton` to `configur`. */
const SUFFIXES: ReadonlySet<string> = new Set(
  `
s es ed er ers ing ings e y ies ied ly al ally ful ous ive ives ion ions ation ations ication ications ator ators ate ates ated ating
ment ments ness able ible ability ibility ity ities ize izes ized izing ization ise ised ising isation ance ence ences ancy ency encies ant ent
`
    .trim()
    .split(/\s+/),
);

/** A query word as typed (lower case, folded) and as indexed. */
export interface Misspelled {
  readonly word: string;
  readonly token: string;
}

/**
 * Corrections of a word among `lookalikes`: those at the smallest distance, at most one error (two from 8 letters), most frequent first, at
 * most 3. An error is an extra, missing or wrong letter, or two swapped neighbours.
 */
export function respell(
  { word, token }: Misspelled,
  lookalikes: Iterable<string>,
  documentFrequency: (token: string) => number,
): readonly string[] {
  if (!isSpelled(word) || token.length < SHORTEST_WORD || token.length > MAX_CHARS) return [];
  const allowed = token.length < LONG_WORD ? 1 : 2;
  const whole = new Pattern(token);
  const endings = endingDistances(word);
  let least = allowed + SUFFIX_COST;
  let found: string[] = [];
  for (const candidate of lookalikes) {
    if (candidate.length < SHORTEST_CANDIDATE) continue;
    const distance = Math.min(whole.distanceTo(candidate, allowed), stemDistance(word, endings, candidate));
    if (distance > least) continue;
    if (distance < least) found = [];
    least = distance;
    found.push(candidate);
  }
  return found.toSorted((a, b) => documentFrequency(b) - documentFrequency(a) || (a < b ? -1 : 1)).slice(0, BEST);
}

/** Whether a word can be corrected: letters only, neither very short nor very long. */
export function isSpelled(word: string): boolean {
  return word.length >= SHORTEST_WORD && word.length <= MAX_CHARS && SPELLED.test(word);
}

/**
 * Edit distance of two words of at most 31 UTF-16 units: insertions, deletions, replacements and swaps of neighbours count 1 each; i and y
 * are equal.
 */
export function editDistance(left: string, right: string): number {
  return new Pattern(left).distanceTo(right, MAX_CHARS);
}

/** Distance of the rest after the stem to a suffix, if the word begins with the stem and the rest has at most one error; else Infinity. */
function stemDistance(word: string, endings: readonly number[], stem: string): number {
  if (stem.length < SHORTEST_STEM || stem.length >= word.length || !word.startsWith(stem)) return Infinity;
  return endings[stem.length]! + SUFFIX_COST;
}

/** For each cut of the word: 0 if a suffix follows, 1 if a suffix with one error follows, else Infinity. */
function endingDistances(word: string): readonly number[] {
  return Array.from({ length: word.length + 1 }, (_, cut) => {
    const tail = word.slice(cut);
    if (SUFFIXES.has(tail)) return 0;
    if (tail.length < SHORTEST_TAIL) return Infinity;
    const pattern = new Pattern(tail);
    // Another first letter belongs to another stem: `charged` is not `char` plus a wrong `ed`.
    for (const suffix of SUFFIXES) {
      if (suffix.length < SHORTEST_TAIL || (suffix[0] !== tail[0] && suffix[1] !== tail[0])) continue;
      if (pattern.distanceTo(suffix, 1) <= 1) return 1;
    }
    return Infinity;
  });
}

const masks = new Int32Array(0x10000);
const [I, Y] = [105, 121];

/** i and y count as one letter: the stemmer gives `retri` for `retry`, but `retyr` for its misspelling. */
function setBit(unit: number, bit: number): void {
  masks[unit]! |= bit;
  if (unit === I) masks[Y]! |= bit;
  else if (unit === Y) masks[I]! |= bit;
}

function clear(unit: number): void {
  masks[unit] = 0;
  if (unit === I || unit === Y) masks[I] = masks[Y] = 0;
}

/**
 * A word to compare with many: bit-parallel edit distance of Myers (1999), with swaps of neighbours by Hyyrö (2003). About 5 ns per letter
 * of the other word.
 */
class Pattern {
  readonly #word: string;
  #plus = 0;
  #minus = 0;

  constructor(word: string) {
    this.#word = word;
  }

  /** Edit distance; Infinity above `allowed`. */
  distanceTo(other: string, allowed: number): number {
    if (Math.abs(other.length - this.#word.length) > allowed) return Infinity;
    const distance = this.#distance(other);
    return distance > allowed ? Infinity : distance;
  }

  /** Edit distance to the whole of the other word. */
  #distance(other: string): number {
    this.#run(other);
    let distance = other.length;
    for (let at = 0; at < this.#word.length; at++) distance += ((this.#plus >>> at) & 1) - ((this.#minus >>> at) & 1);
    return distance;
  }

  #run(other: string): void {
    const word = this.#word;
    for (let at = 0; at < word.length; at++) setBit(word.charCodeAt(at), 1 << at);
    let plus = -1;
    let minus = 0;
    let diagonal = 0;
    let before = 0;
    for (let at = 0; at < other.length; at++) {
      const equal = masks[other.charCodeAt(at)]!;
      const swapped = ((~diagonal & equal) << 1) & before;
      diagonal = ((((equal & plus) + plus) ^ plus) | equal | minus | swapped) >>> 0;
      const across = ((minus | ~(diagonal | plus)) << 1) | 1;
      const back = (diagonal & plus) << 1;
      plus = back | ~(diagonal | across);
      minus = across & diagonal;
      before = equal;
    }
    this.#plus = plus;
    this.#minus = minus;
    for (let at = 0; at < word.length; at++) clear(word.charCodeAt(at));
  }
}
