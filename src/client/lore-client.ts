/** For programs and pages that talk to a Lore server: no native module, nothing of Node, nothing but this folder and one class of errors. */
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
  /** Where the server is; a path in it is kept. Default `http://127.0.0.1:7007`. */
  readonly url?: string;
  /** API key, where the server needs one. An object gives the key of the moment, and another one where the server refuses it. */
  readonly key?: string | KeySource;
  /** How long each answer may take; default 30,000. Exports, imports and long work have no limit: end them by a signal. */
  readonly timeoutMs?: number;
  /**
   * How often a request is repeated that got no answer and only reads, or saves, changes or forgets one entry or relation (which goes with a
   * key, so that it is done once; a page of another origin sends none and does not repeat these), or that was refused for the rate (whatever
   * it does, but for an import).
   * Waits 0.25 seconds and then twice as long each time, at most 5, and never exactly that; as long as the server asks, up to 30. Default 2.
   */
  readonly retries?: number;
  /** In the place of the global one. */
  readonly fetch?: typeof fetch;
}

/**
 * Every operation of a Lore server. Times in what it returns are milliseconds since 1970 (UTC). Rejects with a `LoreError`, whose `code` says
 * what kind of failure it is, or with the reason of the `signal` that ended the call.
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

  /** Whether a server answers there within two seconds; needs no key. */
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
   * Every change in the store, no matter who makes it, for as long as it is iterated over: comes back by itself where the connection is cut, after
   * waits that grow to half a minute, and is then told what it missed, or `reset` where the server no longer knows.
   */
  events(request: FollowRequest = {}, options: CallOptions = {}): AsyncGenerator<StoreEvent> {
    return followForever(this.#transport, request, options);
  }

  /** An export as the bytes of a file of JSON Lines, piece by piece; `export` gives its lines as objects. */
  exportBytes(request: ExportRequest = {}, options: CallOptions = {}): AsyncGenerator<Uint8Array> {
    return this.#transport.stream('GET', 'export', { ...options, query: { format: 'jsonl', gzip: false, ...request } });
  }

  /**
   * Takes in what an export wrote: text, bytes, a file, a stream, or the lines as objects. In Node it is sent as it is read; a browser holds
   * all of it first. A bad line is named in the report and does not stop the rest, unless `strict`.
   */
  override import(input: ImportInput, request: ImportRequest = {}, options: ImportOptions = {}): Promise<ImportReport> {
    return super.import(importChunks(input), request, options);
  }
}
