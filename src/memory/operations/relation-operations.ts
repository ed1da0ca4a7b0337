/** Requests and results for relations, entities and the graph of both. */
import { z } from 'zod';
import { EntryId, Namespace, type Entry } from '../entry.ts';
import { ENTITY_KINDS, MAX_ENTITIES, MAX_ENTITY_CHARS } from '../entities/entity-kinds.ts';
import type { TagReport } from './bulk-operations.ts';
import { SelectedIds } from './entry-conditions.ts';
import type { CallOptions } from './operations.ts';
import { Relation, RelationType } from '../relation.ts';
import type { Result } from '../result.ts';
import { PRIORITIES } from '../vocabulary.ts';

const Strength = z.number().min(0).max(1);
const EntityName = z
  .string()
  .trim()
  .min(1, 'must not be empty')
  .max(MAX_ENTITY_CHARS, `must be at most ${MAX_ENTITY_CHARS} characters`)
  .refine((text) => text.isWellFormed(), 'must be well-formed Unicode (it has a lone surrogate)')
  .refine((text) => !/\p{Cc}/u.test(text), 'must not contain control characters');

const MAX_GRAPH_NODES = 2000;

export const RelateRequest = z
  .strictObject({
    sourceId: EntryId,
    targetId: EntryId,
    type: RelationType,
    strength: Strength.optional().meta({ description: 'Default 1.' }),
  })
  .meta({ id: 'RelateRequest' });
export type RelateRequest = z.output<typeof RelateRequest>;

export const UnrelateRequest = RelateRequest.omit({ strength: true }).meta({ id: 'UnrelateRequest' });
export type UnrelateRequest = z.output<typeof UnrelateRequest>;

export const RelationsRequest = z
  .strictObject({
    id: EntryId.optional().meta({ description: 'Only relations of this entry.' }),
    type: RelationType.optional(),
    namespace: Namespace.optional().meta({ description: 'Only relations with both ends in this namespace; default all.' }),
    limit: z.int().min(1).max(1000).optional().meta({ description: 'Default 100.' }),
    offset: z.int().min(0).optional().meta({ description: 'Default 0.' }),
  })
  .meta({ id: 'RelationsRequest' });
export type RelationsRequest = z.output<typeof RelationsRequest>;

export const RelatedRequest = z
  .strictObject({
    type: RelationType.optional(),
    namespace: Namespace.optional().meta({ description: 'Only entries of this namespace, also on the way; default all.' }),
    depth: z.int().min(1).max(4).optional().meta({ description: 'Maximum distance in relations; default 1.' }),
    limit: z.int().min(1).max(100).optional().meta({ description: 'Default 20.' }),
  })
  .meta({ id: 'RelatedRequest' });
export type RelatedRequest = z.output<typeof RelatedRequest>;

export const GraphRequest = z
  .strictObject({
    namespace: Namespace.optional().meta({ description: 'Only entries of this namespace; default all.' }),
    seed: EntryId.optional().meta({ description: 'The entry in the centre; without one, the entries with most relations first.' }),
    depth: z.int().min(1).max(4).optional().meta({ description: 'Maximum distance from the seed; default 2.' }),
    type: RelationType.optional(),
    minStrength: Strength.optional().meta({ description: 'Default 0.' }),
    limit: z
      .int()
      .min(1)
      .max(MAX_GRAPH_NODES)
      .optional()
      .meta({ description: `Maximum number of nodes; default 500, at most ${MAX_GRAPH_NODES}.` }),
  })
  .meta({ id: 'GraphRequest' });
export type GraphRequest = z.output<typeof GraphRequest>;

export const EntitiesRequest = z
  .strictObject({
    name: EntityName.optional().meta({ description: 'Return the entries with this name. Without it, the most frequent names.' }),
    kind: z.enum(ENTITY_KINDS).optional(),
    namespace: Namespace.optional().meta({ description: 'Default all.' }),
    limit: z.int().min(1).max(100).optional().meta({ description: 'Default 20.' }),
  })
  .meta({ id: 'EntitiesRequest' });
export type EntitiesRequest = z.output<typeof EntitiesRequest>;

export const RenamePathRequest = z
  .strictObject({
    from: EntityName.meta({ description: 'A file or a folder.' }),
    to: EntityName.meta({ description: 'The new path; if entries already have it, the two become one.' }),
    namespace: Namespace.optional().meta({ description: 'Only entries of this namespace; default all.' }),
    dryRun: z.boolean().optional(),
  })
  .meta({ id: 'RenamePathRequest' });
export type RenamePathRequest = z.output<typeof RenamePathRequest>;

const Names = z.array(EntityName).min(1).max(MAX_ENTITIES);
export const NamesRequest = z
  .strictObject({
    name: EntityName.optional().meta({ description: 'Entries with this name. Instead of a name you can send:' }),
    ids: SelectedIds.optional().meta({ description: 'These entries; unknown ids are ignored.' }),
    namespace: Namespace.optional().meta({ description: 'Only entries of this namespace; default all.' }),
    add: Names.optional().meta({ description: 'Names to add.' }),
    remove: Names.optional().meta({ description: 'Names to remove.' }),
    dryRun: z.boolean().optional().meta({ description: 'Only report what would change. Default false.' }),
  })
  .meta({ id: 'NamesRequest' });
export type NamesRequest = z.output<typeof NamesRequest>;

const count = z.int().min(0);

export const RelationPage = z.object({
  /** Newest first. */
  relations: z.array(Relation),
  total: count,
  offset: count,
  limit: count,
});
export type RelationPage = Result<typeof RelationPage>;

/** An entry connected to another by relations. */
export interface RelatedEntry {
  readonly entry: Entry;
  /** Distance from the requested entry; 1: directly related. */
  readonly depth: number;
  /** The last relation on the path to it. */
  readonly relation: Relation;
}

export const GraphNode = z
  .object({
    id: z.uuid(),
    label: z.string().meta({ description: 'The beginning of the summary or content, one line.' }),
    namespace: z.string(),
    tags: z.array(z.string()),
    priority: z.enum(PRIORITIES),
    importance: z.number().min(0).max(1),
    superseded: z.boolean(),
    degree: count.meta({ description: 'Number of all its relations, including those not shown.' }),
  })
  .meta({ id: 'GraphNode' });
export type GraphNode = Result<typeof GraphNode>;

export const Graph = z.object({
  nodes: z.array(GraphNode),
  edges: z.array(Relation).meta({ description: 'Both ends are among the nodes.' }),
  truncated: z.boolean().meta({ description: 'Whether the limit left something out.' }),
});
export type Graph = Result<typeof Graph>;

export const EntityCount = z.object({ name: z.string(), kind: z.enum(ENTITY_KINDS), entries: count }).meta({ id: 'EntityCount' });
export type EntityCount = Result<typeof EntityCount>;

export interface EntityReport {
  /** The requested entity, or the most frequent ones, most frequent first. */
  readonly entities: readonly EntityCount[];
  /** Entries that name it, newest first; only if a name was given. */
  readonly entries: readonly Entry[];
}
/** `changed`: ids of the entries whose entities change. */
export const RenameReport = z.object({ dryRun: z.boolean(), changed: z.array(z.uuid()) });
export type RenameReport = Result<typeof RenameReport>;

/** All methods reject with LoreError; an unknown id is `not_found`. */
export interface RelationOperations {
  /** Adds a relation, or changes the strength of an existing one. */
  relate(request: RelateRequest, options?: CallOptions): Promise<Relation>;
  unrelate(request: UnrelateRequest, options?: CallOptions): Promise<void>;
  list(request: RelationsRequest, options?: CallOptions): Promise<RelationPage>;
  related(id: string, request: RelatedRequest, options?: CallOptions): Promise<readonly RelatedEntry[]>;
  graph(request: GraphRequest, options?: CallOptions): Promise<Graph>;
  entities(request: EntitiesRequest, options?: CallOptions): Promise<EntityReport>;
  /**
   * Adds names to entries and removes names from them; their text stays. Repeating it changes nothing. Rejects with `invalid_input` unless there
   * are names to add or remove, and either a `name` or `ids`.
   */
  changeNames(request: NamesRequest, options?: CallOptions): Promise<TagReport>;
  renamePath(request: RenamePathRequest, options?: CallOptions): Promise<RenameReport>;
}
