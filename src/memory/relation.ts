import { z } from 'zod';
import { RELATION_TYPES } from './vocabulary.ts';

export { RELATION_TYPES };
export const RelationType = z.enum(RELATION_TYPES);
export type RelationType = z.output<typeof RelationType>;

/** `auto`: found by Lore after a save; `manual`: made by a person or agent. */
export type RelationOrigin = 'auto' | 'manual';

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

/** The key of a relation: there is at most one of each type from one entry to another. */
export const relationKey = ({ sourceId, type, targetId }: Pick<Relation, 'sourceId' | 'type' | 'targetId'>): string =>
  `${sourceId} ${type} ${targetId}`;

/** Whether this is the key of a relation, not the id of an entry. */
export const isRelationKey = (text: string): boolean => text.includes(' ');

/** The parts of a key. */
export function relationOfKey(key: string): Pick<Relation, 'sourceId' | 'type' | 'targetId'> {
  const [sourceId, type, targetId] = key.split(' ') as [string, RelationType, string];
  return { sourceId, type, targetId };
}
