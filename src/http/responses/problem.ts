/** Maps each domain error to its HTTP status and message. */
import type { ServerResponse } from 'node:http';
import { BusyError, LoreError, type ErrorCode } from '../../memory/errors.ts';
import type { Log } from '../../memory/log.ts';
import { sendJson } from './json-response.ts';
import type { LoreRequest } from '../exchange.ts';

export const PROBLEM_CODES = [
  'INVALID_REQUEST',
  'UNAUTHORIZED',
  'FORBIDDEN',
  'NOT_FOUND',
  'CONFLICT',
  'RATE_LIMITED',
  'INTERNAL_ERROR',
  'UNAVAILABLE',
] as const;
type ProblemCode = (typeof PROBLEM_CODES)[number];

interface Answer {
  readonly status: number;
  readonly code: ProblemCode;
  /** True if the message may name a file or a setting of this machine: the client gets a general message, the log gets the error. */
  readonly hidden?: true;
}

/** Status and code of every domain error. */
export const PROBLEMS = {
  invalid_input: { status: 400, code: 'INVALID_REQUEST' },
  unauthorized: { status: 401, code: 'UNAUTHORIZED' },
  forbidden: { status: 403, code: 'FORBIDDEN' },
  not_found: { status: 404, code: 'NOT_FOUND' },
  method_not_allowed: { status: 405, code: 'INVALID_REQUEST' },
  conflict: { status: 409, code: 'CONFLICT' },
  too_large: { status: 413, code: 'INVALID_REQUEST' },
  unsupported_media_type: { status: 415, code: 'INVALID_REQUEST' },
  key_reused: { status: 422, code: 'INVALID_REQUEST' },
  rate_limited: { status: 429, code: 'RATE_LIMITED' },
  unavailable: { status: 503, code: 'UNAVAILABLE' },
  network: { status: 503, code: 'UNAVAILABLE' },
  config: { status: 500, code: 'INTERNAL_ERROR', hidden: true },
  filesystem: { status: 500, code: 'INTERNAL_ERROR', hidden: true },
  internal: { status: 500, code: 'INTERNAL_ERROR', hidden: true },
} as const satisfies Record<ErrorCode, Answer>;

export interface ProblemBody {
  readonly success: false;
  readonly error: string;
  readonly code: ProblemCode;
}

/** Retry-After of a 503 whose error names no time. */
const RETRY_SECONDS = 10;

const HIDDEN_MESSAGE = 'Something went wrong; the server log has the details.';

/** Status and body for any thrown value. Never exposes messages of other libraries. */
export function toProblem(error: unknown): { readonly status: number; readonly body: ProblemBody } {
  const answer: Answer = error instanceof LoreError ? PROBLEMS[error.code] : PROBLEMS.internal;
  const message = error instanceof LoreError && !answer.hidden ? messageOf(error) : HIDDEN_MESSAGE;
  return { status: answer.status, body: { success: false, error: message, code: answer.code } };
}

/** Adds the hint to `unavailable` errors only: the message of any other error is enough to fix the request. */
function messageOf({ code, message, hint }: LoreError): string {
  return code === 'unavailable' && hint !== undefined ? `${message} ${hint}` : message;
}

/** A server that is at its limit has not failed: anyone who sends many requests would fill the log with errors. */
function noteUnserved(error: unknown, { requestId }: LoreRequest, log: Log): void {
  if (error instanceof BusyError) log.warn({ error: error.message, requestId }, 'request could not be served now');
  else log.error({ err: error, requestId }, 'request could not be served');
}

/** Answers with the error format. Cuts the connection if a response has already started. Never throws. */
export function sendProblem(error: unknown, req: LoreRequest, res: ServerResponse, log: Log): void {
  const { status, body } = toProblem(error);
  const gone = res.destroyed || (res.socket?.destroyed ?? true);
  if (status === 500 && !gone) log.error({ err: error, requestId: req.requestId }, 'request failed');
  if (status === 503 && !gone) noteUnserved(error, req, log);
  if (gone || res.headersSent) {
    res.destroy();
    return;
  }
  const retryAfter = (error instanceof LoreError ? error.retryAfterSeconds : undefined) ?? (status === 503 ? RETRY_SECONDS : undefined);
  if (retryAfter !== undefined) res.setHeader('retry-after', Math.ceil(retryAfter));
  if (status === 401) res.setHeader('www-authenticate', 'Bearer realm="lore"');
  sendJson(req, res, status, body);
}
