import { entryNotFound, LoreError } from '../../memory/errors.ts';
import { relationKey, type Relation } from '../../memory/relation.ts';
import type { WriteBatch } from './write-batch.ts';

export interface Relate {
  readonly kind: 'relate';
  readonly relation: Relation;
}

/** Relates two entries, unless a manual relation forbids it or both would supersede each other. */
export function decideRelation(relation: Relation, batch: WriteBatch): void {
  const { sourceId, targetId, type } = relation;
  for (const id of [sourceId, targetId]) if (!batch.has(id)) throw entryNotFound(id);
  if (sourceId === targetId) throw new LoreError('invalid_input', 'An entry has no relation to itself.');
  // A manual relation takes precedence, even if it was made after the automatic search.
  if (relation.origin === 'auto' && batch.relation(relationKey(relation))?.origin === 'manual') return;
  if (type === 'supersedes' && takesPlaceOf(batch, targetId, sourceId)) {
    throw new LoreError('invalid_input', `The entry ${targetId} already replaces ${sourceId}; searches would leave out both.`);
  }
  batch.relate(relation);
}

/** Whether one entry supersedes the other, directly or through others. */
function takesPlaceOf(batch: WriteBatch, newer: string, older: string): boolean {
  const waiting = [newer];
  const seen = new Set(waiting);
  for (const id of waiting) {
    for (const { type, targetId } of batch.from(id)) {
      if (type !== 'supersedes' || seen.has(targetId)) continue;
      if (targetId === older) return true;
      seen.add(targetId);
      waiting.push(targetId);
    }
  }
  return false;
}
