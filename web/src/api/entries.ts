import type { z } from 'zod';
import type { PatchRequest } from '../../../src/memory/operations/operations.ts';
import type { lifecycle } from '../../../src/operations/lifecycle.ts';
import type { Relation as StoredRelation } from '../../../src/memory/relation.ts';
import { call, lore } from './client.ts';
import type { Memory } from './responses.ts';

/** On the wire: times are ISO 8601. */
export type Relation = z.input<typeof StoredRelation>;
type RelationKey = Pick<Relation, 'sourceId' | 'type' | 'targetId'>;

export type EntryVersion = z.input<(typeof lifecycle)['history']['result']>['versions'][number];

/** One memory with its use count and its first 100 relations, newest first. */
export interface EntryWithRelations {
  readonly entry: Memory;
  readonly relations: readonly Relation[];
}

export type Patch = PatchRequest;

/** Maximum number of relations and related memories that are loaded. */
export const MOST_RELATED = 100;

/** Rejects with status 404 for an unknown id. */
export const fetchEntry = (id: string, signal?: AbortSignal): Promise<EntryWithRelations> => call(encodeURIComponent(id), { signal });

/** The related memories by id: the first `MOST_RELATED`. */
export async function related(id: string, signal?: AbortSignal): Promise<ReadonlyMap<string, Memory>> {
  const found = await lore.relations.related(id, { limit: MOST_RELATED }, { signal });
  return new Map(found.map(({ entry }) => [entry.id, entry]));
}

export async function unrelate({ sourceId, type, targetId }: RelationKey): Promise<void> {
  await lore.relations.unrelate({ sourceId, type, targetId });
}
