import type { z } from 'zod';
import type { EntryPassage } from '../../../src/memory/operations/detail-operations.ts';
import type { PatchRequest } from '../../../src/memory/operations/operations.ts';
import type { lifecycle } from '../../../src/operations/lifecycle.ts';
import type { RelationResult } from '../../../src/operations/relations.ts';
import { call, lore } from './client.ts';
import type { Hit, Memory } from './forms.ts';

/** As it is on the wire: times are ISO 8601. */
export type Relation = z.input<typeof RelationResult>;
/** What makes a relation this one. */
type RelationKey = Pick<Relation, 'sourceId' | 'type' | 'targetId'>;

export type EntryVersion = z.input<(typeof lifecycle)['history']['result']>['versions'][number];

/** One memory alone: how often it was recalled, and the first 100 of its relations, newest first. */
export interface About {
  readonly entry: Memory;
  readonly relations: readonly Relation[];
}

export type Patch = PatchRequest;

/** As many relations, and as many memories at their other ends, come at once. */
export const MOST_RELATED = 100;

const pathOf = (id: string, word?: string): string => `${encodeURIComponent(id)}${word === undefined ? '' : `/${word}`}`;

/** Rejects with status 404 for an id that names nothing. */
export const about = (id: string, signal?: AbortSignal): Promise<About> => call(pathOf(id), { signal });

/** How many relations it has in all. */
export async function countRelations(id: string, signal?: AbortSignal): Promise<number> {
  const query = new URLSearchParams({ id, limit: '1' });
  return (await call<{ total: number }>('relations', { query, signal })).total;
}

/** The memories that this one has to do with, by id: the first `MOST_RELATED`. */
export async function related(id: string, signal?: AbortSignal): Promise<ReadonlyMap<string, Memory>> {
  const query = new URLSearchParams({ limit: String(MOST_RELATED) });
  const answer = await call<{ related: readonly { entry: Memory }[] }>(pathOf(id, 'related'), { query, signal });
  return new Map(answer.related.map(({ entry }) => [entry.id, entry]));
}

/** The nearest by meaning. */
export function similar(id: string, signal?: AbortSignal): Promise<{ vector: 'stored' | 'pending'; results: readonly Hit[] }> {
  return call(pathOf(id, 'similar'), { signal });
}

/** The parts of its text that are searched separately. */
export const passages = (id: string, signal?: AbortSignal): Promise<readonly EntryPassage[]> => lore.details.passages(id, { signal });

/** What it was before, latest first. */
export async function history(id: string, signal?: AbortSignal): Promise<readonly EntryVersion[]> {
  return (await call<{ versions: readonly EntryVersion[] }>(pathOf(id, 'history'), { signal })).versions;
}

/** Takes the last change back, which is a change too. */
export async function takeBack(id: string): Promise<Memory> {
  return (await call<About>(pathOf(id, 'undo'), { method: 'POST', body: {} })).entry;
}

/** What the patch does not name stays. */
export async function change(id: string, patch: Patch): Promise<Memory> {
  return (await call<About>(pathOf(id), { method: 'PATCH', body: patch })).entry;
}

/** Adds a relation, or changes the strength of the one that is there. */
export async function relate(relation: RelationKey & { readonly strength?: number }): Promise<void> {
  await lore.relations.relate(relation);
}

export async function unrelate({ sourceId, type, targetId }: RelationKey): Promise<void> {
  await lore.relations.unrelate({ sourceId, type, targetId });
}
