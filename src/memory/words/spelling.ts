/** Longest word whose spelling is looked at: the distance works on the bits of one 32-bit number. */
const MAX_CHARS = 31;
const SHORTEST_WORD = 5;
/** From this length on two mistakes are forgiven, below it one. */
const LONG_WORD = 8;
/** A stem that is shorter than this is found in too many words to be what was meant. */
const SHORTEST_STEM = 4;
const SHORTEST_CANDIDATE = 3;
const BEST = 3;
/** In two letters a mistake leaves nothing to know a suffix by. */
const SHORTEST_TAIL = 3;
/** What a match of "stem and suffix" is put behind a match of the whole word by. */
const SUFFIX_COST = 0.25;
const SPELLED = /^\p{L}+$/u;

/** What English puts behind a stem. A mistake in there leaves the stemmer at a loss: `configuraiton` is no form of `configur` to it. */
const SUFFIXES: ReadonlySet<string> = new Set(
  `
s es ed er ers ing ings e y ies ied ly al ally ful ous ive ives ion ions ation ations ication ications ator ators ate ates ated ating
ment ments ness able ible ability ibility ity ities ize izes ized izing ization ise ised ising isation ance ence ences ancy ency encies ant ent
`
    .trim()
    .split(/\s+/),
);

/** A word of the query as it was typed (lower case, folded) and as the index would write it. */
export interface Misspelled {
  readonly word: string;
  readonly token: string;
}

/**
 * The tokens among `lookalikes` that the word was most likely meant to be: those at the least distance, at most one mistake (two from 8
 * letters), the most frequent first, at most 3. A mistake is a letter too many, too few, wrong, or two neighbours swapped.
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

/** Whether a word is one that may be misspelled: letters only, neither very short nor very long. */
export function isSpelled(word: string): boolean {
  return word.length >= SHORTEST_WORD && word.length <= MAX_CHARS && SPELLED.test(word);
}

/** Distance of two words of at most 31 UTF-16 units, insertions, deletions, replacements and swaps of neighbours counting 1 each; i is y. */
export function editDistance(left: string, right: string): number {
  return new Pattern(left).distanceTo(right, MAX_CHARS);
}

/** Distance of what follows the stem in the word to a suffix, where the stem is whole and that is a mistake at most; else Infinity. */
function stemDistance(word: string, endings: readonly number[], stem: string): number {
  if (stem.length < SHORTEST_STEM || stem.length >= word.length || !word.startsWith(stem)) return Infinity;
  return endings[stem.length]! + SUFFIX_COST;
}

/** For each place to cut the word, 0 where a suffix follows, 1 where one with a mistake in it does, else Infinity. */
function endingDistances(word: string): readonly number[] {
  return Array.from({ length: word.length + 1 }, (_, cut) => {
    const tail = word.slice(cut);
    if (SUFFIXES.has(tail)) return 0;
    if (tail.length < SHORTEST_TAIL) return Infinity;
    const pattern = new Pattern(tail);
    // A letter before the suffix belongs to another stem: `charged` is not `char` and a bad `ed`.
    for (const suffix of SUFFIXES) {
      if (suffix.length < SHORTEST_TAIL || (suffix[0] !== tail[0] && suffix[1] !== tail[0])) continue;
      if (pattern.distanceTo(suffix, 1) <= 1) return 1;
    }
    return Infinity;
  });
}

const masks = new Int32Array(0x10000);
const [I, Y] = [105, 121];

/** The stemmer writes `retri` for `retry`, but `retyr` for its misspelling: i and y count as one letter. */
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
 * One word to be compared with many: the bit-parallel form of the distance matrix by Myers (1999), with the term for swapped neighbours
 * of Hyyrö (2003). About 5 ns a letter of the other word.
 */
class Pattern {
  readonly #word: string;
  #plus = 0;
  #minus = 0;

  constructor(word: string) {
    this.#word = word;
  }

  /** Infinity where it is certainly more than `allowed`. */
  distanceTo(other: string, allowed: number): number {
    if (Math.abs(other.length - this.#word.length) > allowed) return Infinity;
    const distance = this.#distance(other);
    return distance > allowed ? Infinity : distance;
  }

  /** Distance to the whole of the other word. */
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
