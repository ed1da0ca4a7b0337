import type { BulkOperations, TagReport, TagRequest, Timeline, TimelineRequest } from '../../memory/operations/bulk-operations.ts';
import type { CallOptions } from '../../memory/operations/operations.ts';
import type { Limits } from './limited.ts';

/** The same operations within what an API key may do: an id of another namespace names nothing. */
export class RestrictedBulk implements BulkOperations {
  readonly #bulk: BulkOperations;
  readonly #limits: Limits;

  constructor(bulk: BulkOperations, limits: Limits) {
    this.#bulk = bulk;
    this.#limits = limits;
  }

  async timeline(request: TimelineRequest, options?: CallOptions): Promise<Timeline> {
    if (request.allNamespaces === true) this.#limits.mayLeaveNamespace();
    return await this.#bulk.timeline(this.#limits.within(request), options);
  }

  async tag(request: TagRequest, options?: CallOptions): Promise<TagReport> {
    this.#limits.mayWrite();
    return await this.#bulk.tag(this.#limits.within(request), options);
  }
}
