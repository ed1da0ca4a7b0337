import { setTimeout as sleep } from 'node:timers/promises';
import { LoreError } from '../../../memory/errors.ts';
import { asStoreError } from '../../errors/store-error.ts';

/** Waits for a call to the store with a deadline. `action` completes the sentence "Could not …". */
export type WithDeadline = <Result>(action: string, call: Promise<Result>) => Promise<Result>;

/** Advice on when to retry a store that did not respond. */
const RETRY_SECONDS = 5;

/**
 * Limits every call to `timeoutMs` milliseconds: a hanging call rejects with `unavailable`. Other failures become store errors.
 */
export function createDeadline(timeoutMs: number): WithDeadline {
  return async (action, call) => {
    let timer: NodeJS.Timeout | undefined;
    const expiry = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(noAnswer(action, timeoutMs)), timeoutMs);
    });
    try {
      // The race still handles an abandoned call, so that its failure is not an unhandled rejection.
      return await Promise.race([call.catch(asStoreError(action)), expiry]);
    } finally {
      clearTimeout(timer);
    }
  };
}

/** Whether a call ends within this many milliseconds. Rejects if the call does. */
export async function endsWithin(call: Promise<unknown>, ms: number): Promise<boolean> {
  const abort = new AbortController();
  const late = sleep(ms, false, { signal: abort.signal }).catch(() => false);
  try {
    return await Promise.race([call.then(() => true), late]);
  } finally {
    abort.abort();
  }
}

function noAnswer(action: string, timeoutMs: number): LoreError {
  return new LoreError('unavailable', `Could not ${action}. The store did not answer within ${timeoutMs / 1000} s.`, {
    hint: 'Check that the object storage is reachable; storage.timeoutMs sets how long Lore waits for it.',
    retryAfterSeconds: RETRY_SECONDS,
  });
}
