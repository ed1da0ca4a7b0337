import { entryNotFound } from '../../memory/errors.ts';
import type { WriteBatch } from './write-batch.ts';

/** The entries that a new one supersedes, in the same commit. */
export interface Succession {
  readonly ids: readonly string[];
  /** Time, epoch milliseconds. */
  readonly at: number;
}

/** Throws `not_found` if one of them does not exist. */
export function requirePresent(batch: WriteBatch, succession: Succession | undefined): void {
  for (const id of succession?.ids ?? []) if (!batch.has(id)) throw entryNotFound(id);
}

/** Makes a saved entry current: it supersedes these, and is no longer superseded itself if an old text is saved again. */
export function applySuccession(batch: WriteBatch, sourceId: string, succession: Succession | undefined): void {
  if (succession === undefined) return;
  for (const relation of batch.to(sourceId)) if (relation.type === 'supersedes') batch.unrelate(relation);
  for (const targetId of new Set(succession.ids)) {
    if (targetId === sourceId) continue;
    batch.relate({ sourceId, targetId, type: 'supersedes', strength: 1, createdAt: succession.at, origin: 'manual' });
  }
}
