import { LoreError } from '../memory/errors.ts';

/** The one answer of an embedder that was closed. */
export function closedError(provider: string): LoreError {
  return new LoreError('unavailable', `The embedder ${provider} is closed.`);
}

/** The one answer to a caller who withdrew the question. */
export function cancelled(signal: AbortSignal): LoreError {
  return new LoreError('unavailable', 'The embedding was cancelled by the caller.', { cause: signal.reason });
}
