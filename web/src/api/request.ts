import { texts } from '../texts.ts';
import { keyring } from './keyring.ts';

const TIMEOUT_MS = 30_000;

/** The one way a request fails: what the server said, or `NETWORK` / `TIMEOUT` with status 0 where it said nothing. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'ApiError';
    this.status = status;
    this.code = code;
  }

  /** Nobody answered: the server is away, not unwilling. */
  get offline(): boolean {
    return this.status === 0;
  }

  get locked(): boolean {
    return this.status === 401;
  }
}

export interface RequestOptions {
  readonly method?: string;
  /** Sent as JSON. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
  /** False for what runs in the background: a missing key is then an error, not a question. Default true. */
  readonly askForKey?: boolean;
  /** For work that takes long; Infinity for what has no end. Default 30 seconds. */
  readonly timeoutMs?: number;
}

/**
 * Sends one request to this server, with the tab's key where there is one. On 401 it asks for the key and sends the request again. Rejects
 * with ApiError where nobody answers, and with the signal's reason where it was aborted; any other status is the caller's to read.
 */
export async function send(path: string, options: RequestOptions = {}): Promise<Response> {
  for (;;) {
    const used = keyring.key;
    const response = await attempt(path, options, used);
    if (response.status !== 401 || options.askForKey === false) return response;
    if (!(await keyring.replace(used))) return response;
    options.signal?.throwIfAborted();
  }
}

/** `send`, and the JSON of a good answer. Rejects with ApiError for every other one. */
export async function request<T>(path: string, options: RequestOptions = {}): Promise<T> {
  const response = await send(path, options);
  const body = json(await textOf(response, options.signal));
  if (response.ok && isRecord(body)) return body as T;
  const said = isRecord(body) ? body : {};
  const message = typeof said['error'] === 'string' ? said['error'] : texts.errors.status(response.status);
  throw new ApiError(response.status, typeof said['code'] === 'string' ? said['code'] : 'UNKNOWN', message);
}

async function attempt(path: string, options: RequestOptions, key: string | undefined): Promise<Response> {
  const { timeoutMs = TIMEOUT_MS } = options;
  const timeout = timeoutMs === Infinity ? new AbortController().signal : AbortSignal.timeout(timeoutMs);
  const signal = options.signal === undefined ? timeout : AbortSignal.any([options.signal, timeout]);
  const headers = new Headers(options.headers);
  if (key !== undefined) headers.set('x-api-key', key);
  if (options.body !== undefined) headers.set('content-type', 'application/json');
  const init: RequestInit = { method: options.method ?? 'GET', headers, signal };
  if (options.body !== undefined) init.body = typeof options.body === 'string' ? options.body : JSON.stringify(options.body);
  try {
    return await fetch(path, init);
  } catch (cause) {
    throw unanswered(cause, options.signal);
  }
}

/** The whole answer, which may break off after it began. Rejects as `send` does. */
export async function textOf(response: Response, signal: AbortSignal | undefined): Promise<string> {
  try {
    return await response.text();
  } catch (cause) {
    throw unanswered(cause, signal);
  }
}

/** Throws the reason of the signal where that ended it. */
function unanswered(cause: unknown, signal: AbortSignal | undefined): ApiError {
  signal?.throwIfAborted();
  const isLate = cause instanceof DOMException && cause.name === 'TimeoutError';
  return isLate ? new ApiError(0, 'TIMEOUT', texts.errors.timeout, { cause }) : new ApiError(0, 'NETWORK', texts.errors.network, { cause });
}

function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);
