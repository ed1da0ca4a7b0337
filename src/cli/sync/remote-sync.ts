import type { Transport } from '../../client/transport.ts';
import type {
  SyncApplied,
  SyncApplyRequest,
  SyncDigests,
  SyncDigestsRequest,
  SyncEntries,
  SyncEntriesRequest,
  SyncOperations,
  SyncOptions,
  SyncStamps,
  SyncStampsRequest,
} from '../../memory/operations/sync-operations.ts';

/** One side of a sync that a server has open. Here and not in the client library: a page has no store to sync with. */
export class RemoteSync implements SyncOperations {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  digests(request: SyncDigestsRequest, options?: SyncOptions): Promise<SyncDigests> {
    return this.#ask('digests', request, options);
  }

  stamps(request: SyncStampsRequest, options?: SyncOptions): Promise<SyncStamps> {
    return this.#ask('stamps', request, options);
  }

  entries(request: SyncEntriesRequest, options?: SyncOptions): Promise<SyncEntries> {
    return this.#ask('entries', request, options);
  }

  apply(request: SyncApplyRequest, options?: SyncOptions): Promise<SyncApplied> {
    return this.#ask('apply', request, options);
  }

  /** What was applied may be applied again, so every request may be repeated. Embedding takes as long as it takes. */
  async #ask<T extends object>(name: keyof SyncOperations, body: object, { source, signal }: SyncOptions = {}): Promise<T> {
    const options = { ...(source !== undefined && { source }), signal, body, safe: true, unlimited: true };
    const { success: _, ...answer } = await this.#transport.json<T & { readonly success?: boolean }>('POST', `sync/${name}`, options);
    return answer as unknown as T;
  }
}
