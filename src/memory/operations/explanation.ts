/** How a word of the query found a word of an entry. */
export const MATCH_KINDS = ['exact', 'equivalent', 'category', 'related', 'spelling'] as const;
export type MatchKind = (typeof MATCH_KINDS)[number];

/** One word of the query and what it found in one entry. */
export interface MatchedTerm {
  /** The word of the query, as the index writes it (folded, stemmed). */
  readonly term: string;
  /** The word of the entry that counted for it; equal to `term` where `kind` is `exact`. */
  readonly matched: string;
  readonly kind: MatchKind;
  /** How often `matched` stands in the entry. */
  readonly count: number;
  /** Inverse document frequency: how telling the word is in this store. */
  readonly idf: number;
  /** Its part of the entry's BM25. */
  readonly bm25: number;
}

/** What counted for one result. `parts` add up to the rank value that results are ordered by. */
export interface Explanation {
  /** What results are ordered by; comparable within one search only. */
  readonly rankValue: number;
  /**
   * Name of a feature -> its part of `rankValue`: `meaning` (of single words), `equal` (the text is the query), `phrase` (it holds the query as a whole), `bm25`, `proximity`,
   * `early`, `negation`, `vector`, `meaning` (of single words), `recency`, `importance`, `order` (the same words as another in the order of the query), `speaker` (a turn of
   * a conversation by someone whom the query names), `beside` (next to a turn that answers), `correction`.
   */
  readonly parts: Readonly<Record<string, number>>;
  readonly vector?: { readonly cosine: number };
  readonly keyword?: {
    readonly bm25: number;
    /** Share 0..1 of the query's weight (idf) that the entry holds. */
    readonly coverage: number;
    readonly terms: readonly MatchedTerm[];
    /** Words of the query that the entry does not hold in any form. */
    readonly missing: readonly string[];
  };
  /** The filters that were in force, in plain words; empty where there were none. */
  readonly filters: readonly string[];
}
