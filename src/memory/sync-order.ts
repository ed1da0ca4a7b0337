/** Which of two versions of one entry stands, said once for anyone who foresees it and for anyone who carries it out. */

import type { Relation } from './relation.ts';

/**
 * `live`: among the entries; `away`: put into the archive by upkeep (compaction, merging), which is a matter of one store; `forgotten`: put
 * there because somebody wanted it gone, which is a matter of all.
 */
export const SYNC_STATES = ['live', 'away', 'forgotten'] as const;
export type SyncState = (typeof SYNC_STATES)[number];

/** What decides. */
export interface Standing {
  readonly state: SyncState;
  /** When it was changed last, or forgotten; epoch milliseconds. */
  readonly at: number;
  /** Digest of the whole version; the same where two versions are. */
  readonly version: string;
}

/** What an incoming version does to a store: `restored` brings back what lies in its archive. */
export const SYNC_ACTIONS = ['new', 'changed', 'restored', 'forgotten'] as const;
export type SyncAction = (typeof SYNC_ACTIONS)[number];

/** Whether the one was written after the other. Of two that were written at once, the same one wins everywhere. */
export function isLater(one: Standing, other: Standing): boolean {
  return one.at === other.at ? one.version > other.version : one.at > other.at;
}

/**
 * What becomes of an entry of which a store has `own`, or nothing, when `incoming` arrives; undefined where nothing does. The last writer
 * wins; a forgetting is a writer too, and wins a tie. What a store never had is not forgotten there, and what another one has put away does
 * not come.
 */
export function actionOf(incoming: Standing, own: Standing | undefined): SyncAction | undefined {
  if (incoming.state === 'forgotten') {
    return own !== undefined && own.state !== 'forgotten' && incoming.at >= own.at ? 'forgotten' : undefined;
  }
  if (own?.state === 'live') return isLater(incoming, own) ? 'changed' : undefined;
  if (incoming.state === 'away') return undefined;
  if (own === undefined) return 'new';
  const isNewer = own.state === 'forgotten' ? incoming.at > own.at : isLater(incoming, own);
  return isNewer ? 'restored' : undefined;
}

/** Whether the one of two relations that someone made by hand was made after the other. */
export function isLaterRelation(one: Relation, other: Relation): boolean {
  return one.createdAt === other.createdAt ? one.strength > other.strength : one.createdAt > other.createdAt;
}
