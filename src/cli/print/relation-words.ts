import type { Relation, RelationType } from '../../memory/relation.ts';

/** The name of a relation as seen from its target. */
const BACKWARDS = {
  similar: 'similar to',
  supersedes: 'superseded by',
  references: 'referenced by',
  contradicts: 'contradicted by',
  elaborates: 'elaborated by',
} as const satisfies Record<RelationType, string>;

/** The relation as seen from one end: `supersedes`, `superseded by`. */
export function relationWords({ sourceId, type }: Pick<Relation, 'sourceId' | 'type'>, id: string): string {
  return sourceId === id && type !== 'similar' ? type : BACKWARDS[type];
}

/** `superseded by <id> (0.90, auto)`: a relation as one of its ends sees it. */
export function relationFrom(relation: Relation, id: string): string {
  const { sourceId, targetId, strength, origin } = relation;
  return `${relationWords(relation, id)} ${sourceId === id ? targetId : sourceId} (${strength.toFixed(2)}, ${origin})`;
}
