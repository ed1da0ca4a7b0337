import type { Entry } from '../../memory/entry.ts';
import { entryNotFound, LoreError } from '../../memory/errors.ts';
import type { Tombstone } from '../../memory/tombstone.ts';
import { isRelationKey, relationKey, type Relation } from '../../memory/relation.ts';
import { isOfFile } from '../../memory/vocabulary.ts';
import type { WriteBatch } from './write-batch.ts';

export interface Remove {
  readonly kind: 'remove';
  readonly id: string;
  /** Time of the deletion by a person or agent; undefined for an automatic one. */
  readonly deletedAt?: number | undefined;
}

export interface Unrelate {
  readonly kind: 'unrelate';
  readonly key: string;
  /** Time of the deletion by a person or agent; undefined for an automatic one. */
  readonly deletedAt?: number | undefined;
}

export interface PutTombstone {
  readonly kind: 'tombstone';
  readonly tombstone: Tombstone;
  /** Whether it is in the archive. */
  readonly archived: boolean;
  /** Where the entry may be. */
  readonly place: string | undefined;
}

/** Deletes an entry for good; leaves a tombstone if a person or agent deleted it. */
export function decideRemoval({ id, deletedAt }: Remove, stage: WriteBatch): void {
  const known = stage.known(id);
  if (known === undefined) throw entryNotFound(id);
  stage.remove(id, { archived: false });
  if (deletedAt === undefined || isOfFile(known)) return;
  // Later than the deleted version, even if that was written by a clock that is ahead.
  stage.putTombstone({ id, namespace: known.namespace, at: Math.max(deletedAt, known.updatedAt) });
}

/** Deletes a relation; leaves a tombstone if it was manual and deleted on purpose. */
export function decideUnrelation({ key, deletedAt }: Unrelate, stage: WriteBatch): void {
  const relation = stage.relation(key);
  if (relation === undefined) throw new LoreError('not_found', 'There is no such relation.');
  stage.unrelate(relation);
  const namespace = stage.known(relation.sourceId)?.namespace;
  if (deletedAt === undefined || relation.origin !== 'manual' || namespace === undefined) return;
  stage.putTombstone({ id: key, namespace, at: Math.max(deletedAt, relation.createdAt) });
}

/** Applies a deletion of another store to an entry that may not exist here. */
export function decideTombstone({ tombstone, archived, place }: PutTombstone, stage: WriteBatch): void {
  const { id, at } = tombstone;
  const known = stage.known(id);
  if (known !== undefined && (known.updatedAt > at || known.namespace !== place))
    throw new LoreError('invalid_input', `The entry ${id} was changed later, or elsewhere, and stays.`);
  if (known !== undefined) stage.remove(id, { archived: false });
  if (archived) stage.purge(id);
  if (isRelationKey(id)) endRelation(stage.relation(id), at, stage);
  const own = stage.tombstone(id);
  if (own === undefined || own.at < at) stage.putTombstone(tombstone);
}

/** Automatic relations leave no tombstone. */
function endRelation(relation: Relation | undefined, at: number, stage: WriteBatch): void {
  if (relation?.origin !== 'manual') return;
  if (relation.createdAt > at) throw new LoreError('invalid_input', `The relation ${relationKey(relation)} was made later and stays.`);
  stage.unrelate(relation);
}

/** Refuses an older version of an entry that was deleted for good. */
export function requireNotDeleted({ id, updatedAt }: Entry, stage: WriteBatch): void {
  const tombstone = stage.tombstone(id);
  if (tombstone === undefined || tombstone.at < updatedAt) return;
  throw new LoreError('invalid_input', `The entry ${id} was deleted for good after this version of it was written.`);
}
