import type { Clock } from '../../memory/clock.ts';
import { entryNotFound } from '../../memory/errors.ts';
import { relationKey, type Relation } from '../../memory/relation.ts';
import type {
  EntitiesRequest,
  EntityReport,
  Graph,
  GraphRequest,
  NamesRequest,
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
import type { TagReport } from '../../memory/operations/bulk-operations.ts';
import type { CallOptions } from '../../memory/operations/operations.ts';
import type { Store } from '../../store/store.ts';
import { EntityIndex } from './entity-index.ts';
import { graphOf, relatedTo } from './graph.ts';
import type { WriteLimiter } from '../write-limiter.ts';

const DEFAULT_LIMIT = 100;

interface Parts {
  readonly store: Store;
  readonly clock: Clock;
  readonly limiter: WriteLimiter;
}

/** Manual relations, queries over all relations, and entities. */
export class Relations implements RelationOperations {
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #limiter: WriteLimiter;
  readonly #entities: EntityIndex;

  constructor({ store, clock, limiter }: Parts) {
    this.#store = store;
    this.#limiter = limiter;
    this.#clock = clock;
    this.#entities = new EntityIndex({ store, limiter });
  }

  async relate({ sourceId, targetId, type, strength = 1 }: RelateRequest, { idempotent }: CallOptions = {}): Promise<Relation> {
    const present = this.#store.auxiliary.graph.get(relationKey({ sourceId, type, targetId }));
    const relation: Relation = {
      sourceId,
      targetId,
      type,
      strength,
      createdAt: present?.createdAt ?? this.#clock.now(),
      origin: 'manual',
    };
    await this.#limiter.one(0, () => this.#store.entries.changes.relate(relation, idempotent));
    return relation;
  }

  async unrelate(request: UnrelateRequest, { idempotent }: CallOptions = {}): Promise<void> {
    const { changes } = this.#store.entries;
    await this.#limiter.one(0, () => changes.unrelate(relationKey(request), idempotent, { deletedAt: this.#clock.now() }));
  }

  async list(request: RelationsRequest, { signal }: CallOptions = {}): Promise<RelationPage> {
    signal?.throwIfAborted();
    const { limit = DEFAULT_LIMIT, offset = 0 } = request;
    const passing = [...this.#candidates(request)].filter((relation) => this.#passes(relation, request));
    const relations = passing.toSorted(newestFirst).slice(offset, offset + limit);
    return await Promise.resolve({ relations, total: passing.length, offset, limit });
  }

  related(id: string, request: RelatedRequest): Promise<readonly RelatedEntry[]> {
    return relatedTo(this.#store, id, request);
  }

  graph(request: GraphRequest): Promise<Graph> {
    return graphOf(this.#store, request);
  }

  entities(request: EntitiesRequest): Promise<EntityReport> {
    return this.#entities.report(request);
  }

  changeNames(request: NamesRequest, options?: CallOptions): Promise<TagReport> {
    return this.#entities.changeNames(request, options);
  }

  renamePath(request: RenamePathRequest, options?: CallOptions): Promise<RenameReport> {
    return this.#entities.renamePath(request, options);
  }

  #candidates({ id }: RelationsRequest): Iterable<Relation> {
    const { catalog, auxiliary } = this.#store;
    if (id === undefined) return auxiliary.graph.all();
    if (catalog.get(id) === undefined) throw entryNotFound(id);
    return [...auxiliary.graph.from(id), ...auxiliary.graph.to(id)];
  }

  #passes({ sourceId, targetId, type }: Relation, wanted: RelationsRequest): boolean {
    if (wanted.type !== undefined && type !== wanted.type) return false;
    const isInside = (id: string): boolean => this.#store.catalog.get(id)?.namespace === wanted.namespace;
    return wanted.namespace === undefined || (isInside(sourceId) && isInside(targetId));
  }
}

/** A total order: pages never overlap. */
function newestFirst(one: Relation, other: Relation): number {
  return other.createdAt - one.createdAt || (relationKey(one) > relationKey(other) ? -1 : 1);
}
