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
import type { Limits } from './limited.ts';

/** The same operations within what an API key may do: what is in another namespace is as if it were not there. */
export class RestrictedSync implements SyncOperations {
  readonly #sync: SyncOperations;
  readonly #limits: Limits;

  constructor(sync: SyncOperations, limits: Limits) {
    this.#sync = sync;
    this.#limits = limits;
  }

  async digests(request: SyncDigestsRequest, options?: SyncOptions): Promise<SyncDigests> {
    return await this.#sync.digests(this.#limits.within(request), this.#bound(options));
  }

  async stamps(request: SyncStampsRequest, options?: SyncOptions): Promise<SyncStamps> {
    return await this.#sync.stamps(this.#limits.within(request), this.#bound(options));
  }

  async entries(request: SyncEntriesRequest, options?: SyncOptions): Promise<SyncEntries> {
    return await this.#sync.entries(this.#limits.within(request), this.#bound(options));
  }

  async apply(request: SyncApplyRequest, options?: SyncOptions): Promise<SyncApplied> {
    this.#limits.mayWrite();
    return await this.#sync.apply(this.#limits.within(request), this.#bound(options));
  }

  #bound(options: SyncOptions = {}): SyncOptions {
    const { namespace } = this.#limits.within<{ readonly namespace?: string }>({});
    return { ...options, ...(namespace !== undefined && { namespace }) };
  }
}
