/** Relations between entries, and the names in them. */
import { z } from 'zod';
import { ENTITY_KINDS } from '../memory/entities/entity-kinds.ts';
import { PRIORITIES } from '../memory/entry.ts';
import {
  EntitiesRequest,
  GraphRequest,
  NamesRequest,
  RelatedRequest,
  RelateRequest,
  RelationsRequest,
  RenamePathRequest,
  UnrelateRequest,
  type RelationOperations,
} from '../memory/operations/relation-operations.ts';
import { RELATION_TYPES } from '../memory/relation.ts';
import { changesOf } from './bulk.ts';
import { EntryResult } from './entry.ts';
import { ofNamespace, type Definitions } from './operation.ts';
import { Time } from './wire.ts';

const count = z.int().min(0);
const ratio = z.number().min(0).max(1);

export const RelationResult = z
  .object({
    sourceId: z.uuid(),
    targetId: z.uuid(),
    type: z.enum(RELATION_TYPES).meta({ description: 'Read as `source type target`.' }),
    strength: ratio,
    createdAt: Time,
    origin: z.enum(['auto', 'manual']).meta({ description: '`auto`: found after a save; `manual`: made by a person or agent.' }),
  })
  .meta({ id: 'Relation' });

/** One end of the relation. */
export const RelationsOfEntry = z.array(RelationResult).meta({ description: 'Relations of the entry, newest first; the first 100.' });

const GraphNode = z
  .object({
    id: z.uuid(),
    label: z.string().meta({ description: 'The beginning of the summary or content, one line.' }),
    namespace: z.string(),
    tags: z.array(z.string()),
    priority: z.enum(PRIORITIES),
    importance: ratio,
    superseded: z.boolean(),
    degree: count.meta({ description: 'Number of all its relations, including those not shown.' }),
  })
  .meta({ id: 'GraphNode' });
const EntityCount = z.object({ name: z.string(), kind: z.enum(ENTITY_KINDS), entries: count }).meta({ id: 'EntityCount' });

export const relations = {
  relate: {
    route: 'POST /api/relations',
    id: 'relation',
    summary: 'Relate two entries',
    answer: 'The relation as it is now.',
    request: RelateRequest,
    result: RelationResult,
    as: 'relation',
    access: 'write',
    reaches: { entries: ({ sourceId, targetId }) => [sourceId, targetId] },
    repeatable: true,
    once: true,
    problems: ['404'],
    audited: 'write',
    notes: ({ sourceId, targetId }) => ({ ids: [sourceId, targetId] }),
  },
  unrelate: {
    route: 'DELETE /api/relations',
    id: 'unrelate',
    summary: 'Delete a relation',
    description: 'You may send the three fields in the query instead of a body.',
    answer: 'The relation was deleted.',
    request: UnrelateRequest,
    result: z.void(),
    says: ({ type }) => `Deleted the relation ${type}.`,
    access: 'write',
    reaches: { entries: ({ sourceId, targetId }) => [sourceId, targetId] },
    repeatable: true,
    once: true,
    problems: ['404'],
    audited: 'delete',
    notes: ({ sourceId, targetId }) => ({ ids: [sourceId, targetId] }),
  },
  list: {
    route: 'GET /api/relations',
    id: 'relations',
    summary: 'List relations, newest first',
    answer: 'One page.',
    request: RelationsRequest,
    result: z.object({ relations: z.array(RelationResult), total: count, offset: count, limit: count }),
    counts: 'relations',
    access: 'read',
    reaches: { namespace: true, entries: ({ id }) => (id === undefined ? [] : [id]) },
    problems: ['404'],
    audited: 'read',
    notes: (request) => ({ ...ofNamespace(request), ids: request.id === undefined ? [] : [request.id] }),
  },
  related: {
    route: 'GET /api/:id/related',
    id: 'related',
    summary: 'Find related entries',
    answer: 'Nearest first.',
    request: RelatedRequest,
    result: z.array(z.object({ entry: EntryResult, depth: z.int().min(1), relation: RelationResult })),
    as: 'related',
    counts: 'related',
    access: 'read',
    reaches: { namespace: true },
    problems: ['404'],
    audited: 'read',
    notes: (request, found) => ({
      ...ofNamespace(request),
      ids: found?.map(({ entry }) => entry.id) ?? [],
      count: found?.length,
    }),
  },
  graph: {
    route: 'GET /api/graph',
    id: 'graph',
    summary: 'Get a graph of entries and relations',
    answer: 'A part of the graph, small enough to draw.',
    request: GraphRequest,
    result: z.object({
      nodes: z.array(GraphNode),
      edges: z.array(RelationResult).meta({ description: 'Both ends are among the nodes.' }),
      truncated: z.boolean().meta({ description: 'Whether the limit left something out.' }),
    }),
    access: 'read',
    reaches: { namespace: true, entries: ({ seed }) => (seed === undefined ? [] : [seed]) },
    problems: ['404'],
    audited: 'read',
    notes: (request, graph) => ({
      ...ofNamespace(request),
      ids: [request.seed ?? [], graph?.nodes.map(({ id }) => id) ?? []].flat(),
      count: graph?.nodes.length,
    }),
  },
  entities: {
    route: 'GET /api/entities',
    id: 'entities',
    summary: 'List names in entries',
    answer: 'Names, with the entries that contain them.',
    request: EntitiesRequest,
    result: z.object({
      entities: z.array(EntityCount).meta({ description: 'The requested name, or the most frequent names first.' }),
      entries: z.array(EntryResult).meta({ description: 'Entries with the name, newest first; only if a name was given.' }),
    }),
    access: 'read',
    reaches: { namespace: true },
    audited: 'read',
    notes: (request, report) => ({
      ...ofNamespace(request),
      ids: report?.entries.map(({ id }) => id) ?? [],
      count: report?.entries.length,
    }),
  },
  changeNames: {
    route: 'POST /api/entities',
    id: 'changeNames',
    summary: 'Add or remove names of entries',
    description:
      'To rename a name, send it as `name` and `remove`, and the new one as `add`. Names that lie in a folder stay as they are. To undo the change, ' +
      'send the ids of the entries in `changed` that have the same `added` and `removed`, at most 1,000 at a time, with `added` as `remove` and `removed` as `add`.',
    answer: 'The entries that changed, or would change.',
    request: NamesRequest,
    result: changesOf('names'),
    access: 'write',
    reaches: { namespace: true },
    repeatable: true,
    unlimited: true,
    audited: 'write',
    notes: (request, report) => ({
      ...ofNamespace(request),
      ids: [...(request.ids ?? []), ...(report?.changed.map(({ id }) => id) ?? [])],
      count: report?.changed.length,
    }),
  },
  renamePath: {
    route: 'POST /api/entities/rename',
    id: 'renamePath',
    summary: 'Rename a path in entries',
    answer: 'The entries that changed.',
    request: RenamePathRequest,
    result: z.object({ dryRun: z.boolean(), changed: z.array(z.uuid()) }),
    counts: 'changed',
    access: 'write',
    reaches: { namespace: true },
    repeatable: true,
    unlimited: true,
    audited: 'write',
    notes: (request, report) => ({ ...ofNamespace(request), ids: report?.changed ?? [], count: report?.changed.length }),
  },
} as const satisfies Definitions<RelationOperations>;
