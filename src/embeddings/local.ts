import { BusyError, LoreError } from '../memory/errors.ts';
import type { Embedder, EmbedOptions } from './embedder.ts';
import { BatchQueue, type Batch } from './batch-queue.ts';
import { checkModelName } from './model-files.ts';
import { ModelLoader, type LoadOptions } from './model-loader.ts';
import { ModelProcessFault, ModelProcessGone, type ModelProcess } from './model-process.ts';
import { cancelled, closedError } from './embedder-errors.ts';
import { firstChars } from './text-limit.ts';
import { DOCUMENT_VERSION } from './document-versions.ts';

export interface LocalOptions extends LoadOptions {
  /** Idle time after which the model (about 200 MB) is unloaded; the next text loads it again. Milliseconds; 0 keeps it loaded. */
  readonly idleUnloadMs: number;
  /** Called for each failed load, after repair was tried. */
  readonly onLoadFailure?: (error: LoreError) => void;
}

/** An embedder whose model is loaded by the first text or by `load`. */
export interface LocalEmbedder extends Embedder {
  /** Loads the model; downloads it if allowed. Does not keep the process alive. Safe to repeat; rejects with LoreError. */
  load(): Promise<void>;
}

/** Maximum number of texts joined from waiting callers; split into smaller batches again. */
export const LOCAL_BATCH = 64;
/** Texts per batch. Larger batches save no time and need memory: 0.5 GB for thirty-two long texts. */
const BATCH = 8;
/**
 * Characters per batch, padding included. Batching speeds up short texts only, and a search waits for the current batch: for eight passages
 * of 500 characters four times as long as for two.
 */
const BATCH_CHARS = 1_200;
/** UTF-16 units passed to the model. It reads 512 tokens, but would tokenize all of a longer text first. */
const READ_CHARS = 4_096;
/** Delays after repeated crashes, doubling from the first to the last, milliseconds. */
const FIRST_BACK_OFF_MS = 1_000;
const LAST_BACK_OFF_MS = 60_000;

/** The next batch from `start`, at least one text; texts are sorted by length. */
function firstBatch<T extends { readonly text: string }>(sorted: readonly T[], start: number): T[] {
  const rest = sorted.slice(start, start + BATCH);
  const fits = rest.findLastIndex(({ text }, nth) => (nth + 1) * text.length <= BATCH_CHARS);
  return rest.slice(0, Math.max(1, fits + 1));
}

/** Embedder for a model on this machine, through @xenova/transformers in a child process. Queries go before documents. */
export function createLocalEmbedder(options: LocalOptions): LocalEmbedder {
  checkModelName(options.model);
  return new LocalModel(options);
}

class LocalModel implements LocalEmbedder {
  readonly provider = 'local';
  readonly kind = 'semantic';
  readonly model: string;
  readonly dimensions: number;
  readonly fingerprint: string;
  readonly #options: LocalOptions;
  readonly #loader: ModelLoader;
  readonly #queue = new BatchQueue();
  #process: ModelProcess | undefined;
  #loading: Promise<ModelProcess> | undefined;
  #working = false;
  #closed = false;
  #failed = false;
  #crashes = 0;
  #notBefore = 0;
  #idleTimer: NodeJS.Timeout | undefined;

  constructor(options: LocalOptions) {
    this.#options = options;
    this.#loader = new ModelLoader(options);
    this.model = options.model;
    this.dimensions = options.dimensions;
    this.fingerprint = `local/${options.model}/${options.dimensions}/${DOCUMENT_VERSION}`;
  }

  async embedDocuments(texts: readonly string[], options: EmbedOptions = {}): Promise<Float32Array[]> {
    this.#check(options.signal);
    // Padding makes all texts of a batch as long as the longest: group equal lengths.
    const order = texts.map((text, at) => ({ text: firstChars(text, READ_CHARS), at })).toSorted((a, b) => a.text.length - b.text.length);
    const vectors: Float32Array[] = Array.from({ length: texts.length });
    for (let start = 0; start < order.length;) {
      const part = firstBatch(order, start);
      start += part.length;
      const made = await this.#embed(
        part.map(({ text }) => text),
        { urgent: false, signal: options.signal },
      );
      for (const [nth, { at }] of part.entries()) vectors[at] = made[nth] as Float32Array;
    }
    return vectors;
  }

  async embedQuery(text: string, options: EmbedOptions = {}): Promise<Float32Array> {
    this.#check(options.signal);
    const [vector] = await this.#embed([firstChars(text, READ_CHARS)], { urgent: true, signal: options.signal });
    return vector as Float32Array;
  }

  async load(): Promise<void> {
    this.#check(undefined);
    await this.#ready();
    this.#rest();
  }

  report(): ReturnType<Embedder['report']> {
    if (this.#loading) return this.#loader.report();
    if (this.#process) return { state: 'ready' };
    return { state: this.#failed ? 'failed' : 'idle' };
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#idleTimer);
    this.#queue.rejectAll(closedError('local'));
    await this.#loader.abandon();
    const running = this.#process;
    this.#process = undefined;
    running?.kill();
    await running?.exited;
  }

  #check(signal: AbortSignal | undefined): void {
    if (this.#closed) throw closedError('local');
    if (signal?.aborted) throw cancelled(signal);
  }

  async #embed(texts: readonly string[], options: { urgent: boolean; signal: AbortSignal | undefined }): Promise<Float32Array[]> {
    this.#check(options.signal);
    const answer = this.#queue.add(texts, options);
    void this.#work();
    const values = await answer;
    const width = this.dimensions;
    return texts.map((_, nth) => values.slice(nth * width, (nth + 1) * width));
  }

  /** Processes the queue until it is empty. Only meanwhile does the model process keep this one alive. */
  async #work(): Promise<void> {
    if (this.#working) return;
    this.#working = true;
    clearTimeout(this.#idleTimer);
    this.#loader.hold(true);
    try {
      for (let batch = this.#queue.next(); batch; batch = this.#queue.next()) await this.#answer(batch);
    } finally {
      this.#working = false;
      this.#loader.hold(false);
      this.#rest();
    }
  }

  async #answer(batch: Batch): Promise<void> {
    let running: ModelProcess;
    try {
      running = await this.#ready();
    } catch (error) {
      batch.reject(error);
      this.#queue.rejectAll(error);
      return;
    }
    try {
      running.ref();
      batch.resolve(await running.embed(batch.texts));
      this.#crashes = 0;
    } catch (error) {
      this.#fail(batch, error);
    } finally {
      running.unref();
    }
  }

  #fail(batch: Batch, error: unknown): void {
    if (this.#closed) {
      batch.reject(closedError('local'));
      return;
    }
    // Retry once in another process: it may have been killed from outside or for lack of memory.
    if (error instanceof ModelProcessGone && !batch.repeated) {
      this.#queue.repeat(batch);
      return;
    }
    if (error instanceof ModelProcessFault) {
      batch.reject(new LoreError('unavailable', `The model ${this.model} could not embed the text.`, { cause: error }));
      return;
    }
    batch.reject(
      error instanceof LoreError ? error : new LoreError('unavailable', 'The model process ended unexpectedly.', { cause: error }),
    );
  }

  #ready(): Promise<ModelProcess> {
    if (this.#process?.alive) return Promise.resolve(this.#process);
    this.#loading ??= this.#start().finally(() => (this.#loading = undefined));
    return this.#loading;
  }

  async #start(): Promise<ModelProcess> {
    const wait = this.#notBefore - performance.now();
    if (wait > 0) {
      throw new BusyError(`The model process ended ${this.#crashes} times in a row.`, Math.ceil(wait / 1000));
    }
    try {
      const started = await this.#loader.load();
      if (this.#closed) {
        started.kill();
        throw closedError('local');
      }
      this.#process = started;
      this.#failed = false;
      void started.exited.then(() => this.#gone(started));
      return started;
    } catch (error) {
      if (this.#closed) throw closedError('local');
      this.#failed = true;
      if (error instanceof LoreError) this.#options.onLoadFailure?.(error);
      throw error;
    }
  }

  /** Handles an unexpected end of the process. */
  #gone(ended: ModelProcess): void {
    if (this.#process !== ended) return;
    this.#process = undefined;
    this.#crashes++;
    const backOff = Math.min(LAST_BACK_OFF_MS, FIRST_BACK_OFF_MS * 2 ** (this.#crashes - 3));
    this.#notBefore = this.#crashes > 2 ? performance.now() + backOff : 0;
    this.#options.log.warn({ crashes: this.#crashes }, 'The model process ended unexpectedly.');
  }

  #rest(): void {
    clearTimeout(this.#idleTimer);
    if (this.#closed || this.#working || this.#options.idleUnloadMs === 0) return;
    this.#idleTimer = setTimeout(() => {
      const idle = this.#process;
      this.#process = undefined;
      idle?.kill();
    }, this.#options.idleUnloadMs).unref();
  }
}
