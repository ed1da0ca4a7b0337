import type { Source } from '../../memory/entry.ts';
import { LoreError } from '../../memory/errors.ts';
import type { ArchivedEntry } from '../../memory/lifecycle.ts';
import type { SyncApplied } from '../../memory/operations/sync-operations.ts';
import type { VersionStamp } from '../../memory/sync-order.ts';
import { embeddedKey } from '../../store/format/content-hash.ts';
import type { Store } from '../../store/store.ts';
import { archivedStamp, stampOf, tombstoneStamp } from './sync-versions.ts';

/** The local state of an entry that arrives. */
export interface LocalState {
  readonly standing?: VersionStamp;
  readonly namespace?: string;
  readonly contentHash?: string;
  /** Of the embedded text. */
  readonly embedded?: string;
  /** Its place in the archive. */
  readonly archived?: ArchivedEntry;
}

/** Who requested it. */
export interface SyncOrigin {
  readonly by: Source;
  /** Run id in the archive of entries that are archived. */
  readonly run: string;
  /** The only namespace that may be read. */
  readonly only: string | undefined;
}

/** Counts of the results. */
export type Tally = { -readonly [K in keyof Omit<SyncApplied, 'twins'>]: number };

/** The local state of these entries, or of their deletion. */
export async function localStatesOf(
  { catalog, auxiliary }: Pick<Store, 'catalog' | 'auxiliary'>,
  ids: readonly string[],
): Promise<Map<string, LocalState>> {
  const owns = new Map<string, LocalState>();
  for (const id of ids) {
    const known = catalog.get(id);
    if (known === undefined) continue;
    owns.set(id, { standing: stampOf(known), namespace: known.namespace, contentHash: known.contentHash, embedded: embeddedKey(known) });
  }
  for (const archived of await auxiliary.archive.getMany(ids.filter((id) => !owns.has(id)))) {
    const { id, namespace } = archived.entry;
    owns.set(id, { standing: archivedStamp(archived), namespace, archived });
  }
  for (const id of ids) {
    const tombstone = owns.has(id) ? undefined : auxiliary.tombstones.get(id);
    if (tombstone !== undefined) owns.set(id, { standing: tombstoneStamp(tombstone), namespace: tombstone.namespace });
  }
  return owns;
}

/** Whether the caller may know of the entry. */
export const isVisible = (own: Pick<LocalState, 'namespace'> | undefined, { only }: SyncOrigin): boolean =>
  only === undefined || own?.namespace === undefined || own.namespace === only;

/** Whether a change was made; false if another process was faster. */
export async function wasApplied(change: Promise<void>): Promise<boolean> {
  try {
    await change;
    return true;
  } catch (error) {
    ignoreConflict(error);
    return false;
  }
}

/** Another process was faster. */
export function ignoreConflict(error: unknown): void {
  if (!(error instanceof LoreError && ['not_found', 'invalid_input'].includes(error.code))) throw error;
}
