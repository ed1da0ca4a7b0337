import type { TagChange, TagReport } from '../../../src/memory/operations/bulk-operations.ts';
import type { MoveReport } from '../../../src/memory/operations/namespace-operations.ts';
import type { Filter } from '../address.ts';
import { bulkTexts } from '../browse/bulk-texts.ts';
import { ApiError, lore } from './client.ts';
import { listRequest } from './conditions.ts';
import type { Selected } from './forgetting.ts';

/** Maximum number of ids in one request. */
const MOST_IDS = 1000;

export interface Tagging {
  readonly add: readonly string[];
  readonly remove: readonly string[];
}
interface Run {
  readonly dryRun: boolean;
  readonly signal?: AbortSignal;
}

/** Changes the tags, or the entity names, of the selected entries. */
export type Tag = (selected: Selected, tagging: Tagging, run: Run) => Promise<TagReport>;

const tagging = ({ add, remove }: Tagging) => ({
  ...(add.length > 0 && { add: [...add] }),
  ...(remove.length > 0 && { remove: [...remove] }),
});

export const tag: Tag = (selected, change, { dryRun, signal }) => lore.bulk.tag({ ...selected, ...tagging(change), dryRun }, { signal });

/** Adds and removes names of the entries that have `name`, or of the selected ones. */
export const nameOf =
  (name: string): Tag =>
  ({ ids }, change, { dryRun, signal }) =>
    lore.relations.changeNames({ ...(ids === undefined ? { name } : { ids }), ...tagging(change), dryRun }, { signal });

/** Moves entries to another namespace and skips unknown ids. Rejects with status 404 if all are unknown. */
export function move(selected: Selected, to: string, { dryRun, signal }: Run): Promise<MoveReport> {
  return lore.moves.move({ ...selected, to, dryRun }, { signal });
}

const PAGE = 100;
const TRIES = 3;
/** The store changed while its pages were read. */
const CONFLICT = 409;

/**
 * The ids of all matching entries saved before a moment, oldest first. Rejects with status 409 if the store keeps changing meanwhile.
 */
export async function matchingIds(filter: Filter, before: string, signal: AbortSignal): Promise<readonly string[]> {
  for (let tries = 0; tries < TRIES; tries += 1) {
    const ids = await idsInOneGo(filter, before, signal);
    if (ids !== undefined) return ids;
  }
  throw new ApiError(CONFLICT, bulkTexts.changed);
}

/** Undefined if an entry changed between two pages, which shifts them. */
async function idsInOneGo(filter: Filter, before: string, signal: AbortSignal): Promise<readonly string[] | undefined> {
  const ids = new Set<string>();
  for (let expected: number | undefined; expected === undefined || ids.size < expected;) {
    const part = { createdBefore: before, sort: 'createdAt', limit: PAGE, offset: ids.size } as const;
    const { entries, total } = await lore.memories.list({ ...listRequest(filter), ...part }, { signal });
    const size = ids.size + entries.length;
    for (const { id } of entries) ids.add(id);
    if (ids.size !== size || total !== (expected ?? total) || (entries.length === 0 && size < total)) return undefined;
    expected = total;
  }
  return [...ids];
}

/** Maximum number of parts in one request. */
export function inBatches(ids: readonly string[]): readonly (readonly string[])[] {
  return Array.from({ length: Math.ceil(ids.length / MOST_IDS) }, (_, nth) => ids.slice(nth * MOST_IDS, (nth + 1) * MOST_IDS));
}

/** Restores the previous tags or names of entries. Resolves with the number of entries. */
export async function untag(changed: readonly TagChange[], act: Tag = tag): Promise<number> {
  const alike = new Map<string, TagChange[]>();
  for (const change of changed) {
    const key = JSON.stringify([change.added, change.removed]);
    const others = alike.get(key);
    if (others === undefined) alike.set(key, [change]);
    else others.push(change);
  }
  let count = 0;
  for (const changes of alike.values()) {
    const [{ added, removed }] = changes as [TagChange];
    for (const ids of inBatches(changes.map(({ id }) => id))) {
      count += (await act({ ids: [...ids] }, { add: removed, remove: added }, { dryRun: false })).changed.length;
    }
  }
  return count;
}

/** Moves entries back. Resolves with the number of entries. */
export async function moveBack(cameFrom: NonNullable<MoveReport['cameFrom']>): Promise<number> {
  let count = 0;
  for (const { namespace, ids } of cameFrom) {
    for (const part of inBatches(ids)) count += (await move({ ids: [...part] }, namespace, { dryRun: false })).moved;
  }
  return count;
}
