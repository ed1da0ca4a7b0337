import { LoreError } from '../memory/errors.ts';
import type { EmbedderReport } from '../memory/operations/operations.ts';
import type { Log } from '../memory/log.ts';
import { dimensionsError, downloadError, isDamage, loadError, missingError } from './model-faults.ts';
import { isCached, isUnknown, localModelFiles, removeCached, type ModelLocations } from './model-files.ts';
import { ModelProcess, ModelProcessFault } from './model-process.ts';
import { closedError } from './embedder-errors.ts';

export interface LoadOptions extends ModelLocations {
  /** Expected vector length. */
  readonly dimensions: number;
  /** Host to use instead of huggingface.co, with the same paths. */
  readonly remoteHost?: string;
  readonly allowDownload: boolean;
  /** Time limit of one batch of eight texts, milliseconds. */
  readonly timeoutMs: number;
  /** Maximum time without data during a download, milliseconds. Default 60,000. */
  readonly stallMs?: number;
  readonly log: Log;
}

const STALL_MS = 60_000;

/** Loads a model in a child process: downloads it if needed and allowed, and repairs a broken download once. */
export class ModelLoader {
  readonly #options: LoadOptions;
  #current: ModelProcess | undefined;
  #held = false;
  #abandoned = false;
  #checked = false;
  #progress: Pick<EmbedderReport, 'state' | 'progress'> = { state: 'loading' };

  constructor(options: LoadOptions) {
    this.#options = options;
  }

  /** Resolves with a process that is ready to embed. If it rejects (LoreError), no process remains. */
  async load(): Promise<ModelProcess> {
    const { allowDownload, model } = this.#options;
    const present = localModelFiles(this.#options);
    this.#progress = { state: present ? 'loading' : 'downloading' };
    if (!present && !allowDownload) throw missingError(model);
    if (present) void this.#checkOnce();
    try {
      return await this.#attempt();
    } catch (error) {
      if (!allowDownload || !this.#isRepairable(error)) throw this.#explain(error);
    }
    await this.#discard('The downloaded model is damaged; downloading it again.');
    try {
      return await this.#attempt();
    } catch (error) {
      if (!this.#isRepairable(error)) throw this.#explain(error);
      await this.#discard('The host did not send the model.');
      throw downloadError(model, 'the host sends other data', error);
    }
  }

  report(): Pick<EmbedderReport, 'state' | 'progress'> {
    return this.#progress;
  }

  /** While held, a running load keeps this process alive, because a caller waits for it. */
  hold(held: boolean): void {
    this.#held = held;
    if (held) this.#current?.ref();
    else this.#current?.unref();
  }

  /** Ends a running load; no other load may follow. */
  async abandon(): Promise<void> {
    this.#abandoned = true;
    this.#current?.kill();
    await this.#current?.exited;
  }

  /** Logs if the model differs from the published one. It is used anyway: a mirror may differ on purpose. */
  async #checkOnce(): Promise<void> {
    if (this.#checked) return;
    this.#checked = true;
    const unknown = await isUnknown(this.#options).catch(() => false);
    if (unknown) this.#options.log.warn({ model: this.#options.model }, 'The downloaded model is not the published one.');
  }

  #isRepairable(error: unknown): boolean {
    return error instanceof ModelProcessFault && isDamage(error.fault) && isCached(this.#options);
  }

  async #discard(why: string): Promise<void> {
    this.#options.log.warn({ model: this.#options.model }, why);
    await removeCached(this.#options);
    this.#progress = { state: 'downloading' };
  }

  async #attempt(): Promise<ModelProcess> {
    if (this.#abandoned) throw closedError('local');
    const { model, cacheDir, localModelPath, remoteHost, allowDownload, timeoutMs, stallMs = STALL_MS } = this.#options;
    const started = new ModelProcess({
      load: { model, cacheDir, localModelPath, remoteHost, allowDownload },
      stallMs,
      replyMs: timeoutMs,
      onProgress: (loaded, total) => this.#advance(loaded, total),
    });
    this.#current = started;
    if (this.#held) started.ref();
    try {
      const made = await started.load();
      if (made !== this.#options.dimensions) throw dimensionsError(model, { made, configured: this.#options.dimensions });
      this.#options.log.debug({ model, pid: started.pid }, 'The model is loaded.');
      return started;
    } catch (error) {
      started.kill();
      await started.exited;
      throw error;
    } finally {
      this.#current = undefined;
    }
  }

  #advance(loaded: number, total: number): void {
    if (this.#progress.state !== 'downloading') return;
    this.#progress = { state: 'downloading', progress: total > 0 ? Math.min(1, loaded / total) : 0 };
  }

  #explain(error: unknown): LoreError {
    const { model } = this.#options;
    if (this.#abandoned) return closedError('local');
    if (error instanceof ModelProcessFault) return loadError(model, error.fault);
    if (error instanceof LoreError && error.code === 'network') return downloadError(model, 'the host stopped sending', error);
    if (error instanceof LoreError) return error;
    return new LoreError('unavailable', `The model ${model} could not be loaded: its process ended.`, { cause: error });
  }
}
