import { noTelemetry } from '../memory/telemetry.ts';
import type { ChooseOptions } from './choose.ts';
import type { Embedder } from './embedder.ts';
import { createGeminiEmbedder } from './gemini.ts';
import { createLocalEmbedder, LOCAL_BATCH } from './local.ts';
import { cachedAndMeasured } from './measured.ts';
import { localModelFiles } from './model-files.ts';
import { createOpenAiEmbedder } from './openai.ts';
import { EarlierVersions, fingerprintParts } from './document-versions.ts';

/**
 * Embedders of earlier configurations, as far as they are still available: the builtin one, local models whose files are present, and other
 * models of the configured hosted provider.
 */
export class PreviousModels {
  readonly #options: ChooseOptions;
  readonly #builtin: Embedder;
  readonly #earlierBuiltin: EarlierVersions;
  readonly #made = new Map<string, Embedder | undefined>();
  readonly #owned: Embedder[] = [];

  constructor(options: ChooseOptions, builtin: Embedder) {
    this.#options = options;
    this.#builtin = builtin;
    this.#earlierBuiltin = new EarlierVersions(builtin);
  }

  /** The embedder for a fingerprint; undefined if it is not available. */
  get(fingerprint: string): Embedder | undefined {
    if (fingerprint === this.#builtin.fingerprint) return this.#builtin;
    const earlier = this.#earlierBuiltin.get(fingerprint);
    if (earlier !== undefined) return earlier;
    if (!this.#made.has(fingerprint)) {
      const made = this.#make(fingerprint);
      const isThis = made?.fingerprint === fingerprint;
      this.#made.set(fingerprint, made === undefined || isThis ? made : new EarlierVersions(made).get(fingerprint));
      if (made !== undefined) this.#owned.push(made);
    }
    return this.#made.get(fingerprint);
  }

  async close(): Promise<void> {
    await Promise.all(this.#owned.map((embedder) => embedder.close()));
  }

  #make(fingerprint: string): Embedder | undefined {
    const parts = fingerprintParts(fingerprint);
    const { config, log, telemetry = noTelemetry } = this.#options;
    if (parts === undefined) return undefined;
    const { provider, model, dimensions } = parts;
    const { remoteHost: _, ...rest } = config;
    const named = { ...rest, model, dimensions };
    try {
      if (provider === 'local' && localModelFiles(named)) {
        return cachedAndMeasured(createLocalEmbedder({ ...named, allowDownload: false, log }), {
          batchSize: LOCAL_BATCH,
          telemetry,
          limits: config,
        });
      }
      if (provider !== config.provider) return undefined;
      if (provider === 'openai')
        return cachedAndMeasured(createOpenAiEmbedder(named), { batchSize: config.batchSize, telemetry, limits: config });
      if (provider === 'gemini')
        return cachedAndMeasured(createGeminiEmbedder(named), { batchSize: config.batchSize, telemetry, limits: config });
    } catch {
      // The key is missing or the model name is invalid.
    }
    return undefined;
  }
}
