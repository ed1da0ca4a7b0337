/** How a query word matched a word of an entry. */
export const MATCH_KINDS = ['exact', 'equivalent', 'category', 'related', 'spelling'] as const;
export type MatchKind = (typeof MATCH_KINDS)[number];

/** A query word and its match in one entry. */
export interface MatchedTerm {
  /** The query word as indexed (folded, stemmed). */
  readonly term: string;
  /** The matching word of the entry; equal to `term` if `kind` is `exact`. */
  readonly matched: string;
  readonly kind: MatchKind;
  /** Frequency of `matched` in the entry. */
  readonly count: number;
  /** Inverse document frequency in this store. */
  readonly idf: number;
  /** Its share of the entry's BM25 score. */
  readonly bm25: number;
}

/** Score breakdown of one result. `parts` add up to `rankValue`. */
export interface Explanation {
  /** The sort key of results; comparable within one search only. */
  readonly rankValue: number;
  /**
   * Feature name -> its part of `rankValue`: `meaning` (of single words), `equal` (the text equals the query), `phrase` (it contains the
   * whole query), `bm25`, `proximity`, `early`, `negation`, `vector`, `recency`, `importance`, `order` (has the query words in query
   * order), `speaker` (a turn of a conversation by someone the query names), `beside` (next to an answering turn), `correction`.
   */
  readonly parts: Readonly<Record<string, number>>;
  readonly vector?: { readonly cosine: number };
  readonly keyword?: {
    readonly bm25: number;
    /** Share 0..1 of the query's idf weight that the entry contains. */
    readonly coverage: number;
    readonly terms: readonly MatchedTerm[];
    /** Query words that the entry does not contain in any form. */
    readonly missing: readonly string[];
  };
  /** Active filters in plain words; empty if there were none. */
  readonly filters: readonly string[];
}
