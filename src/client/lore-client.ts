/** The client for programs and pages that talk to a Lore server. It needs no native module and no Node API. */
import type { ImportOptions, ImportReport, ImportRequest, ExportRequest, CallOptions } from '../memory/operations/operations.ts';
import type { FollowRequest, StoreEvent } from '../memory/operations/event-operations.ts';
import { followForever } from './event-stream.ts';
import { RemoteMemories } from './http-client.ts';
import { importChunks, type ImportInput } from './import-input.ts';
import { Transport, type KeySource } from './transport.ts';

export { LoreError, type ErrorCode } from '../memory/errors.ts';
export type { ImportInput } from './import-input.ts';
export type { KeySource } from './transport.ts';
export type { Entry, EntryFilter, Priority, ScoredEntry, SearchMode, Source } from '../memory/entry.ts';
export type { Relation, RelationType } from '../memory/relation.ts';
export type * from '../memory/operations/backup-operations.ts';
export type * from '../memory/operations/bulk-operations.ts';
export type * from '../memory/operations/capture-operations.ts';
export type * from '../memory/operations/detail-operations.ts';
export type * from '../memory/operations/event-operations.ts';
export type * from '../memory/operations/lifecycle-operations.ts';
export type * from '../memory/operations/namespace-operations.ts';
export type * from '../memory/operations/operations.ts';
export type * from '../memory/operations/relation-operations.ts';
export type * from '../memory/operations/source-operations.ts';
export type * from '../memory/operations/statistics-operations.ts';

const DEFAULT_URL = 'http://127.0.0.1:7007';
const DEFAULT_RETRIES = 2;
const PROBE_MS = 2_000;

export interface LoreClientOptions {
  /** URL of the server; a path in it is kept. Default `http://127.0.0.1:7007`. */
  readonly url?: string;
  /** API key, if the server needs one. An object supplies the current key, and another one if the server refuses it. */
  readonly key?: string | KeySource;
  /** Timeout of each request; default 30,000. Exports, imports and long operations have none: end them with a signal. */
  readonly timeoutMs?: number;
  /**
   * Number of retries; default 2. Retried are reads without a response, and changes of one entry or relation: these carry an
   * `Idempotency-Key`, so the server applies them once (a page of another origin sends no key and does not retry them). A rate-limited request
   * is always retried, except an import. The wait starts at 0.25 seconds and doubles up to 5, with jitter; a longer Retry-After of the server
   * counts up to 30 seconds.
   */
  readonly retries?: number;
  /** Replaces the global `fetch`. */
  readonly fetch?: typeof fetch;
}

/**
 * Every operation of a Lore server. Returned times are epoch milliseconds. Calls reject with a `LoreError`, whose `code` is the kind of failure,
 * or with the reason of the call's `signal`.
 */
export class LoreClient extends RemoteMemories {
  readonly #transport: Transport;
  readonly #health: URL;
  readonly #fetch: typeof fetch;

  constructor({ url = DEFAULT_URL, retries = DEFAULT_RETRIES, ...options }: LoreClientOptions = {}) {
    const transport = new Transport({ ...options, baseUrl: url, retries });
    super(transport);
    this.#transport = transport;
    this.#health = new URL('healthz', url.endsWith('/') ? url : `${url}/`);
    this.#fetch = options.fetch ?? ((input, init) => globalThis.fetch(input, init));
  }

  /** Whether the server answers within two seconds. Needs no key. */
  async isUp({ signal }: CallOptions = {}): Promise<boolean> {
    const timeout = AbortSignal.timeout(PROBE_MS);
    try {
      const response = await this.#fetch(this.#health, { signal: signal ? AbortSignal.any([signal, timeout]) : timeout });
      return response.ok;
    } catch {
      signal?.throwIfAborted();
      return false;
    }
  }

  /**
   * Every change in the store, by any client, for as long as the caller iterates. Reconnects after a lost connection, with waits that grow to 30
   * seconds; the server then sends the missed events, or `reset` if it no longer has them.
   */
  events(request: FollowRequest = {}, options: CallOptions = {}): AsyncGenerator<StoreEvent> {
    return followForever(this.#transport, request, options);
  }

  /** An export as the bytes of a JSON Lines file, in chunks. `export` gives the lines as objects. */
  exportBytes(request: ExportRequest = {}, options: CallOptions = {}): AsyncGenerator<Uint8Array> {
    return this.#transport.stream('GET', 'export', { ...options, query: { format: 'jsonl', gzip: false, ...request } });
  }

  /**
   * Imports an export: a string, bytes, a file, a stream, or its lines as objects. Node sends it while reading; a browser first reads all of it
   * into memory. The report names each invalid line; the others are imported, unless `strict`.
   */
  override import(input: ImportInput, request: ImportRequest = {}, options: ImportOptions = {}): Promise<ImportReport> {
    return super.import(importChunks(input), request, options);
  }
}
