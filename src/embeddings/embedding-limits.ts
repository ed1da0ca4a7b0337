/** How much may be asked of one embedder at a time. */
export interface EmbeddingLimits {
  /** `embeddings.queueLimit`: texts of searches, and of what is saved, from which on no further ones are taken until others are done. */
  readonly queueLimit: number;
  /** `embeddings.maxConcurrent`: most calls for queries at once; documents have one call of their own. */
  readonly maxConcurrent: number;
}
