import type { Relation, RelationType } from '../../memory/relation.ts';
import type { Store } from '../../store/store.ts';

/** Which relations to follow. */
interface RelationFilter {
  readonly type?: RelationType | undefined;
  readonly minStrength?: number | undefined;
  /** Both ends must be in this namespace. */
  readonly namespace?: string | undefined;
}

/** An entry that a walk reached, and the relation that led to it. */
interface Step {
  readonly id: string;
  /** Number of relations from the start. */
  readonly depth: number;
  readonly relation: Relation;
}

/** Whether a relation matches; both ends must exist in the store. */
export function relationPasses(store: Store, { type, minStrength = 0, namespace }: RelationFilter): (relation: Relation) => boolean {
  const isInside = (id: string): boolean => store.catalog.get(id)?.namespace === namespace;
  return (relation) =>
    (type === undefined || relation.type === type) &&
    relation.strength >= minStrength &&
    (namespace === undefined || (isInside(relation.sourceId) && isInside(relation.targetId)));
}

/** All relations of an entry. */
export function relationsOf({ auxiliary: { graph } }: Store, id: string): Relation[] {
  return [...graph.from(id), ...graph.to(id)];
}

/** The end of a relation that is not this one. */
export const otherEnd = ({ sourceId, targetId }: Relation, id: string): string => (sourceId === id ? targetId : sourceId);

/**
 * Entries reachable from an entry: nearest first, then by strongest relation, each once. Follows relations in both directions and stops
 * after `limit` entries; request one more than you show to know whether there are more.
 */
export function walkFrom(
  store: Store,
  start: string,
  { depth, limit, passes }: { depth: number; limit: number; passes: (relation: Relation) => boolean },
): Step[] {
  const found: Step[] = [];
  const seen = new Set([start]);
  let border = [start];
  for (let at = 1; at <= depth && border.length > 0 && found.length < limit; at += 1) {
    const steps = border
      .flatMap((id) => relationsOf(store, id).map((relation) => ({ id: otherEnd(relation, id), depth: at, relation })))
      .filter(({ id, relation }) => !seen.has(id) && passes(relation))
      .toSorted((a, b) => b.relation.strength - a.relation.strength || (a.id < b.id ? -1 : 1));
    border = [];
    for (const step of steps) {
      if (seen.has(step.id) || found.length >= limit) continue;
      seen.add(step.id);
      found.push(step);
      border.push(step.id);
    }
  }
  return found;
}
