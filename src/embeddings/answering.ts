import { LoreError, type ErrorCode } from '../memory/errors.ts';
import type { Embedder } from './embedder.ts';

/** These say nothing about the model: the text or the caller is to blame. */
const NO_FAULTS: ReadonlySet<ErrorCode> = new Set(['invalid_input', 'too_large']);

/** An embedder that remembers whether the last call was answered. */
interface AnsweringEmbedder {
  readonly embedder: Embedder;
  /** Why the last call had no answer, in plain words; undefined where it had one, or there was none. */
  readonly fault: () => string | undefined;
}

/** The same embedder, watched. */
export function watchAnswers(inner: Embedder): AnsweringEmbedder {
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
