import { noTelemetry } from '../memory/telemetry.ts';
import type { ChooseOptions } from './choose.ts';
import type { Embedder } from './embedder.ts';
import { createGeminiEmbedder } from './gemini.ts';
import { createLocalEmbedder, LOCAL_BATCH } from './local.ts';
import { cachedAndMeasured } from './measured.ts';
import { localModelFiles } from './model-files.ts';
import { createOpenAiEmbedder } from './openai.ts';
import { EarlierVersions } from './versions.ts';

/** provider/model/dimensions/version; the name of a model may hold slashes. */
const FINGERPRINT = /^(builtin|local|openai|gemini)\/(.+)\/(\d+)\/\d+$/;

/**
 * The embedders that made vectors of a store before its configuration named another one, as far as they can still be asked: the builtin one,
 * local models whose files are on this machine, and other models of the hosted provider whose key is there.
 */
export class Formers {
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

  /** Undefined where nobody can make such vectors now. */
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
    const [, provider, model, digits] = FINGERPRINT.exec(fingerprint) ?? [];
    const { config, log, telemetry = noTelemetry } = this.#options;
    if (model === undefined) return undefined;
    const { remoteHost: _, ...rest } = config;
    const named = { ...rest, model, dimensions: Number(digits) };
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
      // Without a key, or with the name of a model that cannot be.
    }
    return undefined;
  }
}
