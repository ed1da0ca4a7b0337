import { STOP_WORDS } from '../../memory/words/stop-words.ts';
import { isStopWord, tokenize } from '../../memory/words/tokens.ts';

/** Positions of one token in one text that are kept; ranking needs only the first ones. */
const MAX_PLACES = 32;
/** Only this much of a longer text is read word by word, about 2 ns per unit; the rest is only searched for words not yet found. */
const READ_CHARS = 65_536;
const BLANK = 32;
const FNV_START = 0x811c9dc5;
const FNV_PRIME = 0x01000193;
const STOP_WORD = -1;

/** Positions of the wanted tokens in one search text. */
export interface Occurrences {
  /** Number of significant tokens, with the parts of compounds counted too. */
  readonly length: number;
  /** For each wanted token, in the given order: its frequency. */
  readonly counts: readonly number[];
  /** For each wanted token, its first positions in tokens from the start, ascending. */
  readonly places: readonly (readonly number[])[];
}

const stopWordHashes: ReadonlySet<number> = new Set(STOP_WORDS.flatMap(tokenize).map(hashOf));

/** Finds a fixed set of tokens in many search texts, each read once without being split. */
export class TokenFinder {
  readonly #tokens: readonly string[];
  readonly #silent: readonly boolean[];
  /** Hash of a token -> its index; of a stop word -> STOP_WORD. */
  readonly #byHash: ReadonlyMap<number, number>;

  constructor(tokens: readonly string[]) {
    this.#tokens = tokens;
    this.#silent = tokens.map(isStopWord);
    const byHash = new Map<number, number>();
    for (const hash of stopWordHashes) byHash.set(hash, STOP_WORD);
    for (const [index, token] of tokens.entries()) byHash.set(hashOf(token), index);
    this.#byHash = byHash;
  }

  /** `stream` is a search text: tokens joined by one blank each. Linear in it, and bounded for very long ones. */
  find(stream: string): Occurrences {
    const counts = this.#tokens.map(() => 0);
    const places = this.#tokens.map((): number[] => []);
    const end = stream.length <= READ_CHARS ? stream.length : stream.indexOf(' ', READ_CHARS);
    const stop = end < 0 ? stream.length : end;
    let [length, place, start, hash] = [0, 0, 0, FNV_START];
    for (let at = 0; at <= stop; at++) {
      const unit = at < stop ? stream.charCodeAt(at) : BLANK;
      if (unit !== BLANK) {
        hash = Math.imul(hash ^ unit, FNV_PRIME);
        continue;
      }
      if (at > start) {
        const index = this.#byHash.get(hash);
        if (index === undefined || (index !== STOP_WORD && !this.#silent[index])) length++;
        if (index !== undefined && index >= 0 && this.#isAt(index, stream, start, at)) {
          counts[index]!++;
          if (places[index]!.length < MAX_PLACES) places[index]!.push(place);
        }
        place++;
      }
      start = at + 1;
      hash = FNV_START;
    }
    if (stop === stream.length) return { length, counts, places };
    return { length: Math.round((length * stream.length) / stop), counts: this.#withRest(stream, { stop, place }, counts, places), places };
  }

  /** The counts; a token found only in the rest of a long text counts once, and its position is an estimate. */
  #withRest(stream: string, read: { stop: number; place: number }, counts: readonly number[], places: number[][]): number[] {
    return counts.map((count, index) => {
      if (count > 0) return count;
      const at = stream.indexOf(` ${this.#tokens[index]} `, read.stop);
      if (at < 0 && !stream.endsWith(` ${this.#tokens[index]}`)) return 0;
      places[index]!.push(Math.round((read.place * (at < 0 ? stream.length : at)) / read.stop));
      return 1;
    });
  }

  #isAt(index: number, stream: string, start: number, end: number): boolean {
    const token = this.#tokens[index]!;
    return token.length === end - start && stream.startsWith(token, start);
  }
}

function hashOf(token: string): number {
  let hash = FNV_START;
  for (let at = 0; at < token.length; at++) hash = Math.imul(hash ^ token.charCodeAt(at), FNV_PRIME);
  return hash;
}
