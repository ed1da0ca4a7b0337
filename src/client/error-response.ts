/** Converts error responses of a server to `LoreError`. */
import { LoreError, type ErrorCode } from '../memory/errors.ts';

export const NOT_LORE = 'Is this the address of a Lore server?';

/** Error codes by HTTP status; the inverse of the server's table. */
const CODES: Readonly<Record<number, ErrorCode>> = {
  400: 'invalid_input',
  401: 'unauthorized',
  403: 'forbidden',
  404: 'not_found',
  405: 'method_not_allowed',
  409: 'conflict',
  413: 'too_large',
  415: 'unsupported_media_type',
  422: 'key_reused',
  429: 'rate_limited',
  503: 'unavailable',
};
/** Error codes by the code in an error body, for streams that fail after status 200. */
const WORDS: Readonly<Record<string, ErrorCode>> = { INVALID_REQUEST: 'invalid_input', UNAVAILABLE: 'unavailable' };
const HINTS: Partial<Record<ErrorCode, string>> = {
  unauthorized: 'Put the key into SERVICE_API_KEY.',
  forbidden: 'This key does not allow that.',
  internal: 'The server log has the details.',
};

/** An error response with its HTTP status. */
export class RefusedError extends LoreError {
  readonly #status: number;

  constructor(status: number, ...error: ConstructorParameters<typeof LoreError>) {
    super(...error);
    this.#status = status;
  }

  get status(): number {
    return this.#status;
  }
}

/** The error of a response with a failure status. */
export async function responseError(response: Response, origin: string): Promise<LoreError> {
  const { status } = response;
  const body: unknown = await response.json().catch(() => undefined);
  if (!isProblem(body)) return new RefusedError(status, 'network', `${origin} answered with status ${status}.`, { hint: NOT_LORE });
  const wait = Number(response.headers.get('retry-after') ?? Number.NaN);
  const code = CODES[status] ?? 'internal';
  return new RefusedError(status, code, body.error, { ...hintFor(code), ...(Number.isFinite(wait) && { retryAfterSeconds: wait }) });
}

/** The error at the end of a failed stream. */
export function streamError(problem: Problem): LoreError {
  const code = WORDS[problem.code] ?? 'internal';
  return new LoreError(code, problem.error, hintFor(code));
}

interface Problem {
  readonly error: string;
  readonly code: string;
}

/** Whether a value has the error format of the server. */
export function isProblem(value: unknown): value is Problem {
  return typeof value === 'object' && value !== null && 'error' in value && typeof value.error === 'string' && 'code' in value;
}

function hintFor(code: ErrorCode): { hint?: string } {
  const hint = HINTS[code];
  return hint === undefined ? {} : { hint };
}
