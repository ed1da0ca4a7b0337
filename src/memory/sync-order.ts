/** Decides which of two versions of an entry wins. Used to preview a sync and to apply it. */

import type { Relation } from './relation.ts';

/**
 * `live`: not archived; `away`: archived automatically (compaction, deduplication), which concerns this store only; `forgotten`: archived
 * by a person or agent, which concerns all stores; `removed`: deleted for good, with a tombstone.
 */
export const SYNC_STATES = ['live', 'away', 'forgotten', 'removed'] as const;
type SyncState = (typeof SYNC_STATES)[number];

/** The facts that decide. */
export interface VersionStamp {
  readonly state: SyncState;
  /** Time of the last change, or of forgetting; epoch milliseconds. */
  readonly at: number;
  /** Digest of the whole version; equal for equal versions. */
  readonly version: string;
}

/** The effect of an incoming version on a store: `restored` restores from its archive, `removed` deletes for good. */
export type SyncAction = 'new' | 'changed' | 'restored' | 'forgotten' | 'removed';

/** Whether `one` is newer than `other`. The digest breaks ties, the same way in every store. */
export function isLater(one: VersionStamp, other: VersionStamp): boolean {
  return one.at === other.at ? one.version > other.version : one.at > other.at;
}

/**
 * The effect of `incoming` on a store that has `own` or nothing; undefined for none. The last writer wins; forgetting and deletion count as
 * writes and win ties. A store does not forget an entry it never had, and does not receive entries that the other store archived
 * automatically.
 */
export function actionOf(incoming: VersionStamp, own: VersionStamp | undefined): SyncAction | undefined {
  if (incoming.state === 'removed') return isRemovedBy(incoming, own) ? 'removed' : undefined;
  if (incoming.state === 'forgotten') {
    const isThere = own !== undefined && own.state !== 'forgotten' && own.state !== 'removed';
    return isThere && incoming.at >= own.at ? 'forgotten' : undefined;
  }
  if (own?.state === 'live') return isLater(incoming, own) ? 'changed' : undefined;
  if (incoming.state === 'away') return undefined;
  if (own === undefined) return 'new';
  if (own.state === 'removed') return incoming.at > own.at ? 'new' : undefined;
  const isNewer = own.state === 'forgotten' ? incoming.at > own.at : isLater(incoming, own);
  return isNewer ? 'restored' : undefined;
}

/** A deletion always removes an entry that was forgotten here; any other entry stays if it was changed later. */
function isRemovedBy({ at }: VersionStamp, own: VersionStamp | undefined): boolean {
  if (own === undefined || own.state === 'removed') return false;
  return own.state === 'forgotten' || at >= own.at;
}

/** Whether a tombstone is new to a store that does not have the entry. */
export function isNewTombstone({ at }: Pick<VersionStamp, 'at'>, own: VersionStamp | undefined): boolean {
  return own === undefined || (own.state === 'removed' && at > own.at);
}

/** Whether `one` of two manual relations is newer than `other`. */
export function isLaterRelation(one: Relation, other: Relation): boolean {
  return one.createdAt === other.createdAt ? one.strength > other.strength : one.createdAt > other.createdAt;
}
