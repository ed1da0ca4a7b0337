/** Being told what changes in a store: the contract. */
import { z } from 'zod';
import { Namespace } from '../entry.ts';
import type { CallOptions } from './operations.ts';

export const EventsRequest = z
  .strictObject({ namespace: Namespace.optional().meta({ description: 'Only changes in this namespace; default all.' }) })
  .meta({ id: 'EventsRequest' });
export type EventsRequest = z.output<typeof EventsRequest>;

/** What happened to entries: they are there now, they are different now, they are there no more. */
export const CHANGE_KINDS = ['forgotten', 'changed', 'saved'] as const;
export type ChangeKind = (typeof CHANGE_KINDS)[number];

interface EventBase {
  /** For `after`: names this moment. */
  readonly id: string;
}

/** Entries that changed within a moment; what they are is asked for by their ids. */
export interface EntriesEvent extends EventBase {
  readonly type: ChangeKind;
  /** At most 100. */
  readonly ids: readonly string[];
  /** Those that were touched, at most 100. */
  readonly namespaces: readonly string[];
  readonly count: number;
}

/** More changes within a moment than are worth naming. */
export interface ManyEvent extends EventBase, Readonly<Record<ChangeKind, number>> {
  readonly type: 'many';
  readonly namespaces: readonly string[];
  readonly count: number;
}

/** `ready`: everything up to now was told, and what follows will be. `reset`: what came before it is not known any more, so fetch again. */
export interface PlaceEvent extends EventBase {
  readonly type: 'ready' | 'reset';
}

export type StoreEvent = EntriesEvent | ManyEvent | PlaceEvent;

export interface FollowRequest extends EventsRequest {
  /** The id of the last event that was seen: what came after it is told first. */
  readonly after?: string | undefined;
}

export interface EventOperations {
  /**
   * Every change from now on, no matter who makes it, a few times a second at most. Begins with what came since `after`, then `ready`; or with `reset` in
   * place of both, which also stands for what was not taken in time. Ends with the signal, or when the store closes.
   */
  follow(request: FollowRequest, options?: CallOptions): AsyncIterable<StoreEvent>;
}
