import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { LoreError } from '../../memory/errors.ts';
import type { FormatName, Reader, ReaderInput, Reading, ReadOptions } from './reader.ts';
import type { ReaderAnswer, ReaderJob } from './reader-worker.ts';
import { readAs, READERS } from './readers.ts';
import { recognise } from './recognition.ts';

/** One document may take this long. */
const TIME_LIMIT_MS = 60_000;
const MEMORY_LIMIT_MB = 1024;
/** The built file, from src and from dist alike. */
const WORKER = new URL('../../../dist/sources/readers/reader-worker.js', import.meta.url);

/**
 * Reads documents one after the other. What a library parses that hostile input can keep busy is read in a thread of its own, within
 * 60 seconds and 1 GB; the thread is kept for the next document and ends with `dispose`.
 */
export class DocumentReader implements AsyncDisposable {
  readonly #timeLimitMs: number;
  #worker: Worker | undefined;

  constructor({ timeLimitMs = TIME_LIMIT_MS }: { readonly timeLimitMs?: number } = {}) {
    this.#timeLimitMs = timeLimitMs;
  }

  /** The passages of a document, of the named format or of the one that its content shows. Rejects as the readers do, and with `too_large` beyond the limits. */
  async read(document: ReaderInput, options: ReadOptions, named?: FormatName): Promise<Reading> {
    const { format, input } = named === undefined ? await recognise(document) : { format: named, input: document };
    const reader: Reader = READERS[format];
    return input.bytes.length >= reader.isolatedFrom
      ? await this.#readApart({ format, input, options })
      : await readAs(format, input, options);
  }

  /** Safe to repeat. */
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

  async #answer(job: ReaderJob): Promise<ReaderAnswer> {
    this.#worker ??= newWorker();
    const { name } = job.input;
    const limit = AbortSignal.timeout(this.#timeLimitMs);
    try {
      this.#worker.ref();
      this.#worker.postMessage(job, []);
      const [answer] = (await once(this.#worker, 'message', { signal: limit })) as [ReaderAnswer];
      // It waits for the next document, which is no reason for the process to stay.
      this.#worker.unref();
      return answer;
    } catch (cause) {
      await this[Symbol.asyncDispose]();
      if (limit.aborted)
        throw new LoreError('too_large', `${name} takes longer than ${this.#timeLimitMs / 1000} seconds to read.`, { cause });
      if ((cause as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY') {
        throw new LoreError('too_large', `${name} takes more than ${MEMORY_LIMIT_MB} MB of memory to read.`, { cause });
      }
      throw new LoreError('invalid_input', `${name} cannot be read: it is damaged, or of a kind that is not known.`, { cause });
    }
  }
}

/** Prints nothing: what libraries say of a damaged document is said in our own words. */
function newWorker(): Worker {
  return new Worker(WORKER, { stdout: true, stderr: true, resourceLimits: { maxOldGenerationSizeMb: MEMORY_LIMIT_MB } });
}
