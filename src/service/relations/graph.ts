import type { Entry } from '../../memory/entry.ts';
import { entryNotFound } from '../../memory/errors.ts';
import { relationKey, type Relation } from '../../memory/relation.ts';
import type { Graph, GraphNode, GraphRequest, RelatedEntry, RelatedRequest } from '../../memory/operations/relation-operations.ts';
import type { Store } from '../../store/store.ts';
import { otherEnd, relationPasses, relationsOf, walkFrom } from './relation-walk.ts';

const DEFAULT_RELATED = 20;
const DEFAULT_NODES = 500;
const DEFAULT_DEPTH = 2;
/** Edges for each requested node: more cannot be drawn legibly. */
const EDGES_PER_NODE = 10;
const LABEL_CHARS = 80;

/** Related entries, nearest first. Rejects with `not_found`. */
export async function relatedTo(store: Store, id: string, request: RelatedRequest): Promise<RelatedEntry[]> {
  const { depth = 1, limit = DEFAULT_RELATED } = request;
  if (store.catalog.get(id) === undefined) throw entryNotFound(id);
  const steps = walkFrom(store, id, { depth, limit, passes: relationPasses(store, request) });
  const entries = new Map((await store.entries.getMany(steps.map((step) => step.id))).map((entry) => [entry.id, entry]));
  return steps.flatMap((step) => {
    const entry = entries.get(step.id);
    return entry === undefined ? [] : [{ entry, depth: step.depth, relation: step.relation }];
  });
}

/**
 * A graph of entries and relations: around a seed, or those with most relations first; an entry without matching relations appears only
 * as the seed. Rejects with `not_found` for an unknown seed.
 */
export async function graphOf(store: Store, request: GraphRequest): Promise<Graph> {
  const { seed, depth = DEFAULT_DEPTH, limit = DEFAULT_NODES } = request;
  const passes = relationPasses(store, request);
  // One more than is shown tells whether there are more.
  const ids = seed === undefined ? mostRelated(store, passes) : around(store, seed, { depth, limit: limit + 1, passes, request });
  const shown = new Set(ids.slice(0, limit));
  const between = edgesBetween(store, shown, passes);
  const edges = between.slice(0, limit * EDGES_PER_NODE);
  const entries = await store.entries.getMany([...shown]);
  const nodes = entries.map((entry) => nodeOf(store, entry, request.namespace));
  const present = new Set(nodes.map(({ id }) => id));
  return {
    nodes,
    edges: edges.filter(({ sourceId, targetId }) => present.has(sourceId) && present.has(targetId)),
    truncated: ids.length > shown.size || between.length > edges.length,
  };
}

function around(
  store: Store,
  seed: string,
  { depth, limit, passes, request }: { depth: number; limit: number; passes: (relation: Relation) => boolean; request: GraphRequest },
): string[] {
  const known = store.catalog.get(seed);
  if (known === undefined || (request.namespace !== undefined && known.namespace !== request.namespace)) throw entryNotFound(seed);
  return [seed, ...walkFrom(store, seed, { depth, limit: limit - 1, passes }).map(({ id }) => id)];
}

/** Ids of all entries with a relation that passes, those with most first. */
function mostRelated(store: Store, passes: (relation: Relation) => boolean): string[] {
  const degrees = new Map<string, number>();
  for (const relation of store.auxiliary.graph.all()) {
    if (!passes(relation)) continue;
    for (const id of [relation.sourceId, relation.targetId]) degrees.set(id, (degrees.get(id) ?? 0) + 1);
  }
  return [...degrees].toSorted(([a, left], [b, right]) => right - left || (a < b ? -1 : 1)).map(([id]) => id);
}

/** Strongest first. */
function edgesBetween({ auxiliary: { graph } }: Store, ids: ReadonlySet<string>, passes: (relation: Relation) => boolean): Relation[] {
  return [...ids]
    .flatMap((id) => graph.from(id).filter((relation) => ids.has(relation.targetId) && passes(relation)))
    .toSorted((a, b) => b.strength - a.strength || (relationKey(a) < relationKey(b) ? -1 : 1));
}

function nodeOf(store: Store, entry: Entry, namespace: string | undefined): GraphNode {
  const { id, tags, priority, importance, superseded = false } = entry;
  const isCounted = (relation: Relation): boolean =>
    namespace === undefined || store.catalog.get(otherEnd(relation, id))?.namespace === namespace;
  const degree = relationsOf(store, id).filter(isCounted).length;
  return { id, label: labelOf(entry), namespace: entry.namespace, tags, priority, importance, superseded, degree };
}

function labelOf({ summary, content }: Entry): string {
  const line = (summary ?? content)
    .slice(0, 4 * LABEL_CHARS)
    .replaceAll(/\s+/g, ' ')
    .trim();
  return line.length <= LABEL_CHARS
    ? line
    : `${line
        .slice(0, LABEL_CHARS - 1)
        .replace(/[\ud800-\udbff]$/, '')
        .trimEnd()}…`;
}
