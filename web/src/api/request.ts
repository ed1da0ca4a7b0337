import { RefusedError } from '../../../src/client/error-response.ts';
import { Transport, type KeySource, type RequestOptions as ClientOptions } from '../../../src/client/transport.ts';
import { LoreError } from '../../../src/memory/errors.ts';
import { texts } from '../texts.ts';
import { keyring } from './keyring.ts';

/** A failed request: the server's error, or status 0 without a response. */
export class ApiError extends Error {
  readonly status: number;

  constructor(status: number, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'ApiError';
    this.status = status;
  }

  get offline(): boolean {
    return this.status === 0;
  }

  get locked(): boolean {
    return this.status === 401;
  }
}

/** Converts a failure to an ApiError; the reason of a signal is unchanged. */
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

/** Sends requests to this server as the page. */
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

/** Uses the key of this tab and asks for another one if the server refuses it. */
export const transport = new PageTransport(keyring);
/** For background requests: a missing key is an error and opens no dialog. */
export const quiet = new PageTransport({
  get key() {
    return keyring.key;
  },
  replace: () => Promise.resolve(false),
});

/** Sends any request to this server. The caller handles the status. Rejects like every request. */
export async function send(path: string, init: RequestInit, options: Pick<ClientOptions, 'signal' | 'unlimited'> = {}): Promise<Response> {
  return await transport.fetch(path, init, options).catch((error: unknown) => {
    throw failureOf(error);
  });
}

/** The error message in a response body that was read as text. */
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
