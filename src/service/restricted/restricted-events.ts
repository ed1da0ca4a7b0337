import type { EventOperations, FollowRequest, StoreEvent } from '../../memory/operations/event-operations.ts';
import type { CallOptions } from '../../memory/operations/operations.ts';
import type { Limits } from './limited.ts';

/** What changes within what a key may see. */
export class RestrictedEvents implements EventOperations {
  readonly #events: EventOperations;
  readonly #limits: Pick<Limits, 'within'>;

  constructor(events: EventOperations, limits: Pick<Limits, 'within'>) {
    this.#events = events;
    this.#limits = limits;
  }

  /** Throws `forbidden` at once for a namespace that the key is not bound to. */
  follow(request: FollowRequest, options?: CallOptions): AsyncIterable<StoreEvent> {
    return this.#events.follow(this.#limits.within(request), options);
  }
}
