import { LRUCache } from 'lru-cache';
import { BusyError, LoreError } from '../memory/errors.ts';
import { currentScope, runInScope, type Scope } from '../memory/request-scope.ts';
import { noTelemetry, type Telemetry } from '../memory/telemetry.ts';
import type { Embedder, EmbedOptions } from './embedder.ts';
import type { EmbeddingLimits } from './embedding-limits.ts';
import { ConcurrencyLimit } from './concurrency-limit.ts';
import { cancelled, closedError } from './embedder-errors.ts';

interface CacheOptions {
  /** Maximum number of texts joined in one call; the texts of one caller are never split. */
  readonly batchSize: number;
  /** Number of cached query vectors. Default 1,000: 1.5 MB at 384 numbers. */
  readonly queries?: number;
  /** Receives cache lookups and the queue length. */
  readonly telemetry?: Telemetry;
  /** Limits of waiting and concurrent calls. */
  readonly limits: EmbeddingLimits;
}

const FULL_RETRY_SECONDS = 5;

/** Separate queues: searches do not wait for saves. */
type Kind = 'queries' | 'documents';

/** A call to the inner embedder, and the number of callers waiting for it. */
interface Flight<Value> {
  readonly answer: Promise<Value>;
  readonly abort: AbortController;
  wanted: number;
}

interface Waiting {
  readonly texts: readonly string[];
  readonly signal: AbortSignal | undefined;
  /** The request of the caller. */
  readonly scope: Scope | undefined;
  readonly resolve: (vectors: Promise<Float32Array[]> | Float32Array[]) => void;
  readonly reject: (error: unknown) => void;
  /** Stops watching the signal while the call runs. */
  readonly unwatch: () => void;
}

const KEPT_QUERIES = 1_000;

/**
 * Adds a cache and batching to an embedder: caches query vectors, shares calls of equal concurrent queries, and joins documents that arrive
 * during a call into the next one. A caller's cancellation does not affect others; a call without waiting callers is aborted. Rejects with
 * `unavailable` if too many texts of the kind wait.
 */
export function createCachedEmbedder(
  inner: Embedder,
  { batchSize, queries = KEPT_QUERIES, telemetry = noTelemetry, limits }: CacheOptions,
): Embedder {
  return new CachedEmbedder(inner, { batchSize, queries, telemetry, limits });
}

class CachedEmbedder implements Embedder {
  readonly provider: Embedder['provider'];
  readonly model: string;
  readonly dimensions: number;
  readonly fingerprint: string;
  readonly kind: Embedder['kind'];
  readonly #inner: Embedder;
  readonly #batchSize: number;
  readonly #telemetry: Telemetry;
  readonly #remembered: LRUCache<string, Float32Array>;
  readonly #asked = new Map<string, Flight<Float32Array>>();
  readonly #queueLimit: number;
  readonly #queries: ConcurrencyLimit;
  /** Number of texts waiting or being embedded. */
  readonly #wanted: Record<Kind, number> = { queries: 0, documents: 0 };
  #waiting: Waiting[] = [];
  #flying = false;
  #closed = false;

  constructor(inner: Embedder, { batchSize, queries, telemetry, limits }: Required<CacheOptions>) {
    this.#inner = inner;
    this.#batchSize = batchSize;
    this.#telemetry = telemetry;
    this.#queueLimit = limits.queueLimit;
    this.#queries = new ConcurrencyLimit(limits.maxConcurrent);
    this.#remembered = new LRUCache({ max: queries });
    this.provider = inner.provider;
    this.model = inner.model;
    this.dimensions = inner.dimensions;
    this.fingerprint = inner.fingerprint;
    this.kind = inner.kind;
  }

  async embedQuery(text: string, { signal }: EmbedOptions = {}): Promise<Float32Array> {
    this.#check(signal);
    const known = this.#remembered.get(text);
    this.#telemetry.count('embedding cache lookup', known ? 'hit' : 'miss');
    if (known) return known.slice();
    this.#checkRoom('queries');
    const flight = this.#asked.get(text) ?? this.#ask(text);
    return (await this.#counted({ kind: 'queries', texts: 1 }, join(flight, signal))).slice();
  }

  async embedDocuments(texts: readonly string[], { signal }: EmbedOptions = {}): Promise<Float32Array[]> {
    this.#check(signal);
    if (texts.length === 0) return [];
    this.#checkRoom('documents');
    const answer = new Promise<Float32Array[]>((resolve, reject) => {
      const withdraw = (): void => {
        this.#waiting = this.#waiting.filter((one) => one !== waiting);
        if (signal) reject(cancelled(signal));
      };
      const waiting = {
        texts,
        signal,
        scope: currentScope(),
        resolve,
        reject,
        unwatch: () => signal?.removeEventListener('abort', withdraw),
      };
      this.#waiting.push(waiting);
      signal?.addEventListener('abort', withdraw, { once: true });
      void this.#fly();
    });
    return await this.#counted({ kind: 'documents', texts: texts.length }, answer);
  }

  report(): ReturnType<Embedder['report']> {
    return this.#inner.report();
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (const { reject } of this.#waiting.splice(0)) reject(closedError(this.provider));
    this.#remembered.clear();
    await this.#inner.close();
  }

  /** Counts the texts as waiting until the answer arrives. */
  async #counted<Value>({ kind, texts }: { kind: Kind; texts: number }, answer: Promise<Value>): Promise<Value> {
    this.#wanted[kind] += texts;
    this.#telemetry.move('embedding queue', texts);
    try {
      return await answer;
    } finally {
      this.#wanted[kind] -= texts;
      this.#telemetry.move('embedding queue', -texts);
    }
  }

  #check(signal: AbortSignal | undefined): void {
    if (this.#closed) throw closedError(this.provider);
    if (signal?.aborted) throw cancelled(signal);
  }

  #checkRoom(kind: Kind): void {
    if (this.#wanted[kind] < this.#queueLimit) return;
    throw new BusyError(`Too many texts wait for the embedding model; try again in ${FULL_RETRY_SECONDS} s.`, FULL_RETRY_SECONDS);
  }

  #ask(text: string): Flight<Float32Array> {
    const flight = launch((signal) => this.#queries.run(() => this.#inner.embedQuery(text, { signal }), signal));
    this.#asked.set(text, flight);
    flight.abort.signal.addEventListener('abort', () => this.#land(text, flight));
    void flight.answer.then(
      (vector) => {
        this.#land(text, flight);
        if (!this.#closed) this.#remembered.set(text, vector);
      },
      () => this.#land(text, flight),
    );
    return flight;
  }

  #land(text: string, flight: Flight<Float32Array>): void {
    if (this.#asked.get(text) === flight) this.#asked.delete(text);
  }

  /** Runs one call at a time; texts that arrive meanwhile wait for the next. */
  async #fly(): Promise<void> {
    if (this.#flying) return;
    this.#flying = true;
    // Simultaneous callers share the first call.
    await Promise.resolve();
    while (this.#waiting.length > 0) {
      const callers = this.#board();
      // A shared call belongs to no single request.
      await runInScope(callers.length === 1 ? callers[0]?.scope : undefined, () => this.#embedTogether(callers));
    }
    this.#flying = false;
  }

  #board(): Waiting[] {
    let texts = 0;
    const fits = this.#waiting.findIndex(({ texts: more }, nth) => (texts += more.length) > this.#batchSize && nth > 0);
    return this.#waiting.splice(0, fits === -1 ? this.#waiting.length : fits);
  }

  async #embedTogether(callers: readonly Waiting[]): Promise<void> {
    const flight = launch((signal) =>
      this.#inner.embedDocuments(
        callers.flatMap(({ texts }) => texts),
        { signal },
      ),
    );
    let start = 0;
    for (const caller of callers) {
      const from = start;
      caller.unwatch();
      start += caller.texts.length;
      const share = join(flight, caller.signal).then((vectors) => vectors.slice(from, from + caller.texts.length));
      caller.resolve(callers.length === 1 ? share : share.catch((error: unknown) => this.#again(caller, error)));
    }
    await flight.answer.catch(() => {});
  }

  /** If the embedder rejects a text, the other callers' texts are embedded again without it. */
  async #again({ texts, signal }: Waiting, error: unknown): Promise<Float32Array[]> {
    if (!(error instanceof LoreError) || error.code !== 'invalid_input') throw error;
    return await this.#inner.embedDocuments(texts, signal ? { signal } : {});
  }
}

function launch<Value>(call: (signal: AbortSignal) => Promise<Value>): Flight<Value> {
  const abort = new AbortController();
  return { answer: call(abort.signal), abort, wanted: 0 };
}

/** The answer of a shared call for one caller, who may cancel. The last one to cancel aborts the call. */
function join<Value>(flight: Flight<Value>, signal: AbortSignal | undefined): Promise<Value> {
  flight.wanted++;
  if (!signal) return flight.answer;
  return new Promise((resolve, reject) => {
    const leave = (): void => {
      reject(cancelled(signal));
      if (--flight.wanted === 0) flight.abort.abort();
    };
    signal.addEventListener('abort', leave, { once: true });
    flight.answer.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave));
  });
}
