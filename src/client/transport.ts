import { LoreError, type ErrorCode } from '../memory/errors.ts';
import type { CallOptions } from '../memory/operations.ts';

const DEFAULT_TIMEOUT_MS = 30_000;

export type Query = Readonly<Record<string, string | number | boolean | undefined>>;

interface TransportOptions {
  readonly baseUrl: string;
  readonly key?: string;
  readonly fetch?: typeof fetch;
  readonly timeoutMs?: number;
}

interface RequestOptions extends CallOptions {
  readonly query?: Query;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Sent as JSON Lines, as they come. */
  readonly chunks?: AsyncIterable<Uint8Array>;
  /** The answer may take as long as it needs. */
  readonly unlimited?: boolean;
}

/** Sends requests to the /api routes of one server and turns every kind of failure into a LoreError. */
export class Transport {
  readonly #base: URL;
  readonly #key: string | undefined;
  readonly #fetch: typeof fetch;
  readonly #timeoutMs: number;
  readonly #closing = new AbortController();

  constructor({ baseUrl, key, fetch: send = globalThis.fetch, timeoutMs = DEFAULT_TIMEOUT_MS }: TransportOptions) {
    this.#base = new URL(baseUrl.endsWith('/') ? baseUrl : `${baseUrl}/`);
    this.#key = key;
    this.#fetch = send;
    this.#timeoutMs = timeoutMs;
  }

  /** The JSON object of a successful answer. */
  async json<T>(method: string, route: string, options: RequestOptions = {}): Promise<T> {
    const response = await this.#send(method, route, options);
    const text = await response.text().catch((error: unknown) => this.#fail(error, options));
    try {
      return JSON.parse(text) as T;
    } catch (cause) {
      throw new LoreError('network', `${this.#base.origin} answered with something other than JSON.`, { cause, hint: NOT_LORE });
    }
  }

  /** The bytes of a successful answer as they come. */
  async *stream(method: string, route: string, options: RequestOptions): AsyncGenerator<Uint8Array> {
    const response = await this.#send(method, route, { ...options, unlimited: true });
    if (response.body === null) return;
    try {
      yield* response.body as unknown as AsyncIterable<Uint8Array>;
    } catch (error) {
      this.#fail(error, options);
    }
  }

  /** Ends what is under way. Safe to repeat. */
  close(): void {
    this.#closing.abort();
  }

  async #send(method: string, route: string, options: RequestOptions): Promise<Response> {
    if (this.#closing.signal.aborted) throw new LoreError('unavailable', 'The connection to the server was closed.');
    const response = await this.#fetch(this.#url(route, options.query), this.#init(method, options)).catch((error: unknown) =>
      this.#fail(error, options),
    );
    if (!response.ok) throw await refusal(response, this.#base.origin);
    return response;
  }

  #url(route: string, query: Query = {}): URL {
    const url = new URL(`api/${route}`, this.#base);
    for (const [name, value] of Object.entries(query)) {
      if (value !== undefined) url.searchParams.set(name, String(value));
    }
    // The server may be configured to answer in the guide form.
    url.searchParams.set('form', 'reference');
    return url;
  }

  #init(method: string, { source, signal, body, chunks, unlimited = false }: RequestOptions): RequestInit {
    const signals = [this.#closing.signal, ...(signal ? [signal] : []), ...(unlimited ? [] : [AbortSignal.timeout(this.#timeoutMs)])];
    const headers: Record<string, string> = { accept: 'application/json' };
    if (this.#key !== undefined) headers['x-api-key'] = this.#key;
    if (source !== undefined) headers['x-lore-source'] = source;
    const init = { method, headers, signal: AbortSignal.any(signals), redirect: 'error' as const };
    if (chunks !== undefined) {
      headers['content-type'] = 'application/x-ndjson';
      // A body that is a stream is sent while the answer is still to come, which fetch wants to be told.
      return { ...init, body: ReadableStream.from(chunks), duplex: 'half' };
    }
    if (body === undefined) return init;
    headers['content-type'] = 'application/json';
    return { ...init, body: JSON.stringify(body) };
  }

  #fail(error: unknown, { signal }: CallOptions): never {
    const { origin } = this.#base;
    if (signal?.aborted) throw error;
    if (this.#closing.signal.aborted) throw new LoreError('unavailable', 'The connection to the server was closed.', { cause: error });
    if (error instanceof Error && error.name === 'TimeoutError') {
      throw new LoreError('network', `${origin} did not answer within ${this.#timeoutMs / 1000} seconds.`, { cause: error });
    }
    throw new LoreError('network', `${origin} cannot be reached${reasonOf(error)}.`, {
      cause: error,
      hint: 'Is the server running? `lore serve` starts one.',
    });
  }
}

const NOT_LORE = 'Is this the address of a Lore server?';

const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ECONNRESET: 'the connection was cut',
  UND_ERR_SOCKET: 'the connection was cut',
  ENOTFOUND: 'the host is not known',
  EAI_AGAIN: 'the host is not known',
  ETIMEDOUT: 'it does not answer',
  UND_ERR_CONNECT_TIMEOUT: 'it does not answer',
};

function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  const code = (cause as NodeJS.ErrnoException | null)?.code;
  return code === undefined ? '' : `: ${REASONS[code] ?? code}`;
}

/** What a status means; the inverse of the server's table. */
const CODES: Readonly<Record<number, ErrorCode>> = {
  400: 'invalid_input',
  401: 'unauthorized',
  403: 'forbidden',
  404: 'not_found',
  405: 'method_not_allowed',
  413: 'too_large',
  415: 'unsupported_media_type',
  429: 'rate_limited',
  503: 'unavailable',
};
/** What the words of an error body mean where a stream was begun with status 200 and then failed. */
const WORDS: Readonly<Record<string, ErrorCode>> = { INVALID_REQUEST: 'invalid_input', UNAVAILABLE: 'unavailable' };
const HINTS: Partial<Record<ErrorCode, string>> = {
  unauthorized: 'Put the key into SERVICE_API_KEY.',
  forbidden: 'This key does not allow that.',
  internal: 'The log of the server has the details.',
};

/** The error that an answer with a failure status stands for. */
async function refusal(response: Response, origin: string): Promise<LoreError> {
  const body: unknown = await response.json().catch(() => undefined);
  if (!isProblem(body)) return new LoreError('network', `${origin} answered with status ${response.status}.`, { hint: NOT_LORE });
  const wait = Number(response.headers.get('retry-after') ?? Number.NaN);
  return loreError(CODES[response.status] ?? 'internal', body.error, Number.isFinite(wait) ? wait : undefined);
}

/** The error that stands at the end of a stream that failed. */
export function streamError(problem: Problem): LoreError {
  return loreError(WORDS[problem.code] ?? 'internal', problem.error);
}

interface Problem {
  readonly error: string;
  readonly code: string;
}

/** Whether a value is the error form of the server. */
export function isProblem(value: unknown): value is Problem {
  return typeof value === 'object' && value !== null && 'error' in value && typeof value.error === 'string' && 'code' in value;
}

function loreError(code: ErrorCode, message: string, retryAfterSeconds?: number): LoreError {
  const hint = HINTS[code];
  return new LoreError(code, message, {
    ...(hint !== undefined && { hint }),
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
  });
}
