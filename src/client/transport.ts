import { LoreError } from '../memory/errors.ts';
import type { CallOptions } from '../memory/operations/operations.ts';
import { NOT_LORE, refusal } from './refusal.ts';
import { pause, randomKey, waitAfter } from './repeating.ts';
import { withoutUndefined } from '../memory/without-undefined.ts';

const DEFAULT_TIMEOUT_MS = 30_000;

export type Query = Readonly<Record<string, string | number | boolean | undefined>>;

/** Holds a key that may change while a client is in use, such as one that a person types. */
export interface KeySource {
  readonly key: string | undefined;
  /** Gets another key than `used`, which the server refused. Whether there is one to try; the request is then sent again. */
  replace(used: string | undefined): Promise<boolean>;
}

interface TransportOptions {
  readonly baseUrl: string;
  readonly key?: string | KeySource;
  readonly fetch?: typeof fetch;
  readonly timeoutMs?: number;
  /** How often a request is repeated where that can do no harm. Default 0. */
  readonly retries?: number;
}

export interface RequestOptions extends CallOptions {
  readonly query?: Query;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Sent as JSON Lines, as they come; such a request is never repeated. */
  readonly chunks?: AsyncIterable<Uint8Array>;
  /** The answer may take as long as it needs. */
  readonly unlimited?: boolean;
  /** Beside those of every request. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Changes nothing, so that it may be repeated where no answer came. Default: whether it is a GET, or has a key. */
  readonly safe?: boolean;
  /** It goes with a key, where it may be repeated: by that the server does it once. */
  readonly once?: boolean;
}

/** Sends requests to the /api routes of one server and turns every kind of failure into a LoreError. */
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
    // A browser refuses its own fetch as the method of anything else.
    this.#fetch = send ?? ((input, init) => globalThis.fetch(input, init));
    this.#timeoutMs = timeoutMs;
    this.#retries = retries;
  }

  /** The JSON object of a successful answer. */
  async json<T>(method: string, route: string, given: RequestOptions = {}): Promise<T> {
    const options = given.once === true ? { ...given, idempotencyKey: given.idempotencyKey ?? this.#ownKey() } : given;
    return await this.#patiently(method, options, async () => {
      const response = await this.#send(method, route, options);
      const text = await response.text().catch((error: unknown) => this.#fail(error, options));
      try {
        return JSON.parse(text) as T;
      } catch (cause) {
        throw new LoreError('network', `${this.#base.origin} answered with something other than JSON.`, { cause, hint: NOT_LORE });
      }
    });
  }

  /** The bytes of a successful answer as they come. */
  async *stream(method: string, route: string, options: RequestOptions): AsyncGenerator<Uint8Array> {
    const unlimited = { ...options, unlimited: true };
    const response = await this.#patiently(method, options, () => this.#send(method, route, unlimited));
    if (response.body === null) return;
    // Not every browser can iterate over a stream.
    const reader = (response.body as ReadableStream<Uint8Array>).getReader();
    // The fetch of Node forgets its signal once memory was tidied up, and a stream that says nothing would go on for ever.
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
      // Where nobody reads to the end, the server is not to go on sending.
      await reader.cancel().catch(() => undefined);
    }
  }

  /** Ends what is under way. Safe to repeat. */
  close(): void {
    this.#closing.abort();
  }

  /** Waits; rejects as a request would where that is ended by the signal or by `close`. */
  async pause(ms: number, options: CallOptions): Promise<void> {
    await pause(ms, this.#ending(options)).catch((reason: unknown) => this.#fail(reason, options));
  }

  /** Aborted by the signal of the call or by `close`. */
  #ending({ signal }: CallOptions): AbortSignal {
    return AbortSignal.any([this.#closing.signal, ...(signal ? [signal] : [])]);
  }

  /** One for all attempts at one change; none where there is but one, or where a page would have to ask another origin whether it may send it. */
  #ownKey(): string | undefined {
    const { location } = globalThis as { location?: { readonly origin: string } };
    const { origin } = this.#base;
    return this.#retries > 0 && (location?.origin ?? origin) === origin ? randomKey() : undefined;
  }

  /** Repeats what can be repeated, after a wait that grows and is never the same for two clients. */
  async #patiently<T>(method: string, options: RequestOptions, attempt: () => Promise<T>): Promise<T> {
    const { idempotencyKey, chunks, safe = method === 'GET' || idempotencyKey !== undefined } = options;
    // Chunks can be read once: a second request would send none of them, and would seem to have worked.
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

  /** Sends anything to the server, with the key, and again with another one where that is refused. The answer may have any status. */
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
    throw await refusal(response, this.#base.origin);
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

/** Whether this is Node (or what behaves like it) and no browser. */
const IN_NODE = (globalThis as { process?: { versions?: { node?: string } } }).process?.versions?.node !== undefined;

async function initOf(method: string, { source, body, chunks, headers: more, idempotencyKey }: RequestOptions): Promise<RequestInit> {
  const headers: Record<string, string> = { accept: 'application/json', ...more };
  if (source !== undefined) headers['x-lore-source'] = source;
  if (idempotencyKey !== undefined) headers['idempotency-key'] = `"${idempotencyKey}"`;
  const init = { method, headers, redirect: 'error' as const };
  if (chunks !== undefined) {
    headers['content-type'] = 'application/x-ndjson';
    // Browsers send a stream over HTTP/2 only; a body that is one is sent while the answer is still to come, which fetch wants to be told.
    return { ...init, ...(IN_NODE ? streamed(chunks) : { body: await collected(chunks) }) };
  }
  if (body === undefined) return init;
  headers['content-type'] = 'application/json';
  return { ...init, body: JSON.stringify(body) };
}

function streamed(chunks: AsyncIterable<Uint8Array>): RequestInit {
  const streams = ReadableStream as unknown as { from(chunks: AsyncIterable<Uint8Array>): ReadableStream };
  return { body: streams.from(chunks), duplex: 'half' } as object;
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
  // A browser does not say.
  if (!IN_NODE) return '';
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  const code = (cause as NodeJS.ErrnoException | null)?.code;
  return code === undefined ? '' : `: ${REASONS[code] ?? code}`;
}
