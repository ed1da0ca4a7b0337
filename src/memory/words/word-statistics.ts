/** How common each indexed word is in the store: what query-side weighting needs. */
export interface WordStatistics {
  /** Rows counted. */
  readonly rows: number;
  /** Rows that hold this token (as `tokens.ts` writes it into the search text). */
  documentFrequency(token: string): number;
}

/** What ranking needs to know of the words of a store. */
export interface Vocabulary extends WordStatistics {
  /** Mean number of tokens of a row, without stop words; 0 where there are no rows. */
  readonly averageLength: number;
  /** Rises whenever a word comes that was not there; absent where nobody counts. */
  readonly learned?: number;
  /**
   * Tokens of the store that start like this word, or like it with its first two letters swapped, of about its length or as much shorter as
   * a suffix is long: what spelling looks among.
   */
  lookalikes(token: string): Iterable<string>;
  /** Tokens of the store that begin with these letters. */
  beginningWith(letters: string): Iterable<string>;
}

/** Before anything is known: every word counts the same. */
export const noStatistics: WordStatistics = { rows: 0, documentFrequency: () => 0 };
