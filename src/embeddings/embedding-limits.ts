/** How much may be asked of one embedder at a time. */
export interface EmbeddingLimits {
  /** `embeddings.queueLimit`: most texts that wait for it or are with it. One caller with more is served when nobody else waits. */
  readonly queueLimit: number;
  /** `embeddings.maxConcurrent`: most calls for queries at once; documents have one call of their own. */
  readonly maxConcurrent: number;
}

/** As in the configuration. */
export const EMBEDDING_LIMITS: EmbeddingLimits = { queueLimit: 10_000, maxConcurrent: 8 };

/** The limits among other settings, or the usual ones. */
export function limitsOf({
  queueLimit = EMBEDDING_LIMITS.queueLimit,
  maxConcurrent = EMBEDDING_LIMITS.maxConcurrent,
}: Partial<EmbeddingLimits>): EmbeddingLimits {
  return { queueLimit, maxConcurrent };
}
