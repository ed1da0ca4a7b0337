/** The contract of the change feed of a store. */
import { z } from 'zod';
import { Namespace } from '../entry.ts';
import type { CallOptions } from './operations.ts';

export const EventsRequest = z
  .strictObject({ namespace: Namespace.optional().meta({ description: 'Only changes in this namespace; default all.' }) })
  .meta({ id: 'EventsRequest' });
export type EventsRequest = z.output<typeof EventsRequest>;

/** `saved`: new or restored; `changed`: updated; `forgotten`: no longer there. */
export const CHANGE_KINDS = ['forgotten', 'changed', 'saved'] as const;
export type ChangeKind = (typeof CHANGE_KINDS)[number];

interface EventBase {
  /** Position in the feed, for `after`. */
  readonly id: string;
}

/** Entries that changed together; fetch them by id. */
interface EntriesEvent extends EventBase {
  readonly type: ChangeKind;
  /** Ids of the entries, at most 100. */
  readonly ids: readonly string[];
  /** Affected namespaces, at most 100. */
  readonly namespaces: readonly string[];
  readonly count: number;
}

/** Counts only: too many entries changed together to list them. */
interface ManyEvent extends EventBase, Readonly<Record<ChangeKind, number>> {
  readonly type: 'many';
  readonly namespaces: readonly string[];
  readonly count: number;
}

/** `ready`: all earlier changes were sent; live changes follow. `reset`: earlier changes are unknown, so fetch everything again. */
interface PlaceEvent extends EventBase {
  readonly type: 'ready' | 'reset';
}

export type StoreEvent = EntriesEvent | ManyEvent | PlaceEvent;

export interface FollowRequest extends EventsRequest {
  /** Id of the last event seen: the feed starts after it. */
  readonly after?: string | undefined;
}

export interface EventOperations {
  /**
   * All changes by any writer, batched to a few events a second. Starts with the changes since `after`, then `ready`; or with `reset`
   * instead of both. `reset` also replaces events that the reader took too slowly. Ends with the signal or when the store closes.
   */
  follow(request: FollowRequest, options?: CallOptions): AsyncIterable<StoreEvent>;
}
