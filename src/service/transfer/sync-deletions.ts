import type { Entry } from '../../memory/entry.ts';
import { actionOf, isNewTombstone } from '../../memory/sync-order.ts';
import type { Store } from '../../store/store.ts';
import { relationKey } from '../../memory/relation.ts';
import type { SyncUnrelation } from '../../memory/operations/sync-operations.ts';
import { wasApplied, isVisible, localStatesOf, type SyncOrigin, type LocalState, type Tally } from './sync-local-state.ts';
import { isSynced, tombstoneStamp } from './sync-versions.ts';

/** The time at which an entry was forgotten elsewhere, or permanently deleted. */
interface Ending {
  readonly id: string;
  readonly at: number;
}

/** Applies permanent deletions. */
export async function applyTombstones(
  store: Store,
  { tombstones, namespace }: { readonly tombstones: readonly Ending[]; readonly namespace: string },
  { origin, tally }: { readonly origin: SyncOrigin; readonly tally: Tally },
): Promise<void> {
  const { auxiliary, entries } = store;
  const owns = await localStatesOf(
    store,
    tombstones.map(({ id }) => id),
  );
  await Promise.all(
    tombstones.map(async ({ id, at }) => {
      const own = owns.get(id);
      const tombstone = { id, namespace, at };
      const isRemoval = actionOf(tombstoneStamp(tombstone), own?.standing) !== undefined;
      const isNew = isNewTombstone({ at }, own?.standing) && !auxiliary.tombstones.isOutdated({ at });
      const applies = isVisible(own, origin) && isSyncedHere(store, id, own) && (isRemoval || isNew);
      const how = { archived: own?.archived !== undefined, place: own?.namespace };
      const isTaken = applies && (await wasApplied(entries.changes.putTombstone(tombstone, how)));
      tally[!isTaken ? 'kept' : isRemoval ? 'removed' : 'tombstones'] += 1;
    }),
  );
}

/** Applies deletions of manual relations. */
export async function unrelateAll(
  { auxiliary, entries, catalog }: Store,
  { unrelated, namespace }: { readonly unrelated: readonly SyncUnrelation[]; readonly namespace: string },
  { origin, tally }: { readonly origin: SyncOrigin; readonly tally: Tally },
): Promise<void> {
  const isWithin = (id: string): boolean => (catalog.get(id)?.namespace ?? namespace) === namespace;
  await Promise.all(
    unrelated.map(async ({ at, ...relation }) => {
      const id = relationKey(relation);
      const isMade = auxiliary.graph.get(id)?.origin === 'manual';
      const known = auxiliary.tombstones.get(id);
      const isNew = isMade || ((known === undefined || known.at < at) && !auxiliary.tombstones.isOutdated({ at }));
      const applies = isNew && isVisible(known, origin) && isWithin(relation.sourceId) && isWithin(relation.targetId);
      const isTaken =
        applies && (await wasApplied(entries.changes.putTombstone({ id, namespace, at }, { archived: false, place: undefined })));
      tally[!isTaken ? 'kept' : isMade ? 'unrelated' : 'tombstones'] += 1;
    }),
  );
}

/** A sync does not transfer passages of files. */
function isSyncedHere({ catalog }: Pick<Store, 'catalog'>, id: string, own: LocalState | undefined): boolean {
  const known = catalog.get(id) ?? own?.archived?.entry;
  return known === undefined || isSynced(known);
}

/** Applies forgettings: existing entries are archived. */
export async function forgetAll(
  store: Store,
  forgotten: readonly Ending[],
  { origin, tally }: { readonly origin: SyncOrigin; readonly tally: Tally },
): Promise<void> {
  const owns = await localStatesOf(
    store,
    forgotten.map(({ id }) => id),
  );
  await Promise.all(
    forgotten.map(async ({ id, at }) => {
      const own = owns.get(id);
      const applies = isVisible(own, origin) && actionOf({ state: 'forgotten', at, version: '' }, own?.standing) !== undefined;
      const isForgotten = applies && (await forget(store, { id, at }, { own, origin }));
      tally[isForgotten ? 'forgotten' : 'kept'] += 1;
    }),
  );
}

async function forget(
  { entries: { changes } }: Pick<Store, 'entries'>,
  { id, at }: Ending,
  { own, origin: { by, run } }: { readonly own: LocalState | undefined; readonly origin: SyncOrigin },
): Promise<boolean> {
  const note = { at, reason: 'forgotten', run } as const;
  if (own?.archived !== undefined) {
    return await wasApplied(changes.adopt({ op: 'side', table: 'archive', key: id, value: { ...own.archived, ...note } }));
  }
  const holds = ({ updatedAt, namespace }: Entry): boolean => updatedAt <= at && namespace === own?.namespace;
  return await wasApplied(changes.archive(id, note, { by, holds }));
}
