/** Limits of one embedder. */
export interface EmbeddingLimits {
  /** `embeddings.queueLimit`: maximum number of waiting texts of searches, and of saves; further ones are refused. */
  readonly queueLimit: number;
  /** `embeddings.maxConcurrent`: maximum number of concurrent query calls; documents use one separate call. */
  readonly maxConcurrent: number;
}
