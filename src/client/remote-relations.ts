import type { CallOptions } from '../memory/operations/operations.ts';
import type { Relation } from '../memory/relation.ts';
import type {
  EntitiesRequest,
  EntityReport,
  Graph,
  GraphRequest,
  RelatedEntry,
  RelatedRequest,
  RelateRequest,
  RelationOperations,
  RelationPage,
  RelationsRequest,
  RenamePathRequest,
  RenameReport,
  UnrelateRequest,
} from '../memory/operations/relation-operations.ts';
import { entryFrom, type ReferenceEntry } from './reference-form.ts';
import type { Transport } from './transport.ts';

export type RelationAnswer = Omit<Relation, 'createdAt'> & { readonly createdAt: string };

/** Relations, the graph and entities of a running server, over its /api routes. */
export class RemoteRelations implements RelationOperations {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  async relate(request: RelateRequest, options: CallOptions = {}): Promise<Relation> {
    const sent = { ...options, body: request, once: true };
    const { relation } = await this.#transport.json<{ relation: RelationAnswer }>('POST', 'relations', sent);
    return relationFrom(relation);
  }

  async unrelate(request: UnrelateRequest, options: CallOptions = {}): Promise<void> {
    await this.#transport.json('DELETE', 'relations', { ...options, body: request, once: true });
  }

  async list(request: RelationsRequest, options: CallOptions = {}): Promise<RelationPage> {
    type Answer = Omit<RelationPage, 'relations'> & { relations: RelationAnswer[] };
    const answer = await this.#transport.json<Answer>('GET', 'relations', { ...options, query: request });
    const { relations, total, offset, limit } = answer;
    return { relations: relations.map(relationFrom), total, offset, limit };
  }

  async related(id: string, request: RelatedRequest, options: CallOptions = {}): Promise<readonly RelatedEntry[]> {
    type Answer = { related: { entry: ReferenceEntry; depth: number; relation: RelationAnswer }[] };
    const { related } = await this.#transport.json<Answer>('GET', `${encodeURIComponent(id)}/related`, { ...options, query: request });
    return related.map(({ entry, depth, relation }) => ({ entry: entryFrom(entry), depth, relation: relationFrom(relation) }));
  }

  async graph(request: GraphRequest, options: CallOptions = {}): Promise<Graph> {
    type Answer = Omit<Graph, 'edges'> & { edges: RelationAnswer[] };
    const { nodes, edges, truncated } = await this.#transport.json<Answer>('GET', 'graph', { ...options, query: request });
    return { nodes, edges: edges.map(relationFrom), truncated };
  }

  async entities(request: EntitiesRequest, options: CallOptions = {}): Promise<EntityReport> {
    type Answer = Omit<EntityReport, 'entries'> & { entries: ReferenceEntry[] };
    const { entities, entries } = await this.#transport.json<Answer>('GET', 'entities', { ...options, query: request });
    return { entities, entries: entries.map(entryFrom) };
  }

  async renamePath(request: RenamePathRequest, options: CallOptions = {}): Promise<RenameReport> {
    const { dryRun, changed } = await this.#transport.json<RenameReport>('POST', 'entities/rename', {
      ...options,
      body: request,
      unlimited: true,
    });
    return { dryRun, changed };
  }
}

/** The relation of an answer. */
export function relationFrom({ sourceId, targetId, type, strength, createdAt, origin }: RelationAnswer): Relation {
  return { sourceId, targetId, type, strength, createdAt: Date.parse(createdAt), origin };
}
