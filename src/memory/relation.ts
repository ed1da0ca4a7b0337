import { z } from 'zod';
import { RELATION_TYPES } from './vocabulary.ts';

export { RELATION_TYPES };
export const RelationType = z.enum(RELATION_TYPES);
export type RelationType = z.output<typeof RelationType>;

/** `auto`: found by Lore after a save; `manual`: created by a person or agent. */
type RelationOrigin = 'auto' | 'manual';

export interface Relation {
  readonly sourceId: string;
  readonly targetId: string;
  readonly type: RelationType;
  /** 0..1. */
  readonly strength: number;
  /** Epoch milliseconds. */
  readonly createdAt: number;
  readonly origin: RelationOrigin;
}

/** Unique key of a relation: at most one of each type from one entry to another. */
export const relationKey = ({ sourceId, type, targetId }: Pick<Relation, 'sourceId' | 'type' | 'targetId'>): string =>
  `${sourceId} ${type} ${targetId}`;

/** Whether a text is a relation key and not an entry id. */
export const isRelationKey = (text: string): boolean => text.includes(' ');

/** Parses a relation key. */
export function relationOfKey(key: string): Pick<Relation, 'sourceId' | 'type' | 'targetId'> {
  const [sourceId, type, targetId] = key.split(' ') as [string, RelationType, string];
  return { sourceId, type, targetId };
}
