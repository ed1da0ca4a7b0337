import type { EmbedderReport } from '../memory/operations/operations.ts';

/** Turns text into unit-length vectors of one space. Vectors of two fingerprints are never compared. */
export interface Embedder {
  readonly provider: 'builtin' | 'local' | 'openai' | 'gemini';
  readonly model: string;
  readonly dimensions: number;
  /** provider/model/dimensions/version: equal exactly where vectors may be compared. Stamped on every row. */
  readonly fingerprint: string;
  /** Made by an earlier version of Lore, which embedded the content without the tags. */
  readonly withoutTags?: true;
  /** `lexical` vectors are hashed words (they want another index and other weights than `semantic` ones). */
  readonly kind: 'lexical' | 'semantic';
  /** Same order and length as `texts`; each of `dimensions` finite numbers of unit length. Rejects as a whole with LoreError. */
  embedDocuments(texts: readonly string[], options?: EmbedOptions): Promise<Float32Array[]>;
  embedQuery(text: string, options?: EmbedOptions): Promise<Float32Array>;
  report(): Pick<EmbedderReport, 'state' | 'progress'>;
  /** Idempotent; rejects what is pending. */
  close(): Promise<void>;
}

export interface EmbedOptions {
  readonly signal?: AbortSignal;
}

/** The embedder that the configuration asks for, or what stands in for it; may change while the process runs (a model that arrives). */
export interface ConfiguredEmbedder {
  readonly active: Embedder;
  /** The provider that was asked for in the configuration. */
  readonly configured: Embedder['provider'];
  /** The always available lexical embedder: needed to search rows that it stamped while another one is active. */
  readonly builtin: Embedder;
  /** The embedder of another space, where this configuration can still ask for it. */
  former(fingerprint: string): Embedder | undefined;
  /** Plain words on why another embedder stands in for the configured one, or undefined. */
  degraded(): string | undefined;
  report(): EmbedderReport;
  /** Called each time `active` has become another embedder. Returns a function that stops it. */
  onChange(listener: (active: Embedder) => void): () => void;
  close(): Promise<void>;
}

/** The embedder in service. While a store is brought from one model to another, `active` is the one that its vectors are of. */
export interface EmbedderChoice extends ConfiguredEmbedder {
  /** What the vectors of the store are to become; the same as `active` where nothing is to be done. */
  readonly target: Embedder;
  /** Every entry has vectors of `target`: it serves from now on. */
  promote(): void;
}
