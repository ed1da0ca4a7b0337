import { LoreError, type ErrorCode } from '../memory/errors.ts';
import type { Embedder } from './embedder.ts';

/** Errors caused by the text or the caller, not by the model. */
const NO_FAULTS: ReadonlySet<ErrorCode> = new Set(['invalid_input', 'too_large']);

/** An embedder that records whether its last call succeeded. */
interface WatchedEmbedder {
  readonly embedder: Embedder;
  /** Error message of the last call; undefined if it succeeded or there was none. */
  readonly fault: () => string | undefined;
}

/** Wraps an embedder to record the error of its last call. Cancelled calls do not count. */
export function withLastFault(inner: Embedder): WatchedEmbedder {
  const { provider, model, dimensions, fingerprint, kind } = inner;
  let fault: string | undefined;
  const watched = async <T>(call: Promise<T>, signal: AbortSignal | undefined): Promise<T> => {
    try {
      const answer = await call;
      fault = undefined;
      return answer;
    } catch (error) {
      if (signal?.aborted !== true) fault = faultOf(error) ?? fault;
      throw error;
    }
  };
  const embedder: Embedder = {
    provider,
    model,
    dimensions,
    fingerprint,
    kind,
    embedDocuments: (texts, options) => watched(inner.embedDocuments(texts, options), options?.signal),
    embedQuery: (text, options) => watched(inner.embedQuery(text, options), options?.signal),
    report: () => inner.report(),
    close: () => inner.close(),
  };
  return { embedder, fault: () => fault };
}

function faultOf(error: unknown): string | undefined {
  if (!(error instanceof LoreError)) return 'The embedding model failed.';
  return NO_FAULTS.has(error.code) ? undefined : error.message;
}
