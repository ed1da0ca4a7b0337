import { entityKey, kindOf, renamePath } from '../../memory/entities/entity-names.ts';
import { MAX_ENTITIES } from '../../memory/entities/entity-kinds.ts';
import { canonicalPath } from '../../memory/entities/entity-path-names.ts';
import type { EntryFilter, Source } from '../../memory/entry.ts';
import { entryNotFound, LoreError } from '../../memory/errors.ts';
import { changeOf, isSame, retagged, type TagChange, type TagReport } from '../../memory/operations/bulk-operations.ts';
import type { CallOptions } from '../../memory/operations/operations.ts';
import type {
  EntitiesRequest,
  EntityCount,
  EntityReport,
  NamesRequest,
  RenamePathRequest,
  RenameReport,
} from '../../memory/operations/relation-operations.ts';
import type { EntryRow } from '../../store/format/rows.ts';
import type { Store } from '../../store/store.ts';
import type { WriteLimiter } from '../write-limiter.ts';

/** The names of an entry after a change. */
type Next = (names: readonly string[]) => readonly string[];

const DEFAULT_LIMIT = 20;
/** Entries that are changed at the same time. */
const BATCH = 200;

/** Index from entities to entries. */
export class EntityIndex {
  readonly #store: Store;
  readonly #limiter: WriteLimiter;

  constructor({ store, limiter }: { readonly store: Store; readonly limiter: WriteLimiter }) {
    this.#store = store;
    this.#limiter = limiter;
  }

  /** The most frequent names, or the entries with one name in any spelling. */
  async report({ name, kind, namespace, limit = DEFAULT_LIMIT }: EntitiesRequest): Promise<EntityReport> {
    const filter = within(namespace);
    if (name === undefined) return { entities: await this.#mostNamed(namespace, { kind, limit }), entries: [] };
    const names = spellings(name).filter((one) => kind === undefined || kindOf(one) === kind);
    const ids = await Promise.all(names.map((one) => this.#store.named.entries([one], filter)));
    const counts = names.map((one, at): EntityCount => ({ name: one, kind: kindOf(one), entries: ids[at]?.length ?? 0 }));
    const found = counts.filter(({ entries }) => entries > 0).toSorted(mostFirst);
    const newest = this.#newestFirst(new Set(ids.flat())).slice(0, limit);
    return { entities: found.length > 0 ? found : counts.slice(0, 1), entries: await this.#store.entries.getMany(newest) };
  }

  /**
   * Renames the path of a file or folder in the entities of entries; their content stays. Rejects with `invalid_input` if `from` is not a
   * path.
   */
  async renamePath(
    { from, to, namespace, dryRun = false }: RenamePathRequest,
    { source = 'api' }: CallOptions = {},
  ): Promise<RenameReport> {
    const old = canonicalPath(from);
    if (old === '' || old === '.') throw new LoreError('invalid_input', 'from must name a file or a folder');
    const known = await this.#store.named.counts(namespace);
    const moved = [...known.keys()].filter((name) => renamePath([name], from, to)[0] !== name);
    const ids = moved.length === 0 ? [] : await this.#store.named.entries(moved, within(namespace));
    const changed = this.#newestFirst(new Set(ids));
    if (dryRun) return { dryRun, changed };
    const done = await this.#changeAll(changed, (names) => renamePath(names, from, to), source);
    return { dryRun, changed: done.map(({ id }) => id) };
  }

  /** Adds names to entries and removes names from them, for `name` or `ids`; their content stays. */
  async changeNames(request: NamesRequest, { source = 'api' }: CallOptions = {}): Promise<TagReport> {
    const { dryRun = false } = request;
    const change = { add: (request.add ?? []).map(entityKey), remove: (request.remove ?? []).map(entityKey) };
    if (change.add.length + change.remove.length === 0) throw new LoreError('invalid_input', 'Give the names to `add` or to `remove`.');
    const both = change.add.find((name) => change.remove.includes(name));
    if (both !== undefined) throw new LoreError('invalid_input', `add and remove must not both hold ${JSON.stringify(both)}.`);
    const ids = await this.#meant(request);
    const next = (names: readonly string[]): readonly string[] => retagged(names, change, MAX_ENTITIES) ?? names;
    const changed = dryRun ? await this.#preview(ids, next) : await this.#changeAll(ids, next, source);
    return { dryRun, matches: ids.length, changed, left: ids.length - changed.length };
  }

  /** Newest first. */
  async #meant({ name, ids = [], namespace }: NamesRequest): Promise<string[]> {
    if ((name === undefined) === (ids.length === 0))
      throw new LoreError('invalid_input', 'Choose the entries to change: by `name` or by `ids`.');
    if (name !== undefined) return this.#newestFirst(new Set(await this.#store.named.entries([entityKey(name)], within(namespace))));
    const { catalog } = this.#store;
    const known = ids.filter((id) => {
      const of = catalog.get(id)?.namespace;
      return of !== undefined && of === (namespace ?? of);
    });
    if (known.length === 0) throw entryNotFound(ids[0]!);
    return this.#newestFirst(new Set(known));
  }

  async #preview(ids: readonly string[], next: Next): Promise<TagChange[]> {
    const changes: TagChange[] = [];
    for (let start = 0; start < ids.length; start += BATCH) {
      for (const { id, entities = [] } of await this.#store.entries.getMany(ids.slice(start, start + BATCH))) {
        const then = next(entities);
        if (!isSame(entities, then)) changes.push(changeOf(id, entities, then));
      }
    }
    return changes;
  }

  /** The applied changes, without entries that no longer exist or do not change. */
  async #changeAll(ids: readonly string[], next: Next, by: Source): Promise<TagChange[]> {
    const done: TagChange[] = [];
    for (let start = 0; start < ids.length; start += BATCH) {
      const batch = ids.slice(start, start + BATCH);
      const change = (): Promise<TagChange[][]> => Promise.all(batch.map((id) => this.#change(id, next, by)));
      done.push(...(await this.#limiter.many({ changes: batch.length, chars: 0 }, change)).flat());
    }
    return done;
  }

  async #change(id: string, next: Next, by: Source): Promise<TagChange[]> {
    const changes: TagChange[] = [];
    const change = (row: EntryRow): EntryRow => {
      const before = row.entry.entities ?? [];
      const entities = next(before);
      changes.length = 0;
      if (isSame(before, entities)) return row;
      changes.push(changeOf(id, before, entities));
      return { ...row, entry: { ...row.entry, entities } };
    };
    await this.#store.entries.update(id, change, by).catch((error: unknown) => {
      if (!(error instanceof LoreError && error.code === 'not_found')) throw error;
    });
    return changes;
  }

  async #mostNamed(
    namespace: string | undefined,
    { kind, limit }: { kind: EntitiesRequest['kind']; limit: number },
  ): Promise<EntityCount[]> {
    const counts = [...(await this.#store.named.counts(namespace))].toSorted(([a, left], [b, right]) => right - left || (a < b ? -1 : 1));
    const found: EntityCount[] = [];
    for (const [name, entries] of counts) {
      if (found.length === limit) break;
      const of = kindOf(name);
      if (kind === undefined || of === kind) found.push({ name, kind: of, entries });
    }
    return found;
  }

  #newestFirst(ids: ReadonlySet<string>): string[] {
    const createdAt = (id: string): number => this.#store.catalog.get(id)?.createdAt ?? 0;
    return [...ids].toSorted((a, b) => createdAt(b) - createdAt(a) || (a < b ? 1 : -1));
  }
}

const within = (namespace: string | undefined): EntryFilter => (namespace === undefined ? {} : { namespaces: [namespace] });
const mostFirst = (a: EntityCount, b: EntityCount): number => b.entries - a.entries;

/** The forms in which a name may be stored: a single plain word may be a function or a package. */
function spellings(name: string): string[] {
  const key = entityKey(name);
  if (key.endsWith('()')) return [key, entityKey(key.slice(0, -2))];
  return kindOf(key) === 'package' ? [key, `${key}()`] : [key];
}
