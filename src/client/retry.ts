import { LoreError } from '../memory/errors.ts';

/** Longest wait before the first retry; doubled for each further one. */
const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 5_000;
/** If the server asks for a longer wait, the error goes to the caller. */
const LONGEST_RETRY_AFTER_MS = 30_000;

/** A random idempotency key. Works also on a page without HTTPS, which has no `randomUUID`. */
export function randomKey(): string {
  return globalThis.crypto.getRandomValues(new Uint32Array(4)).join('-');
}

interface Attempt {
  /** From 0. */
  readonly nth: number;
  /** Retrying is safe even if the first attempt was applied. */
  readonly safe: boolean;
}

/**
 * Milliseconds to wait before a retry; undefined if the request must not be retried. A rate-limited request was never started. `conflict` means
 * that an earlier attempt with the same key is still running.
 */
export function waitAfter(error: unknown, { nth, safe }: Attempt): number | undefined {
  if (!(error instanceof LoreError)) return undefined;
  const mayRepeat =
    error.code === 'rate_limited' || (safe && (error.code === 'unavailable' || error.code === 'network' || error.code === 'conflict'));
  if (!mayRepeat) return undefined;
  const asked = (error.retryAfterSeconds ?? 0) * 1000;
  if (asked > LONGEST_RETRY_AFTER_MS) return undefined;
  const most = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** nth);
  return asked + (most / 2) * (1 + Math.random());
}

/** Sleeps. Rejects with the reason of the signal when it is aborted. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  await new Promise<void>((resolve, reject) => {
    const end = (): void => {
      clearTimeout(timer);
      reject(signal.reason as Error);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', end);
      resolve();
    }, ms);
    signal.addEventListener('abort', end, { once: true });
  });
}
