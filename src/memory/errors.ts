import { withoutUndefined } from './without-undefined.ts';
/**
 * Codes of all deliberate errors, by meaning, independent of HTTP statuses and exit codes: http/problem.ts and cli/failure.ts each have an
 * exhaustive table over this union, so a new code does not compile until both handle it.
 */
export const ERROR_CODES = [
  'invalid_input',
  'unsupported_media_type',
  'too_large',
  'unauthorized',
  'forbidden',
  'not_found',
  'method_not_allowed',
  'conflict',
  'key_reused',
  'rate_limited',
  'unavailable',
  'config',
  'filesystem',
  'network',
  'internal',
] as const;

export type ErrorCode = (typeof ERROR_CODES)[number];

/** The error class of Lore: what happened, what to do next, and the private cause. */
export class LoreError extends Error {
  readonly code: ErrorCode;
  /** One sentence that tells the user how to fix it; the command line shows it below the message. */
  readonly hint: string | undefined;
  /** Seconds until a retry makes sense; only for `rate_limited`, `unavailable` and `conflict`. */
  readonly retryAfterSeconds: number | undefined;

  constructor(code: ErrorCode, message: string, options: { hint?: string; cause?: unknown; retryAfterSeconds?: number } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'LoreError';
    this.code = code;
    this.hint = options.hint;
    this.retryAfterSeconds = options.retryAfterSeconds;
  }
}

/** A temporary refusal before any work began; the client can retry after some seconds. */
export class BusyError extends LoreError {
  constructor(message: string, retryAfterSeconds: number, { hint }: { readonly hint?: string } = {}) {
    super('unavailable', message, { retryAfterSeconds, ...withoutUndefined({ hint }) });
  }
}

/** The error for an unknown id. */
export function entryNotFound(id: string, hint?: string): LoreError {
  return new LoreError('not_found', `No entry has the id ${JSON.stringify(id.slice(0, 100))}.`, withoutUndefined({ hint }));
}
