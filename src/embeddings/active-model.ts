import { DEGRADED } from '../memory/degraded.ts';
import { LoreError, type ErrorCode } from '../memory/errors.ts';
import type { Log } from '../memory/log.ts';
import type { EmbedderReport } from '../memory/operations/operations.ts';
import type { ConfiguredEmbedder, Embedder, EmbedderChoice } from './embedder.ts';
import { createMissingEmbedder } from './missing.ts';
import { withoutUndefined } from '../memory/without-undefined.ts';

/** Temporary errors of a hosted model: a machine may start without network. */
const PASSING: ReadonlySet<ErrorCode> = new Set(['network', 'unavailable', 'rate_limited']);

/** Fingerprint -> number of entries; '' for entries without vectors. */
type Stamps = ReadonlyMap<string, number>;

/** The vectors of a store. */
interface StoreVectors {
  readonly stamps: () => Stamps;
  /** Fingerprint of the model that a shared store names; undefined for the model of most vectors. */
  readonly named: () => string | undefined;
  /** Whether other servers use the vectors too: then the model of the store stays active even if this server cannot ask it. */
  readonly areShared: boolean;
}

/**
 * The active embedder of a store. If most vectors are of another model than the configured one, and that model is still available, it stays
 * active until every entry has new vectors: searches never mix vectors of two models while one covers all entries.
 */
export class ActiveModel implements EmbedderChoice {
  readonly #inner: ConfiguredEmbedder;
  readonly #log: Log;
  readonly #listeners = new Set<(active: Embedder) => void>();
  readonly #stopListening: () => void;
  readonly #missing = new Map<string, Embedder | undefined>();
  #vectors: StoreVectors = { stamps: () => new Map(), named: () => undefined, areShared: false };
  #held: Embedder | undefined;
  /** State last reported to listeners. */
  #told: { readonly active: Embedder; readonly target: Embedder };

  constructor(inner: ConfiguredEmbedder, log: Log) {
    this.#inner = inner;
    this.#log = log;
    this.#told = { active: inner.active, target: inner.active };
    this.#stopListening = inner.onChange(() => this.#decide());
  }

  get active(): Embedder {
    return this.#held ?? this.#inner.active;
  }

  get target(): Embedder {
    return this.#inner.active;
  }

  get configured(): Embedder['provider'] {
    return this.#inner.configured;
  }

  get builtin(): Embedder {
    return this.#inner.builtin;
  }

  /**
   * Decides by the vectors of the store, now and whenever a model becomes available. With `check`, a previous model with a permanent error
   * is skipped.
   */
  follow(vectors: StoreVectors, { check }: { check: boolean }): void {
    this.#vectors = vectors;
    this.#decide();
    const held = this.#held;
    if (!check || held === undefined || held === this.builtin || held.isMissing === true) return;
    held.embedQuery('lore').catch((error: unknown) => {
      const isPassing = held.provider !== 'local' && error instanceof LoreError && PASSING.has(error.code);
      if (this.#held !== held || isPassing) return;
      this.#log.warn({ error: String(error) }, `${held.model} made the vectors of this store and cannot be asked any more`);
      this.#held = this.#vectors.areShared ? this.#missingOf(held.fingerprint) : undefined;
      this.#tell();
    });
  }

  /** Looks again: another server has changed the model of the store. */
  look(): void {
    this.#decide();
  }

  promote(): void {
    if (this.#vectors.areShared) return this.#decide();
    this.#held = undefined;
    this.#tell();
  }

  previousModel(fingerprint: string): Embedder | undefined {
    return this.#inner.previousModel(fingerprint);
  }

  degraded(): string | undefined {
    return this.#held?.isMissing === true ? DEGRADED.missing(this.#held.model) : this.#inner.degraded();
  }

  report(): EmbedderReport {
    const held = this.#held;
    if (held === undefined) return this.#inner.report();
    const { provider, model, dimensions } = held;
    const { standsInFor } = this.#inner.report();
    const next = this.target.fingerprint;
    return { provider, model, dimensions, ...held.report(), ...withoutUndefined({ standsInFor }), next };
  }

  onChange(listener: (active: Embedder) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async close(): Promise<void> {
    this.#stopListening();
    this.#listeners.clear();
    await this.#inner.close();
  }

  #decide(): void {
    const { target } = this;
    const { named, areShared } = this.#vectors;
    const model = named() ?? this.#mostUsed();
    const isOther = model !== undefined && model !== target.fingerprint;
    this.#held = isOther ? (this.#inner.previousModel(model) ?? (areShared ? this.#missingOf(model) : undefined)) : undefined;
    this.#tell();
  }

  #missingOf(fingerprint: string): Embedder | undefined {
    if (!this.#missing.has(fingerprint)) this.#missing.set(fingerprint, createMissingEmbedder(fingerprint));
    return this.#missing.get(fingerprint);
  }

  /** Fingerprint of the model of most vectors, unless half of them are of the target. */
  #mostUsed(): string | undefined {
    const { target } = this;
    const counts = [...this.#vectors.stamps()].filter(([fingerprint]) => fingerprint !== '');
    const total = counts.reduce((sum, [, count]) => sum + count, 0);
    const [most] = counts.toSorted(([, a], [, b]) => b - a);
    const own = counts.find(([fingerprint]) => fingerprint === target.fingerprint)?.[1] ?? 0;
    return 2 * own >= total ? undefined : most?.[0];
  }

  /** Also notifies if only the target changed: then a migration is needed. */
  #tell(): void {
    const { active, target } = this;
    if (active === this.#told.active && target === this.#told.target) return;
    this.#told = { active, target };
    for (const listener of this.#listeners) listener(active);
  }
}
