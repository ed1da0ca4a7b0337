import { withoutUndefined } from './without-undefined.ts';
/**
 * Every failure that Lore reports on purpose, by meaning. A code knows no HTTP status and no exit code: http/problem.ts and
 * cli/failure.ts each hold one exhaustive table over this union, so a new code does not compile until both answer.
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
  /** What the user can do about it, one sentence; shown below the message by the command line. */
  readonly hint: string | undefined;
  /** Seconds after which trying again makes sense; only for `rate_limited`, `unavailable` and `conflict`. */
  readonly retryAfterSeconds: number | undefined;

  constructor(code: ErrorCode, message: string, options: { hint?: string; cause?: unknown; retryAfterSeconds?: number } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'LoreError';
    this.code = code;
    this.hint = options.hint;
    this.retryAfterSeconds = options.retryAfterSeconds;
  }
}

/** A temporary refusal before any work: nothing has failed, and the request can be retried after some seconds. */
export class BusyError extends LoreError {
  constructor(message: string, retryAfterSeconds: number, { hint }: { readonly hint?: string } = {}) {
    super('unavailable', message, { retryAfterSeconds, ...withoutUndefined({ hint }) });
  }
}

/** The error for an unknown id. */
export function entryNotFound(id: string): LoreError {
  return new LoreError('not_found', `No entry has the id ${JSON.stringify(id.slice(0, 100))}.`);
}
