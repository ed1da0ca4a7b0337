/** A vector space and its index settings. */
export interface VectorSpace {
  /** Fingerprint of the embedder. */
  readonly fingerprint: string;
  readonly width: number;
  /** Hashed words and semantic vectors need different indexes. */
  readonly kind: 'lexical' | 'semantic';
}
