import type { Source } from '../../memory/entry.ts';
import { LoreError } from '../../memory/errors.ts';
import type { ArchivedEntry } from '../../memory/lifecycle.ts';
import type { SyncApplied } from '../../memory/operations/sync-operations.ts';
import type { Standing } from '../../memory/sync-order.ts';
import { embeddedKey } from '../../store/format/content-hash.ts';
import type { Store } from '../../store/store.ts';
import { archivedStamp, stampOf, tombstoneStamp } from './sync-versions.ts';

/** What is there of an entry that arrives. */
export interface LocalState {
  readonly standing?: Standing;
  readonly namespace?: string;
  readonly contentHash?: string;
  /** Of what is embedded of it. */
  readonly embedded?: string;
  /** Where it is in the archive. */
  readonly archived?: ArchivedEntry;
}

/** On whose behalf something is taken over. */
export interface SyncOrigin {
  readonly by: Source;
  /** Under which those lie in the archive that go there. */
  readonly run: string;
  /** Where alone may be looked. */
  readonly only: string | undefined;
}

/** What became of what was sent, counted. */
export type Tally = { -readonly [K in keyof Omit<SyncApplied, 'twins'>]: number };

/** What a store has of these entries, or knows of their deletion. */
export async function localStatesOf(
  { directory, sides }: Pick<Store, 'directory' | 'sides'>,
  ids: readonly string[],
): Promise<Map<string, LocalState>> {
  const owns = new Map<string, LocalState>();
  for (const id of ids) {
    const known = directory.get(id);
    if (known === undefined) continue;
    owns.set(id, { standing: stampOf(known), namespace: known.namespace, contentHash: known.contentHash, embedded: embeddedKey(known) });
  }
  for (const archived of await sides.archive.getMany(ids.filter((id) => !owns.has(id)))) {
    const { id, namespace } = archived.entry;
    owns.set(id, { standing: archivedStamp(archived), namespace, archived });
  }
  for (const id of ids) {
    const tombstone = owns.has(id) ? undefined : sides.tombstones.get(id);
    if (tombstone !== undefined) owns.set(id, { standing: tombstoneStamp(tombstone), namespace: tombstone.namespace });
  }
  return owns;
}

/** Whether anyone who asks may know of it. */
export const isVisible = (own: Pick<LocalState, 'namespace'> | undefined, { only }: SyncOrigin): boolean =>
  only === undefined || own?.namespace === undefined || own.namespace === only;

/** Whether a change was made; false where someone else was faster. */
export async function isDone(change: Promise<void>): Promise<boolean> {
  try {
    await change;
    return true;
  } catch (error) {
    unlessOvertaken(error);
    return false;
  }
}

/** Someone else was faster. */
export function unlessOvertaken(error: unknown): void {
  if (!(error instanceof LoreError && ['not_found', 'invalid_input'].includes(error.code))) throw error;
}
