import { entryNotFound, LoreError } from '../../memory/errors.ts';
import type { Entry } from '../../memory/entry.ts';
import type { Grant } from '../../memory/grant.ts';
import type {
  CallOptions,
  ExportLine,
  ExportRequest,
  Health,
  ImportOptions,
  ImportReport,
  ImportRequest,
} from '../../memory/operations/operations.ts';
import type { StoreOperations } from '../../memory/operations/sync-operations.ts';
import { RestrictedEvents } from './restricted-events.ts';
import type { OPERATIONS } from '../../operations/table.ts';
import { limited, type Limits } from './limited.ts';

/**
 * The same operations within what an API key may do: a read-only key changes nothing, a key bound to a namespace sees and changes that
 * namespace alone. What is refused is `forbidden`, except an id in another namespace, which is `not_found`: its existence is not told.
 */
export function restrictTo(memories: StoreOperations, grant: Grant): StoreOperations {
  return grant.access === 'full' && grant.namespace === undefined ? memories : restricted(memories, grant);
}

function restricted(memories: StoreOperations, grant: Grant): StoreOperations {
  const own = new RestrictedMemories(memories, grant);
  return Object.assign(own, limited('memories', memories, own.limits));
}

class RestrictedMemories implements Omit<StoreOperations, keyof (typeof OPERATIONS)['memories']> {
  readonly limits: Limits;
  readonly relations: StoreOperations['relations'];
  readonly lifecycle: StoreOperations['lifecycle'];
  readonly backups: StoreOperations['backups'];
  readonly capture: StoreOperations['capture'];
  readonly moves: StoreOperations['moves'];
  readonly sources: StoreOperations['sources'];
  readonly statistics: StoreOperations['statistics'];
  readonly bulk: StoreOperations['bulk'];
  readonly details: StoreOperations['details'];
  readonly changes: RestrictedEvents;
  readonly sync: StoreOperations['sync'];
  readonly #memories: StoreOperations;
  readonly #readOnly: boolean;
  readonly #namespace: string | undefined;

  constructor(memories: StoreOperations, { access, namespace }: Grant) {
    this.#memories = memories;
    this.#readOnly = access === 'read';
    this.#namespace = namespace;
    this.limits = {
      namespace,
      mayWrite: () => this.#mayWrite(),
      mayLeaveNamespace: () => this.#mayLeaveNamespace(),
      within: (request) => this.#within(request),
      mustReach: (id, options) => this.#mustReach(id, options),
    };
    const { limits } = this;
    this.relations = limited('relations', memories.relations, limits);
    this.moves = limited('moves', memories.moves, limits);
    this.lifecycle = {
      ...limited('lifecycle', memories.lifecycle, limits),
      undo: (id, options) => this.#undo(id, options),
    };
    this.backups = limited('backups', memories.backups, limits);
    this.capture = limited('capture', memories.capture, limits);
    this.sources = limited('sources', memories.sources, limits);
    this.statistics = limited('statistics', memories.statistics, limits);
    this.bulk = limited('bulk', memories.bulk, limits);
    this.details = limited('details', memories.details, limits);
    this.changes = new RestrictedEvents(memories.changes, limits);
    this.sync = limited('sync', memories.sync, limits);
  }

  async health(options?: CallOptions): Promise<Health> {
    if (this.#namespace === undefined) return await this.#memories.health(options);
    const all = await this.#memories.health({ ...options, namespace: this.#namespace });
    const { lastCompaction: _ofAllNamespaces, migration: _ofAllToo, relating: _ofAllAsWell, lastBackup: _backup, ...health } = all;
    const { path: _place, ...storage } = health.storage;
    return { ...health, storage };
  }

  async *export(request: ExportRequest, options?: CallOptions): AsyncGenerator<ExportLine> {
    yield* this.#memories.export(this.#within(request), options);
  }

  async import(chunks: AsyncIterable<Uint8Array>, request: ImportRequest, options?: ImportOptions): Promise<ImportReport> {
    this.#mayWrite();
    this.#mayLeaveNamespace();
    return await this.#memories.import(chunks, request, options);
  }

  async #mustReach(id: string, options?: CallOptions): Promise<void> {
    const { namespace } = await this.#memories.get(id, options);
    if (this.#namespace !== undefined && namespace !== this.#namespace) throw entryNotFound(id);
  }

  /** What is taken back may be a move out of another namespace. */
  async #undo(id: string, options?: CallOptions): Promise<Entry> {
    this.#mayWrite();
    await this.#mustReach(id, options);
    const { versions } = await this.#memories.lifecycle.history(id, options);
    const [last] = versions;
    if (last !== undefined) this.#within({ namespace: last.state.namespace });
    return await this.#memories.lifecycle.undo(id, options);
  }

  #mayWrite(): void {
    if (this.#readOnly) throw new LoreError('forbidden', 'This key is read-only.');
  }

  #mayLeaveNamespace(): void {
    if (this.#namespace !== undefined) throw new LoreError('forbidden', 'This key is bound to one namespace.');
  }

  /** The request in the namespace of the key, and in no other. */
  #within<T extends { namespace?: string | undefined }>(request: T): T {
    if (this.#namespace === undefined) return request;
    if (request.namespace !== undefined && request.namespace !== this.#namespace) this.#mayLeaveNamespace();
    return { ...request, namespace: this.#namespace };
  }
}
