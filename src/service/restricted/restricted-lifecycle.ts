import type { Entry } from '../../memory/entry.ts';
import { LoreError } from '../../memory/errors.ts';
import type {
  ArchivePage,
  ArchiveRequest,
  CompactReport,
  CompactRequest,
  EntryHistory,
  ForgetReport,
  ForgetRequest,
  LifecycleOperations,
  RestoreReport,
  RestoreRequest,
} from '../../memory/operations/lifecycle-operations.ts';
import type { CallOptions } from '../../memory/operations/operations.ts';
import type { Limits } from './limited.ts';

/** The same operations within what an API key may do. What an entry was while it was in another namespace is not shown. */
export class RestrictedLifecycle implements LifecycleOperations {
  readonly #lifecycle: LifecycleOperations;
  readonly #limits: Limits;

  constructor(lifecycle: LifecycleOperations, limits: Limits) {
    this.#lifecycle = lifecycle;
    this.#limits = limits;
  }

  async compact(request: CompactRequest, options?: CallOptions): Promise<CompactReport> {
    this.#limits.mayWrite();
    return await this.#lifecycle.compact(this.#limits.within(request), options);
  }

  async forgetMany(request: ForgetRequest, options?: CallOptions): Promise<ForgetReport> {
    this.#limits.mayWrite();
    return await this.#lifecycle.forgetMany(this.#limits.within(request), options);
  }

  async archived(request: ArchiveRequest, options?: CallOptions): Promise<ArchivePage> {
    return await this.#lifecycle.archived(this.#limits.within(request), options);
  }

  async restore(request: RestoreRequest, options?: CallOptions): Promise<RestoreReport> {
    this.#limits.mayWrite();
    return await this.#lifecycle.restore(this.#limits.within(request), options);
  }

  async history(id: string, options?: CallOptions): Promise<EntryHistory> {
    await this.#limits.get(id, options);
    const { entry, versions } = await this.#lifecycle.history(id, options);
    return { entry, versions: versions.filter(({ state }) => this.#isWithin(state.namespace)) };
  }

  async undo(id: string, options?: CallOptions): Promise<Entry> {
    this.#limits.mayWrite();
    await this.#limits.get(id, options);
    const { versions } = await this.#lifecycle.history(id, options);
    // Throws where it would leave the namespace of the key.
    const [last] = versions;
    if (last !== undefined) this.#limits.within({ namespace: last.state.namespace });
    return await this.#lifecycle.undo(id, options);
  }

  #isWithin(namespace: string): boolean {
    try {
      this.#limits.within({ namespace });
      return true;
    } catch (error) {
      if (error instanceof LoreError) return false;
      throw error;
    }
  }
}
