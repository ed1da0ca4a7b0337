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
export function decideRemoval({ id, deletedAt }: Remove, batch: WriteBatch): void {
  const known = batch.known(id);
  if (known === undefined) throw entryNotFound(id);
  batch.remove(id, { archived: false });
  if (deletedAt === undefined || isOfFile(known)) return;
  // Later than the deleted version, even if that was written by a clock that is ahead.
  batch.putTombstone({ id, namespace: known.namespace, at: Math.max(deletedAt, known.updatedAt) });
}

/** Deletes a relation; leaves a tombstone if it was manual and deleted on purpose. */
export function decideUnrelation({ key, deletedAt }: Unrelate, batch: WriteBatch): void {
  const relation = batch.relation(key);
  if (relation === undefined) throw new LoreError('not_found', 'There is no such relation.');
  batch.unrelate(relation);
  const namespace = batch.known(relation.sourceId)?.namespace;
  if (deletedAt === undefined || relation.origin !== 'manual' || namespace === undefined) return;
  batch.putTombstone({ id: key, namespace, at: Math.max(deletedAt, relation.createdAt) });
}

/** Applies a deletion of another store to an entry that may not exist here. */
export function decideTombstone({ tombstone, archived, place }: PutTombstone, batch: WriteBatch): void {
  const { id, at } = tombstone;
  const known = batch.known(id);
  if (known !== undefined && (known.updatedAt > at || known.namespace !== place))
    throw new LoreError('invalid_input', `The entry ${id} was changed later, or elsewhere, and stays.`);
  if (known !== undefined) batch.remove(id, { archived: false });
  if (archived) batch.purge(id);
  if (isRelationKey(id)) endRelation(batch.relation(id), at, batch);
  const own = batch.tombstone(id);
  if (own === undefined || own.at < at) batch.putTombstone(tombstone);
}

/** Automatic relations leave no tombstone. */
function endRelation(relation: Relation | undefined, at: number, batch: WriteBatch): void {
  if (relation?.origin !== 'manual') return;
  if (relation.createdAt > at) throw new LoreError('invalid_input', `The relation ${relationKey(relation)} was made later and stays.`);
  batch.unrelate(relation);
}

/** Refuses an older version of an entry that was deleted for good. */
export function requireNotDeleted({ id, updatedAt }: Entry, batch: WriteBatch): void {
  const tombstone = batch.tombstone(id);
  if (tombstone === undefined || tombstone.at < updatedAt) return;
  throw new LoreError('invalid_input', `The entry ${id} was deleted for good after this version of it was written.`);
}
