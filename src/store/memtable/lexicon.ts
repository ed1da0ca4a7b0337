import { isStopWord } from '../../memory/words/tokens.ts';
import type { Vocabulary } from '../../memory/words/word-statistics.ts';

/** How much a misspelling may differ in length. The stem of a word is shorter by its suffix. */
const LONGER = 2;
const SHORTER = 8;
const LONGEST_LOOKALIKE = 32;

interface SavedLexicon {
  readonly rows: number;
  /** Total number of significant words of all rows. */
  readonly length: number;
  /** Word -> number of rows with it. */
  readonly words: readonly (readonly [string, number])[];
}

/**
 * Document frequencies: the words of a set of rows, with the number of rows of each; about 100 bytes per word. Takes the search text of
 * each row, tokens joined by blanks.
 */
export class Lexicon implements Vocabulary {
  /** Number of words added to any lexicon of this process. */
  static learned = 0;
  /** Set if some rows could not be counted: usable, but not stored. */
  isPartial = false;
  readonly #frequencies = new Map<string, number>();
  /** First character and length -> words. */
  readonly #shelves = new Map<string, Set<string>>();
  /** Words added since the last spelling lookup; they are indexed lazily. */
  readonly #unshelved = new Set<string>();
  #rows = 0;
  #length = 0;

  /** Loads the result of `save`. */
  static restore({ rows, length, words }: SavedLexicon): Lexicon {
    const lexicon = new Lexicon();
    lexicon.#rows = rows;
    lexicon.#length = length;
    for (const [token, frequency] of words) {
      lexicon.#frequencies.set(token, frequency);
      if (token.length <= LONGEST_LOOKALIKE) lexicon.#unshelved.add(token);
    }
    return lexicon;
  }

  get rows(): number {
    return this.#rows;
  }

  get averageLength(): number {
    return this.#rows === 0 ? 0 : this.#length / this.#rows;
  }

  documentFrequency(token: string): number {
    return this.#frequencies.get(token) ?? 0;
  }

  *lookalikes(token: string): Iterable<string> {
    const [first, second] = token;
    if (first === undefined) return;
    this.#shelve();
    for (const initial of new Set([first, second ?? first])) {
      for (let length = Math.max(1, token.length - SHORTER); length <= token.length + LONGER; length += 1) {
        yield* this.#shelves.get(`${initial}${length}`) ?? [];
      }
    }
  }

  *beginningWith(letters: string): Iterable<string> {
    this.#shelve();
    for (let length = letters.length; length <= LONGEST_LOOKALIKE; length += 1) {
      for (const token of this.#shelves.get(`${letters.charAt(0)}${length}`) ?? []) if (token.startsWith(letters)) yield token;
    }
  }

  save(): SavedLexicon {
    return { rows: this.#rows, length: this.#length, words: [...this.#frequencies] };
  }

  add(searchText: string): void {
    this.#rows += 1;
    for (const token of this.#count(searchText, 1)) this.#raise(token, 1);
  }

  /** Adds the counts of another lexicon. */
  merge(other: Lexicon): void {
    this.#rows += other.#rows;
    this.#length += other.#length;
    for (const [token, frequency] of other.#frequencies) this.#raise(token, frequency);
  }

  remove(searchText: string): void {
    this.#rows -= 1;
    for (const token of this.#count(searchText, -1)) {
      const left = (this.#frequencies.get(token) ?? 1) - 1;
      if (left > 0) this.#frequencies.set(token, left);
      else {
        this.#frequencies.delete(token);
        this.#unshelved.delete(token);
        this.#shelves.get(shelfOf(token))?.delete(token);
      }
    }
  }

  #raise(token: string, by: number): void {
    const before = this.#frequencies.get(token) ?? 0;
    this.#frequencies.set(token, before + by);
    if (before > 0) return;
    Lexicon.learned += 1;
    if (token.length <= LONGEST_LOOKALIKE) this.#unshelved.add(token);
  }

  /** The distinct tokens; also counts significant words. */
  #count(searchText: string, step: 1 | -1): Set<string> {
    const different = new Set<string>();
    if (searchText === '') return different;
    for (const token of searchText.split(' ')) {
      different.add(token);
      if (!isStopWord(token)) this.#length += step;
    }
    return different;
  }

  #shelve(): void {
    for (const token of this.#unshelved) {
      const shelf = shelfOf(token);
      const words = this.#shelves.get(shelf);
      if (words === undefined) this.#shelves.set(shelf, new Set([token]));
      else words.add(token);
    }
    this.#unshelved.clear();
  }
}

const shelfOf = (token: string): string => `${token.charAt(0)}${token.length}`;
