import { DEGRADED } from '../memory/degraded.ts';
import type { LoreError } from '../memory/errors.ts';
import type { Log } from '../memory/log.ts';
import type { EmbedderReport } from '../memory/operations/operations.ts';
import { noTelemetry, type Telemetry } from '../memory/telemetry.ts';
import type { WordStatistics } from '../memory/words/word-statistics.ts';
import { withLastFault } from './last-fault.ts';
import { createBuiltinEmbedder } from './builtin.ts';
import type { ConfiguredEmbedder, Embedder } from './embedder.ts';
import type { EmbeddingLimits } from './embedding-limits.ts';
import { PreviousModels } from './previous-models.ts';
import { createGeminiEmbedder } from './gemini.ts';
import { createLocalEmbedder, LOCAL_BATCH, type LocalEmbedder } from './local.ts';
import { cachedAndMeasured, createMeasuredEmbedder } from './measured.ts';
import { localModelFiles } from './model-files.ts';
import { createOpenAiEmbedder } from './openai.ts';
import { EarlierVersions } from './document-versions.ts';
import { withoutUndefined } from '../memory/without-undefined.ts';

/** The `embeddings.*` settings with defaults. */
export interface EmbeddingOptions extends EmbeddingLimits {
  readonly provider: Embedder['provider'];
  readonly model: string;
  readonly dimensions: number;
  readonly batchSize: number;
  readonly apiKey?: string | undefined;
  readonly baseUrl?: string | undefined;
  readonly cacheDir: string;
  readonly localModelPath: string;
  readonly remoteHost?: string | undefined;
  readonly allowDownload: boolean;
  readonly idleUnloadMs: number;
  readonly timeoutMs: number;
}

export interface ChooseOptions {
  readonly config: EmbeddingOptions;
  readonly statistics: WordStatistics | (() => WordStatistics);
  readonly log: Log;
  /** Receives every call to an embedder. */
  readonly telemetry?: Telemetry;
  /** Whether to load or download the local model in advance: true for a server, false for a short command. Default true. */
  readonly background?: boolean;
  /** First delay before a failed model load is retried, doubling up to ten minutes, milliseconds. Default 15,000. */
  readonly retryMs?: number;
  /** Maximum time without data during a download, milliseconds. Default 60,000. */
  readonly stallMs?: number;
}

const RETRY_MS = 15_000;
const LONGEST_RETRY_MS = 600_000;

/**
 * The configured embedder, or the builtin one until the local model is available. Does not wait and does not keep the process alive. Throws
 * `config` for permanent faults: a missing key or an invalid model name.
 */
export function chooseEmbedder(options: ChooseOptions): ConfiguredEmbedder {
  const { config, statistics, telemetry = noTelemetry } = options;
  const builtin = createMeasuredEmbedder(createBuiltinEmbedder(statistics), telemetry);
  switch (config.provider) {
    case 'builtin':
      return settled(options, builtin, { builtin });
    case 'openai':
      return hosted(options, createOpenAiEmbedder(config), builtin);
    case 'gemini':
      return hosted(options, createGeminiEmbedder(config), builtin);
    case 'local':
      return new LocalChoice(options, builtin);
  }
}

function hosted(options: ChooseOptions, inner: Embedder, builtin: Embedder): ConfiguredEmbedder {
  const { config, telemetry = noTelemetry } = options;
  const { embedder, fault } = withLastFault(inner);
  return settled(options, cachedAndMeasured(embedder, { batchSize: config.batchSize, telemetry, limits: config }), {
    builtin,
    fault,
  });
}

/** A choice that never changes. `fault`: error of the last call. */
function settled(
  options: ChooseOptions,
  active: Embedder,
  { builtin, fault }: { readonly builtin: Embedder; readonly fault?: () => string | undefined },
): ConfiguredEmbedder {
  const previousModels = new PreviousModels(options, builtin);
  const earlier = new EarlierVersions(active);
  return {
    active,
    configured: active.provider,
    builtin,
    previousModel: (fingerprint) => earlier.get(fingerprint) ?? previousModels.get(fingerprint),
    degraded: () => {
      const message = fault?.();
      return message === undefined ? undefined : DEGRADED.unanswered(message);
    },
    report: () => ({ ...identity(active), ...active.report() }),
    onChange: () => () => {},
    close: async () => {
      await active.close();
      await previousModels.close();
      await builtin.close();
    },
  };
}

class LocalChoice implements ConfiguredEmbedder {
  readonly configured = 'local';
  readonly builtin: Embedder;
  readonly #options: ChooseOptions;
  readonly #local: LocalEmbedder;
  readonly #cached: Embedder;
  readonly #earlier: EarlierVersions;
  readonly #previousModels: PreviousModels;
  readonly #listeners = new Set<(active: Embedder) => void>();
  #active: Embedder;
  #fault: LoreError | undefined;
  #waitMs: number;
  #retry: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(options: ChooseOptions, builtin: Embedder) {
    const { config, log, background = true, retryMs = RETRY_MS, stallMs, telemetry = noTelemetry } = options;
    const { remoteHost, ...rest } = config;
    this.builtin = builtin;
    this.#options = options;
    this.#waitMs = retryMs;
    this.#local = createLocalEmbedder({
      ...rest,
      log,
      ...withoutUndefined({ remoteHost, stallMs }),
      onLoadFailure: (error) => this.#failed(error),
    });
    this.#cached = cachedAndMeasured(this.#local, { batchSize: LOCAL_BATCH, telemetry, limits: config });
    this.#earlier = new EarlierVersions(this.#cached);
    this.#previousModels = new PreviousModels(options, builtin);
    this.#active = localModelFiles(config) ? this.#cached : builtin;
    // In the next turn, so that the caller can subscribe to changes first.
    if (background) setImmediate(() => void this.#arrive()).unref();
  }

  get active(): Embedder {
    return this.#active;
  }

  previousModel(fingerprint: string): Embedder | undefined {
    if (fingerprint === this.#cached.fingerprint) return this.#active === this.#cached ? this.#cached : undefined;
    const earlier = this.#active === this.#cached ? this.#earlier.get(fingerprint) : undefined;
    return earlier ?? this.#previousModels.get(fingerprint);
  }

  degraded(): string | undefined {
    if (this.#active === this.#cached) return undefined;
    const { config, background = true } = this.#options;
    if (this.#local.report().state === 'downloading') return DEGRADED.downloading(config.model);
    if (!this.#fault) return DEGRADED.absent(config.model);
    return DEGRADED.failed(this.#fault.message, background && this.#fault.code !== 'config');
  }

  report(): EmbedderReport {
    const active = identity(this.#active);
    const state = this.#local.report();
    if (this.#active === this.#cached) return { ...active, ...state };
    // `degraded` reports why the configured model is missing; the active one is ready meanwhile.
    const coming = state.state === 'downloading' || state.state === 'loading';
    return { ...active, ...(coming ? state : this.builtin.report()), standsInFor: this.configured };
  }

  onChange(listener: (active: Embedder) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#retry);
    this.#listeners.clear();
    await this.#cached.close();
    await this.#previousModels.close();
    await this.builtin.close();
  }

  /** Loads the model and activates it. `#failed` has received the reason of a failure. */
  async #arrive(): Promise<void> {
    if (this.#closed) return;
    try {
      await this.#local.load();
    } catch {
      this.#tryLater();
      return;
    }
    this.#fault = undefined;
    this.#waitMs = this.#options.retryMs ?? RETRY_MS;
    this.#serve(this.#cached);
  }

  #failed(error: LoreError): void {
    if (this.#closed) return;
    // Logged once per reason: an offline machine would otherwise fill its log.
    if (error.message !== this.#fault?.message) this.#options.log.warn({ err: error.cause ?? error }, error.message);
    this.#fault = error;
    this.#serve(this.builtin);
    this.#tryLater();
  }

  #tryLater(): void {
    const { background = true } = this.#options;
    if (this.#closed || !background || this.#retry || this.#fault?.code === 'config') return;
    this.#retry = setTimeout(() => {
      this.#retry = undefined;
      void this.#arrive();
    }, this.#waitMs).unref();
    this.#waitMs = Math.min(this.#waitMs * 2, LONGEST_RETRY_MS);
  }

  #serve(embedder: Embedder): void {
    if (this.#closed || this.#active === embedder) return;
    this.#active = embedder;
    this.#options.log.info({ embedder: embedder.fingerprint }, `Embedding with ${embedder.provider} now.`);
    for (const listener of this.#listeners) listener(embedder);
  }
}

function identity({ provider, model, dimensions }: Embedder): Pick<EmbedderReport, 'provider' | 'model' | 'dimensions'> {
  return { provider, model, dimensions };
}
