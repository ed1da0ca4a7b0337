import { LoreError } from '../memory/errors.ts';

/** Wait before the first repetition, at most; doubled for each further one. */
const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 5_000;
/** Anyone who is told to come back later than this is told so. */
const LONGEST_RETRY_AFTER_MS = 30_000;

/** A key for one change; also where a page was not loaded over HTTPS and has no `randomUUID`. */
export function randomKey(): string {
  return globalThis.crypto.getRandomValues(new Uint32Array(4)).join('-');
}

interface Attempt {
  /** From 0. */
  readonly nth: number;
  /** It may be repeated also where it may have been carried out. */
  readonly safe: boolean;
}

/**
 * Milliseconds after which a failed request may be repeated, or undefined where it may not: what was refused for the rate was not begun, and
 * what is still being done for an earlier attempt will have an answer.
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

/** Waits so many milliseconds. Rejects with the reason of the signal as soon as it is aborted. */
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
