import { LoreError } from '../memory/errors.ts';

/** The error of a closed embedder. */
export function closedError(provider: string): LoreError {
  return new LoreError('unavailable', `The embedder ${provider} is closed.`);
}

/** The error of a cancelled call. */
export function cancelled(signal: AbortSignal): LoreError {
  return new LoreError('unavailable', 'The embedding was cancelled by the caller.', { cause: signal.reason });
}
