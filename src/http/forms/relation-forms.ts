/** Relations, the graph and entities in both response forms: these differ in how they write ids and entries. */
import { z } from 'zod';
import { ENTITY_KINDS } from '../../memory/entities/entity-kinds.ts';
import type { Entry, Priority } from '../../memory/entry.ts';
import { RELATION_TYPES, type Relation } from '../../memory/relation.ts';
import type { EntityReport, Graph, RelatedEntry, RelationPage, RenameReport } from '../../memory/operations/relation-operations.ts';
import { Timestamp } from './shared-schemas.ts';

export const RELATION_ANSWERS = ['relation', 'relations', 'unrelate', 'related', 'graph', 'entities', 'renamePath'] as const;

const count = z.int().min(0);
const ratio = z.number().min(0).max(1);

interface Parts<E extends z.ZodType, P extends z.ZodType> {
  readonly entry: E;
  readonly id: z.ZodType<string>;
  readonly priority: P;
  /** Before the names of the schemas. */
  readonly prefix: '' | 'Guide';
}

/** Of a form in which entries, ids and priorities look like this. */
export function relationSchemas<E extends z.ZodType, P extends z.ZodType>({ entry, id, priority, prefix }: Parts<E, P>) {
  const named = <T extends z.ZodType>(name: string, schema: T): T => schema.meta({ id: `${prefix}${name}` });
  const relation = named(
    'Relation',
    z.object({
      sourceId: id,
      targetId: id,
      type: z.enum(RELATION_TYPES).meta({ description: 'Read as `source type target`.' }),
      strength: ratio,
      createdAt: Timestamp,
      origin: z.enum(['auto', 'manual']).meta({ description: '`auto`: found after a save; `manual`: someone said so.' }),
    }),
  );
  const node = named(
    'GraphNode',
    z.object({
      id,
      label: z.string().meta({ description: 'The beginning of the summary or content, one line.' }),
      namespace: z.string(),
      tags: z.array(z.string()),
      priority,
      importance: ratio,
      superseded: z.boolean(),
      degree: count.meta({ description: 'Relations that it has in all, shown or not.' }),
    }),
  );
  const entity = z.object({ name: z.string(), kind: z.enum(ENTITY_KINDS), entries: count }).meta({ id: `${prefix}EntityCount` });
  return {
    relation: z.object({ relation }),
    relations: z.object({ count, total: count, offset: count, limit: count, relations: z.array(relation) }),
    ofEntry: z.array(relation).meta({ description: 'Of which the entry is one end, newest first; the first 100.' }),
    related: z.object({ count, related: z.array(z.object({ entry, depth: z.int().min(1), relation })) }),
    graph: z.object({
      nodes: z.array(node),
      edges: z.array(relation).meta({ description: 'Both ends are among the nodes.' }),
      truncated: z.boolean().meta({ description: 'Whether there is more than the limit let in.' }),
    }),
    entities: z.object({
      entities: z.array(entity).meta({ description: 'What was asked for, or what is named most, most first.' }),
      entries: z.array(entry).meta({ description: 'Those that name it, newest first; only where a name was given.' }),
    }),
    renamePath: z.object({ dryRun: z.boolean(), count, changed: z.array(id) }),
  };
}

interface Ways<E, P> {
  readonly entry: (entry: Entry) => E;
  readonly id: (id: string) => string;
  readonly priority: (priority: Priority) => P;
}

/** What a form makes of the results, by its ways to write entries, ids and priorities. */
export function relationForms<E, P>({ entry: entryForm, id: idForm, priority: priorityForm }: Ways<E, P>) {
  const relationForm = ({ sourceId, targetId, type, strength, createdAt, origin }: Relation) => ({
    sourceId: idForm(sourceId),
    targetId: idForm(targetId),
    type,
    strength,
    createdAt: new Date(createdAt).toISOString(),
    origin,
  });
  return {
    relation: (relation: Relation) => ({ relation: relationForm(relation) }),
    relations: ({ relations, total, offset, limit }: RelationPage) => ({
      count: relations.length,
      total,
      offset,
      limit,
      relations: relations.map(relationForm),
    }),
    ofEntry: (relations: readonly Relation[]) => relations.map(relationForm),
    related: (related: readonly RelatedEntry[]) => ({
      count: related.length,
      related: related.map(({ entry, depth, relation }) => ({ entry: entryForm(entry), depth, relation: relationForm(relation) })),
    }),
    graph: ({ nodes, edges, truncated }: Graph) => ({
      nodes: nodes.map((node) => ({ ...node, id: idForm(node.id), tags: [...node.tags], priority: priorityForm(node.priority) })),
      edges: edges.map(relationForm),
      truncated,
    }),
    entities: ({ entities, entries }: EntityReport) => ({ entities: [...entities], entries: entries.map(entryForm) }),
    renamePath: ({ dryRun, changed }: RenameReport) => ({ dryRun, count: changed.length, changed: changed.map(idForm) }),
  };
}
