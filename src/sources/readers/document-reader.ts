import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { LoreError } from '../../memory/errors.ts';
import type { FormatName, Reader, ReaderInput, Reading, ReadOptions } from './reader.ts';
import type { ReaderResult, ReaderJob } from './reader-worker.ts';
import { readAs, READERS } from './readers.ts';
import { recognise } from './recognition.ts';

/** Time limit of one document. */
const TIME_LIMIT_MS = 60_000;
const MEMORY_LIMIT_MB = 1024;
/** The built file, found from src and dist. */
const WORKER = new URL('../../../dist/sources/readers/reader-worker.js', import.meta.url);

/**
 * Reads documents one after the other. Formats whose parsers hostile input can block run in a worker thread, limited to 60 seconds and 1
 * GB. The thread is kept for the next document and ends with `dispose`.
 */
export class DocumentReader implements AsyncDisposable {
  readonly #timeLimitMs: number;
  #worker: Worker | undefined;

  constructor({ timeLimitMs = TIME_LIMIT_MS }: { readonly timeLimitMs?: number } = {}) {
    this.#timeLimitMs = timeLimitMs;
  }

  /**
   * Reads the passages of a document in the named format or the recognized one. Rejects as the readers do, and with `too_large` above the
   * limits.
   */
  async read(document: ReaderInput, options: ReadOptions, named?: FormatName): Promise<Reading> {
    const { format, input } = named === undefined ? await recognise(document) : { format: named, input: document };
    const reader: Reader = READERS[format];
    return input.bytes.length >= reader.isolatedFrom
      ? await this.#readApart({ format, input, options })
      : await readAs(format, input, options);
  }

  /** Ends the worker thread. Safe to repeat. */
  async [Symbol.asyncDispose](): Promise<void> {
    const worker = this.#worker;
    this.#worker = undefined;
    await worker?.terminate();
  }

  async #readApart(job: ReaderJob): Promise<Reading> {
    const answer = await this.#answer(job);
    if ('reading' in answer) return answer.reading;
    const { code, message, hint } = answer.fault;
    throw new LoreError(code, message, hint === undefined ? {} : { hint });
  }

  async #answer(job: ReaderJob): Promise<ReaderResult> {
    this.#worker ??= newWorker();
    const { name } = job.input;
    const limit = AbortSignal.timeout(this.#timeLimitMs);
    try {
      this.#worker.ref();
      this.#worker.postMessage(job, []);
      const [answer] = (await once(this.#worker, 'message', { signal: limit })) as [ReaderResult];
      // An idle worker must not keep the process alive.
      this.#worker.unref();
      return answer;
    } catch (cause) {
      await this[Symbol.asyncDispose]();
      if (limit.aborted)
        throw new LoreError('too_large', `${name} takes longer than ${this.#timeLimitMs / 1000} seconds to read.`, { cause });
      if ((cause as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY') {
        throw new LoreError('too_large', `${name} takes more than ${MEMORY_LIMIT_MB} MB of memory to read.`, { cause });
      }
      throw new LoreError('invalid_input', `${name} cannot be read: it is damaged, or of an unknown format.`, { cause });
    }
  }
}

/** The worker's output is discarded: errors are reported in our own words. */
function newWorker(): Worker {
  return new Worker(WORKER, { stdout: true, stderr: true, resourceLimits: { maxOldGenerationSizeMb: MEMORY_LIMIT_MB } });
}
