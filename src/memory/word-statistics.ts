/** How common each indexed word is in the store: what query-side weighting needs. */
export interface WordStatistics {
  /** Rows counted. */
  readonly rows: number;
  /** Rows that hold this token (as `tokens.ts` writes it into the search text). */
  documentFrequency(token: string): number;
}

/** Before anything is known: every word counts the same. */
export const noStatistics: WordStatistics = { rows: 0, documentFrequency: () => 0 };
