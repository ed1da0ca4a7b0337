import type { Telemetry } from '../memory/telemetry.ts';
import { createCachedEmbedder } from './cached.ts';
import type { Embedder } from './embedder.ts';
import type { EmbeddingLimits } from './embedding-limits.ts';

/** Wraps an embedder to record duration and number of texts of each call. */
export function createMeasuredEmbedder(inner: Embedder, telemetry: Telemetry): Embedder {
  const { provider, model, dimensions, fingerprint, kind } = inner;
  const measured = <T>(texts: number, call: () => Promise<T>): Promise<T> => {
    telemetry.record('embed texts', texts, provider);
    return telemetry.timed('embed', call, provider);
  };
  return {
    provider,
    model,
    dimensions,
    fingerprint,
    kind,
    embedDocuments: (texts, options) => measured(texts.length, () => inner.embedDocuments(texts, options)),
    embedQuery: (text, options) => measured(1, () => inner.embedQuery(text, options)),
    report: () => inner.report(),
    close: () => inner.close(),
  };
}

/** Cached and measured: measures calls that miss the cache, counts cache lookups. */
export function cachedAndMeasured(
  inner: Embedder,
  options: { readonly batchSize: number; readonly telemetry: Telemetry; readonly limits: EmbeddingLimits },
): Embedder {
  return createCachedEmbedder(createMeasuredEmbedder(inner, options.telemetry), options);
}
