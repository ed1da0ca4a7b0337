import { LoreError } from '../memory/errors.ts';
import type { CallOptions } from '../memory/operations/operations.ts';
import { NOT_LORE, responseError } from './error-response.ts';
import { pause, randomKey, waitAfter } from './retry.ts';
import { withoutUndefined } from '../memory/without-undefined.ts';

const DEFAULT_TIMEOUT_MS = 30_000;

export type Query = Readonly<Record<string, string | number | boolean | undefined>>;

/** Supplies an API key that can change while a client is in use, such as one that a user types. */
export interface KeySource {
  readonly key: string | undefined;
  /** Called when the server refused the key `used`. Resolves to true if there is another key; the request is then sent again. */
  replace(used: string | undefined): Promise<boolean>;
}

interface TransportOptions {
  readonly baseUrl: string;
  readonly key?: string | KeySource;
  readonly fetch?: typeof fetch;
  readonly timeoutMs?: number;
  /** Number of retries of a request that is safe to retry. Default 0. */
  readonly retries?: number;
}

export interface RequestOptions extends CallOptions {
  readonly query?: Query;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Streamed as JSON Lines. Such a request is never retried. */
  readonly chunks?: AsyncIterable<Uint8Array>;
  /** No timeout. */
  readonly unlimited?: boolean;
  /** Additional headers. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The request may be retried if no response came. Default: true for GET and for requests with an idempotency key. */
  readonly safe?: boolean;
  /** Sends an idempotency key if retries are enabled, so that the server applies the change once. */
  readonly once?: boolean;
}

/** Sends requests to the /api routes of one server and converts every failure to a LoreError. */
export class Transport {
  readonly #base: URL;
  readonly #keys: KeySource;
  readonly #fetch: typeof fetch;
  readonly #timeoutMs: number;
  readonly #retries: number;
  readonly #closing = new AbortController();

  constructor({ baseUrl, key, fetch: send, timeoutMs = DEFAULT_TIMEOUT_MS, retries = 0 }: TransportOptions) {
    this.#base = new URL(baseUrl.endsWith('/') ? baseUrl : `${baseUrl}/`);
    this.#keys = typeof key === 'object' ? key : { key, replace: () => Promise.resolve(false) };
    // In a browser, `fetch` throws if it is called with another `this`.
    this.#fetch = send ?? ((input, init) => globalThis.fetch(input, init));
    this.#timeoutMs = timeoutMs;
    this.#retries = retries;
  }

  /** Sends a request and parses the JSON of a successful response. */
  async json<T>(method: string, route: string, given: RequestOptions = {}): Promise<T> {
    const options = given.once === true ? { ...given, idempotencyKey: given.idempotencyKey ?? this.#ownKey() } : given;
    return await this.#withRetries(method, options, async () => {
      const response = await this.#send(method, route, options);
      const text = await response.text().catch((error: unknown) => this.#fail(error, options));
      try {
        return JSON.parse(text) as T;
      } catch (cause) {
        throw new LoreError('network', `${this.#base.origin} answered with something other than JSON.`, { cause, hint: NOT_LORE });
      }
    });
  }

  /** Sends a request and streams the bytes of a successful response. */
  async *stream(method: string, route: string, options: RequestOptions): AsyncGenerator<Uint8Array> {
    const unlimited = { ...options, unlimited: true };
    const response = await this.#withRetries(method, options, () => this.#send(method, route, unlimited));
    if (response.body === null) return;
    // Streams are not iterable in every browser.
    const reader = (response.body as ReadableStream<Uint8Array>).getReader();
    // Node's fetch loses its signal after garbage collection; a silent stream would then never end.
    const ending = this.#ending(options);
    const end = (): void => void reader.cancel().catch(() => undefined);
    ending.addEventListener('abort', end);
    try {
      ending.throwIfAborted();
      for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
      ending.throwIfAborted();
    } catch (error) {
      this.#fail(error, options);
    } finally {
      ending.removeEventListener('abort', end);
      // If the caller stops early, the server must stop sending.
      await reader.cancel().catch(() => undefined);
    }
  }

  /** Aborts requests in progress and refuses later ones. Safe to repeat. */
  close(): void {
    this.#closing.abort();
  }

  /** Sleeps. Rejects like a request if the signal or `close` ends it. */
  async pause(ms: number, options: CallOptions): Promise<void> {
    await pause(ms, this.#ending(options)).catch((reason: unknown) => this.#fail(reason, options));
  }

  /** Aborted by the signal of the call or by `close`. */
  #ending({ signal }: CallOptions): AbortSignal {
    return AbortSignal.any([this.#closing.signal, ...(signal ? [signal] : [])]);
  }

  /**
   * One idempotency key for all attempts at a change. Undefined without retries, and on a page of another origin, where the header would need a
   * CORS preflight.
   */
  #ownKey(): string | undefined {
    const { location } = globalThis as { location?: { readonly origin: string } };
    const { origin } = this.#base;
    return this.#retries > 0 && (location?.origin ?? origin) === origin ? randomKey() : undefined;
  }

  /** Retries what is safe to retry, with exponential backoff and jitter. */
  async #withRetries<T>(method: string, options: RequestOptions, attempt: () => Promise<T>): Promise<T> {
    const { idempotencyKey, chunks, safe = method === 'GET' || idempotencyKey !== undefined } = options;
    // Chunks can be read only once: a retry would send an empty body and seem to succeed.
    const retries = chunks === undefined ? this.#retries : 0;
    for (let nth = 0; ; nth += 1) {
      try {
        return await attempt();
      } catch (error) {
        const wait = nth < retries && !this.#closing.signal.aborted ? waitAfter(error, { nth, safe }) : undefined;
        if (wait === undefined) throw error;
        await this.pause(wait, options);
      }
    }
  }

  /** Sends a request with the API key, and again with another key if the server refuses it. Resolves with a response of any status. */
  async fetch(path: string | URL, init: RequestInit, { signal, chunks, unlimited = false }: RequestOptions = {}): Promise<Response> {
    if (this.#closing.signal.aborted) throw new LoreError('unavailable', 'The connection to the server was closed.');
    const url = new URL(path, this.#base);
    for (;;) {
      const { key } = this.#keys;
      const headers = { ...(init.headers as Record<string, string>), ...withoutUndefined({ 'x-api-key': key }) };
      const ending = AbortSignal.any([this.#ending({ signal }), ...(unlimited ? [] : [AbortSignal.timeout(this.#timeoutMs)])]);
      const response = await this.#fetch(url, { ...init, headers, signal: ending }).catch((error: unknown) =>
        this.#fail(error, { signal }),
      );
      if (response.status !== 401 || chunks !== undefined || !(await this.#keys.replace(key))) return response;
      signal?.throwIfAborted();
    }
  }

  async #send(method: string, route: string, options: RequestOptions): Promise<Response> {
    const response = await this.fetch(this.#url(route, options.query), await initOf(method, options), options);
    if (response.ok) return response;
    throw await responseError(response, this.#base.origin);
  }

  #url(route: string, query: Query = {}): URL {
    const url = new URL(`api/${route}`, this.#base);
    for (const [name, value] of Object.entries(query)) {
      if (value !== undefined) url.searchParams.set(name, String(value));
    }
    // The server may be configured for the guide representation.
    url.searchParams.set('form', 'reference');
    return url;
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

/** Whether this is Node or a compatible runtime, not a browser. */
const IN_NODE = (globalThis as { process?: { versions?: { node?: string } } }).process?.versions?.node !== undefined;

async function initOf(method: string, { source, body, chunks, headers: more, idempotencyKey }: RequestOptions): Promise<RequestInit> {
  const headers: Record<string, string> = { accept: 'application/json', ...more };
  if (source !== undefined) headers['x-lore-source'] = source;
  if (idempotencyKey !== undefined) headers['idempotency-key'] = `"${idempotencyKey}"`;
  const init = { method, headers, redirect: 'error' as const };
  if (chunks !== undefined) {
    headers['content-type'] = 'application/x-ndjson';
    // Browsers stream a body only over HTTP/2, so they send a Blob. Node's fetch needs `duplex` for a stream.
    return { ...init, ...(IN_NODE ? streamed(chunks) : { body: await collected(chunks) }) };
  }
  if (body === undefined) return init;
  headers['content-type'] = 'application/json';
  return { ...init, body: JSON.stringify(body) };
}

function streamed(chunks: AsyncIterable<Uint8Array>): RequestInit {
  // Of the types of a browser, not all have `from`.
  const streams: object = ReadableStream;
  return { body: (streams as { from(chunks: AsyncIterable<Uint8Array>): ReadableStream }).from(chunks), duplex: 'half' } as object;
}

async function collected(chunks: AsyncIterable<Uint8Array>): Promise<Blob> {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  for await (const chunk of chunks) parts.push(new Uint8Array(chunk));
  return new Blob(parts);
}

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
  // Browsers hide the reason.
  if (!IN_NODE) return '';
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  const code = (cause as NodeJS.ErrnoException | null)?.code;
  return code === undefined ? '' : `: ${REASONS[code] ?? code}`;
}
