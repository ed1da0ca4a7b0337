import { RefusedError } from '../../../src/client/error-response.ts';
import { Transport, type KeySource, type RequestOptions as ClientOptions } from '../../../src/client/transport.ts';
import { LoreError } from '../../../src/memory/errors.ts';
import { texts } from '../texts.ts';
import { keyring } from './keyring.ts';

/** The one way a request fails: what the server said, or status 0 where it said nothing. */
export class ApiError extends Error {
  readonly status: number;

  constructor(status: number, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'ApiError';
    this.status = status;
  }

  /** Nobody answered: the server is away, not unwilling. */
  get offline(): boolean {
    return this.status === 0;
  }

  get locked(): boolean {
    return this.status === 401;
  }
}

/** The failure of a request in the words of the page; the reason of a signal stays as it is. */
export function failureOf(cause: unknown): unknown {
  if (cause instanceof RefusedError) {
    return new ApiError(cause.status, cause.code === 'network' ? texts.errors.status(cause.status) : cause.message, { cause });
  }
  if (!(cause instanceof LoreError)) return cause;
  return unanswered(cause.cause);
}

function unanswered(cause: unknown): ApiError {
  const isLate = cause instanceof DOMException && cause.name === 'TimeoutError';
  return new ApiError(0, isLate ? texts.errors.timeout : texts.errors.network, { cause });
}

/** Sends to this server, as the page. */
class PageTransport extends Transport {
  constructor(key: KeySource) {
    super({ baseUrl: globalThis.location?.origin ?? 'http://127.0.0.1', key });
  }

  override async json<T>(method: string, route: string, options: ClientOptions = {}): Promise<T> {
    return await super.json<T>(method, route, { ...options, source: 'web' }).catch((error: unknown) => {
      throw failureOf(error);
    });
  }
}

/** With the key of this tab; where that is refused it asks for another one. */
export const transport = new PageTransport(keyring);
/** For what runs in the background: a missing key is an error, not a question. */
export const quiet = new PageTransport({
  get key() {
    return keyring.key;
  },
  replace: () => Promise.resolve(false),
});

/** Any request to this server; an answer of any status is the caller's to read. Rejects as every request does. */
export async function send(path: string, init: RequestInit, options: Pick<ClientOptions, 'signal' | 'unlimited'> = {}): Promise<Response> {
  return await transport.fetch(path, init, options).catch((error: unknown) => {
    throw failureOf(error);
  });
}

/** What an answer that was read as text says of a failure. */
export function problemOf(status: number, text: string): ApiError {
  const { error } = parsed(text);
  return new ApiError(status, error ?? texts.errors.status(status));
}

export function parsed(text: string): { readonly error?: string } {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {};
  }
}
