/** Which of two versions of one entry stands, said once for anyone who foresees it and for anyone who carries it out. */

import type { Relation } from './relation.ts';

/**
 * `live`: among the entries; `away`: archived automatically (compaction, merging), which concerns only one store; `forgotten`: archived
 * by a person or agent, which concerns all stores; `removed`: deleted for good, of which a tombstone is left.
 */
export const SYNC_STATES = ['live', 'away', 'forgotten', 'removed'] as const;
export type SyncState = (typeof SYNC_STATES)[number];

/** What decides. */
export interface Standing {
  readonly state: SyncState;
  /** When it was changed last, or forgotten; epoch milliseconds. */
  readonly at: number;
  /** Digest of the whole version; the same where two versions are. */
  readonly version: string;
}

/** The effect of an incoming version on a store: `restored` restores from its archive, `removed` deletes for good. */
export const SYNC_ACTIONS = ['new', 'changed', 'restored', 'forgotten', 'removed'] as const;
export type SyncAction = (typeof SYNC_ACTIONS)[number];

/** Whether the one was written after the other. Of two that were written at once, the same one wins everywhere. */
export function isLater(one: Standing, other: Standing): boolean {
  return one.at === other.at ? one.version > other.version : one.at > other.at;
}

/**
 * The action for an entry of which a store has `own`, or nothing, when `incoming` arrives; undefined for none. The last writer
 * wins; a forgetting and a deletion are writers too, and win a tie. What a store never had is not forgotten there, and what another one has put away does
 * not come.
 */
export function actionOf(incoming: Standing, own: Standing | undefined): SyncAction | undefined {
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

/** What was forgotten here was not wanted either, whenever that was; anything else stays where it was changed later. */
function isRemovedBy({ at }: Standing, own: Standing | undefined): boolean {
  if (own === undefined || own.state === 'removed') return false;
  return own.state === 'forgotten' || at >= own.at;
}

/** Whether a tombstone is new to a store that has no entry, but perhaps a tombstone. */
export function isNewTombstone({ at }: Pick<Standing, 'at'>, own: Standing | undefined): boolean {
  return own === undefined || (own.state === 'removed' && at > own.at);
}

/** Whether the one of two relations that someone made by hand was made after the other. */
export function isLaterRelation(one: Relation, other: Relation): boolean {
  return one.createdAt === other.createdAt ? one.strength > other.strength : one.createdAt > other.createdAt;
}
