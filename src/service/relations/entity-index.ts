import { entityKey, kindOf, renamePath } from '../../memory/entities/entity-names.ts';
import { canonicalPath } from '../../memory/entities/entity-path-names.ts';
import type { EntryFilter, Source } from '../../memory/entry.ts';
import { LoreError } from '../../memory/errors.ts';
import type { CallOptions } from '../../memory/operations/operations.ts';
import type {
  EntitiesRequest,
  EntityCount,
  EntityReport,
  RenamePathRequest,
  RenameReport,
} from '../../memory/operations/relation-operations.ts';
import type { EntryRow } from '../../store/format/rows.ts';
import type { Store } from '../../store/store.ts';
import type { WriteRoom } from '../write-room.ts';

const DEFAULT_LIMIT = 20;
/** Entries that are changed at the same time. */
const BATCH = 200;

/** Index from entities to entries. */
export class EntityIndex {
  readonly #store: Store;
  readonly #room: WriteRoom;

  constructor({ store, room }: { readonly store: Store; readonly room: WriteRoom }) {
    this.#store = store;
    this.#room = room;
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
    const done: string[] = [];
    for (let start = 0; start < changed.length; start += BATCH) {
      const batch = changed.slice(start, start + BATCH);
      const rename = (): Promise<boolean[]> => Promise.all(batch.map((id) => this.#rename(id, { from, to, by: source })));
      const results = await this.#room.many({ changes: batch.length, chars: 0 }, rename);
      done.push(...batch.filter((_, at) => results[at]));
    }
    return { dryRun, changed: done };
  }

  /** Whether there was anything to change: the entry may be gone or another by now. */
  async #rename(id: string, { from, to, by }: { from: string; to: string; by: Source }): Promise<boolean> {
    let isChanged = false;
    const change = (row: EntryRow): EntryRow => {
      const before = row.entry.entities ?? [];
      const entities = renamePath(before, from, to);
      isChanged = entities.length !== before.length || entities.some((name, at) => name !== before[at]);
      return isChanged ? { ...row, entry: { ...row.entry, entities } } : row;
    };
    await this.#store.entries.update(id, change, by).catch((error: unknown) => {
      if (!(error instanceof LoreError && error.code === 'not_found')) throw error;
    });
    return isChanged;
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
    const createdAt = (id: string): number => this.#store.directory.get(id)?.createdAt ?? 0;
    return [...ids].toSorted((a, b) => createdAt(b) - createdAt(a) || (a < b ? 1 : -1));
  }
}

const within = (namespace: string | undefined): EntryFilter => (namespace === undefined ? {} : { namespaces: [namespace] });
const mostFirst = (a: EntityCount, b: EntityCount): number => b.entries - a.entries;

/** The forms in which a name may be stored: of one plain word, nobody knows whether a function or a package is meant. */
function spellings(name: string): string[] {
  const key = entityKey(name);
  if (key.endsWith('()')) return [key, entityKey(key.slice(0, -2))];
  return kindOf(key) === 'package' ? [key, `${key}()`] : [key];
}
