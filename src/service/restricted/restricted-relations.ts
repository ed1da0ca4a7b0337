import type { Entry } from '../../memory/entry.ts';
import type { CallOptions } from '../../memory/operations/operations.ts';
import type { Relation } from '../../memory/relation.ts';
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
} from '../../memory/operations/relation-operations.ts';

/** What a key may do, as `RestrictedMemories` knows it. */
export interface Limits {
  /** Throws `forbidden` for a key that may only read. */
  readonly mayWrite: () => void;
  /** Throws `forbidden` for a key that is bound to one namespace. */
  readonly mayLeaveNamespace: () => void;
  /** The request in the namespace of the key; throws `forbidden` where it names another. */
  readonly within: <T extends { namespace?: string | undefined }>(request: T) => T;
  /** Rejects with `not_found` for an entry that the key does not reach. */
  readonly get: (id: string, options?: CallOptions) => Promise<Entry>;
}

/** The same operations within what an API key may do: relations count where both of their ends are in its namespace. */
export class RestrictedRelations implements RelationOperations {
  readonly #relations: RelationOperations;
  readonly #limits: Limits;

  constructor(relations: RelationOperations, limits: Limits) {
    this.#relations = relations;
    this.#limits = limits;
  }

  async relate(request: RelateRequest, options?: CallOptions): Promise<Relation> {
    await this.#mayChange(request, options);
    return await this.#relations.relate(request, options);
  }

  async unrelate(request: UnrelateRequest, options?: CallOptions): Promise<void> {
    await this.#mayChange(request, options);
    await this.#relations.unrelate(request, options);
  }

  async list(request: RelationsRequest, options?: CallOptions): Promise<RelationPage> {
    const within = this.#limits.within(request);
    if (request.id !== undefined) await this.#limits.get(request.id, options);
    return await this.#relations.list(within, options);
  }

  async related(id: string, request: RelatedRequest, options?: CallOptions): Promise<readonly RelatedEntry[]> {
    const within = this.#limits.within(request);
    await this.#limits.get(id, options);
    return await this.#relations.related(id, within, options);
  }

  async graph(request: GraphRequest, options?: CallOptions): Promise<Graph> {
    const within = this.#limits.within(request);
    if (request.seed !== undefined) await this.#limits.get(request.seed, options);
    return await this.#relations.graph(within, options);
  }

  async entities(request: EntitiesRequest, options?: CallOptions): Promise<EntityReport> {
    return await this.#relations.entities(this.#limits.within(request), options);
  }

  async renamePath(request: RenamePathRequest, options?: CallOptions): Promise<RenameReport> {
    this.#limits.mayWrite();
    return await this.#relations.renamePath(this.#limits.within(request), options);
  }

  async #mayChange({ sourceId, targetId }: UnrelateRequest, options?: CallOptions): Promise<void> {
    this.#limits.mayWrite();
    for (const id of [sourceId, targetId]) await this.#limits.get(id, options);
  }
}
