import { z } from 'zod';
import type { Result } from './result.ts';
import { Time } from './timestamp.ts';
import { RELATION_TYPES } from './vocabulary.ts';

export { RELATION_TYPES };
export const RelationType = z.enum(RELATION_TYPES);
export type RelationType = z.output<typeof RelationType>;

export const Relation = z
  .object({
    sourceId: z.uuid(),
    targetId: z.uuid(),
    type: z.enum(RELATION_TYPES).meta({ description: 'Read as `source type target`.' }),
    strength: z.number().min(0).max(1),
    createdAt: Time,
    origin: z.enum(['auto', 'manual']).meta({ description: '`auto`: found after a save; `manual`: made by a person or agent.' }),
  })
  .meta({ id: 'Relation' });
export type Relation = Result<typeof Relation>;

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
