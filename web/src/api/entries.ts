import type { z } from 'zod';
import type { EntryPassage } from '../../../src/memory/operations/detail-operations.ts';
import type { PatchRequest } from '../../../src/memory/operations/operations.ts';
import type { lifecycle } from '../../../src/operations/lifecycle.ts';
import type { Relation as StoredRelation } from '../../../src/memory/relation.ts';
import { call, lore } from './client.ts';
import type { Hit, Memory } from './forms.ts';

/** On the wire: times are ISO 8601. */
export type Relation = z.input<typeof StoredRelation>;
/** The identity of a relation. */
type RelationKey = Pick<Relation, 'sourceId' | 'type' | 'targetId'>;

export type EntryVersion = z.input<(typeof lifecycle)['history']['result']>['versions'][number];

/** One memory with its use count and its first 100 relations, newest first. */
export interface About {
  readonly entry: Memory;
  readonly relations: readonly Relation[];
}

export type Patch = PatchRequest;

/** Maximum number of relations and related memories that are loaded. */
export const MOST_RELATED = 100;

const pathOf = (id: string, word?: string): string => `${encodeURIComponent(id)}${word === undefined ? '' : `/${word}`}`;

/** Rejects with status 404 for an unknown id. */
export const about = (id: string, signal?: AbortSignal): Promise<About> => call(pathOf(id), { signal });

export async function countRelations(id: string, signal?: AbortSignal): Promise<number> {
  const query = new URLSearchParams({ id, limit: '1' });
  return (await call<{ total: number }>('relations', { query, signal })).total;
}

/** The related memories by id: the first `MOST_RELATED`. */
export async function related(id: string, signal?: AbortSignal): Promise<ReadonlyMap<string, Memory>> {
  const query = new URLSearchParams({ limit: String(MOST_RELATED) });
  const answer = await call<{ related: readonly { entry: Memory }[] }>(pathOf(id, 'related'), { query, signal });
  return new Map(answer.related.map(({ entry }) => [entry.id, entry]));
}

/** The nearest memories by meaning. */
export function similar(id: string, signal?: AbortSignal): Promise<{ vector: 'stored' | 'pending'; results: readonly Hit[] }> {
  return call(pathOf(id, 'similar'), { signal });
}

/** The passages of a text, which are searched separately. */
export const passages = (id: string, signal?: AbortSignal): Promise<readonly EntryPassage[]> => lore.details.passages(id, { signal });

/** Earlier versions, latest first. */
export async function history(id: string, signal?: AbortSignal): Promise<readonly EntryVersion[]> {
  return (await call<{ versions: readonly EntryVersion[] }>(pathOf(id, 'history'), { signal })).versions;
}

/** Undoes the last change, which is itself a change. */
export async function takeBack(id: string): Promise<Memory> {
  return (await call<About>(pathOf(id, 'undo'), { method: 'POST', body: {} })).entry;
}

/** Fields that are not in the patch stay unchanged. */
export async function change(id: string, patch: Patch): Promise<Memory> {
  return (await call<About>(pathOf(id), { method: 'PATCH', body: patch })).entry;
}

/** Adds a relation, or changes the strength of an existing one. */
export async function relate(relation: RelationKey & { readonly strength?: number }): Promise<void> {
  await lore.relations.relate(relation);
}

export async function unrelate({ sourceId, type, targetId }: RelationKey): Promise<void> {
  await lore.relations.unrelate({ sourceId, type, targetId });
}
