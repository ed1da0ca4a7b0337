import { CHANGE_KINDS, type StoreEvent } from '../../memory/operations/event-operations.ts';
import type { EventBatch } from './event-batch.ts';

/** Limits of the log for clients that reconnect, in changes and namespaces. */
const MAX_SIZE = 5_000;
const MAX_BATCHES = 1_000;

interface KeptEvents {
  readonly at: number;
  readonly batch: EventBatch;
}

const idOf = (at: number, place: number): string => `${at}-${place}`;
const LAST_PLACE = CHANGE_KINDS.length - 1;

/**
 * The recent changes, in order. The id of a batch is its time, so it does not reveal how much happens in namespaces that its reader may not
 * see, and an id of an earlier process is recognised as too old.
 */
export class EventLog {
  #kept: KeptEvents[] = [];
  #size = 0;
  #last: number;
  /** Events before this time are unknown. */
  #begin: number;

  constructor() {
    this.#last = Date.now();
    this.#begin = this.#last;
  }

  /** Stores a batch and returns its time. */
  add(batch: EventBatch): number {
    const at = this.#next();
    this.#kept.push({ at, batch });
    this.#size += batch.size;
    while (this.#kept.length > MAX_BATCHES || (this.#size > MAX_SIZE && this.#kept.length > 1)) {
      const oldest = this.#kept.shift() as KeptEvents;
      this.#size -= oldest.batch.size;
      this.#begin = oldest.at + 1;
    }
    return at;
  }

  /** The first events for a reader: those after the event of this id, then `ready`; or `reset` if they are no longer known. */
  since(after: string | undefined, namespace: string | undefined): StoreEvent[] {
    const now = this.#last;
    const id = idOf(this.#next(), LAST_PLACE);
    if (after === undefined) return [{ id, type: 'ready' }];
    const moment = Number.parseInt(after, 10);
    if (!(moment >= this.#begin && moment <= now)) return [{ id, type: 'reset' }];
    const since = this.#kept.filter(({ at }) => at >= moment).flatMap(({ at, batch }) => eventsAt(at, batch, namespace));
    // Ids are of equal length, so they sort as texts.
    return [...since.filter((event) => event.id > after), { id, type: 'ready' }];
  }

  #next(): number {
    this.#last = Math.max(Date.now(), this.#last + 1);
    return this.#last;
  }
}

/** The events of a batch that was stored at this time. */
export function eventsAt(at: number, batch: EventBatch, namespace: string | undefined): StoreEvent[] {
  return batch.events(namespace, (place) => idOf(at, place));
}
