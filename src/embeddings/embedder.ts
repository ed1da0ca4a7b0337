import type { EmbedderReport } from '../memory/operations/operations.ts';

/** Converts text to unit-length vectors. Vectors with different fingerprints are never compared. */
export interface Embedder {
  readonly provider: 'builtin' | 'local' | 'openai' | 'gemini';
  readonly model: string;
  readonly dimensions: number;
  /** provider/model/dimensions/version: equal if and only if vectors are comparable. Stored with every row. */
  readonly fingerprint: string;
  /** Vectors of an earlier version of Lore, which embedded the content without tags. */
  readonly withoutTags?: true;
  /** Set for a placeholder of an unreachable model: every call rejects with `unavailable`. */
  readonly isMissing?: true;
  /** `lexical`: hashed words, which need another index and other weights than `semantic` vectors. */
  readonly kind: 'lexical' | 'semantic';
  /** One vector per text, in order: `dimensions` finite numbers of unit length. Rejects as a whole with LoreError. */
  embedDocuments(texts: readonly string[], options?: EmbedOptions): Promise<Float32Array[]>;
  embedQuery(text: string, options?: EmbedOptions): Promise<Float32Array>;
  report(): Pick<EmbedderReport, 'state' | 'progress'>;
  /** Rejects pending calls. Safe to repeat. */
  close(): Promise<void>;
}

export interface EmbedOptions {
  readonly signal?: AbortSignal;
}

/** The configured embedder or its fallback; may change while the process runs, when a model becomes available. */
export interface ConfiguredEmbedder {
  readonly active: Embedder;
  /** The configured provider. */
  readonly configured: Embedder['provider'];
  /** The lexical embedder, always available: needed to search rows with its vectors while another one is active. */
  readonly builtin: Embedder;
  /** The embedder for another fingerprint, if this configuration can still provide it. */
  previousModel(fingerprint: string): Embedder | undefined;
  /** Why a fallback replaces the configured embedder; undefined if it does not. */
  degraded(): string | undefined;
  report(): EmbedderReport;
  /** Calls `listener` whenever `active` changes. Returns a function that unsubscribes. */
  onChange(listener: (active: Embedder) => void): () => void;
  close(): Promise<void>;
}

/** The active embedder of a store. During a migration, `active` is the model of the existing vectors. */
export interface EmbedderChoice extends ConfiguredEmbedder {
  /** The model to migrate to; equal to `active` if no migration is needed. */
  readonly target: Embedder;
  /** Every entry has vectors of `target`: it serves from now on. Of a shared store, its log decides. */
  promote(): void;
}
