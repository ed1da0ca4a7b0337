/** Frequencies of indexed words in a store, for ranking. */
export interface WordStatistics {
  /** Number of rows. */
  readonly rows: number;
  /** Number of rows that contain this token. */
  documentFrequency(token: string): number;
}

/** The vocabulary of a store, for query analysis and ranking. */
export interface Vocabulary extends WordStatistics {
  /** Mean number of tokens of a row, without stop words; 0 without rows. */
  readonly averageLength: number;
  /** Increases with each new word; absent if not counted. */
  readonly learned?: number;
  /**
   * Candidates for spelling correction: tokens that start like this word, or with its first two letters swapped, and have about its length
   * or are shorter by up to a suffix.
   */
  lookalikes(token: string): Iterable<string>;
  /** Tokens of the store that begin with these letters. */
  beginningWith(letters: string): Iterable<string>;
}

/** Statistics of an empty store: every word counts the same. */
export const noStatistics: WordStatistics = { rows: 0, documentFrequency: () => 0 };
