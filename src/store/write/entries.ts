import type { Entry, Source } from '../../memory/entry.ts';
import type { IdempotentRequest } from '../../memory/idempotency.ts';
import type { Telemetry } from '../../memory/telemetry.ts';
import { Changes, type InsertResult, type RemovalOptions } from './changes.ts';
import type { Database } from '../tables/database.ts';
import type { Catalog } from '../catalog/catalog.ts';
import { entryChanges, type EntryChange } from './entry-changes.ts';
import type { Succession } from './succession.ts';
import type { CommitGuard } from './touched.ts';
import { catalogEntryOf } from '../catalog/catalog-entry.ts';
import type { Memtables } from '../memtable/memtable.ts';
import type { LogRecord, Removal } from '../format/log-record.ts';
import type { EntryRow, StoredRow } from '../format/rows.ts';
import { EntryReader } from '../read/entry-reader.ts';
import type { AuxiliaryTables } from '../tables/auxiliary-tables.ts';
import type { Wal } from '../wal/wal.ts';
import type { SpaceCheck } from '../files/space-check.ts';

export type { InsertResult } from './changes.ts';

interface Parts {
  readonly database: Database;
  readonly catalog: Catalog;
  readonly memtables: Memtables;
  readonly wal: Wal;
  readonly auxiliary: AuxiliaryTables;
  readonly reserve: Pick<SpaceCheck, 'isFull' | 'requireRoom' | 'noteFailure'>;
  readonly whenRoom: () => Promise<void>;
  /** Called after every commit with its effects on entries. */
  readonly onChange: (changes: readonly EntryChange[]) => void;
  /** New versions are higher than this. */
  readonly newestVersion: number;
  readonly telemetry: Telemetry;
}

/** All entries: reads, changes, and applying log records. */
export class Entries extends EntryReader {
  readonly #catalog: Catalog;
  readonly #memtables: Memtables;
  readonly #auxiliary: AuxiliaryTables;
  readonly #changes: Changes;
  readonly #onChange: Parts['onChange'];
  #changesSeen = 0;
  #guard: CommitGuard = () => Promise.resolve(() => undefined);
  constructor({ database, catalog, memtables, wal, auxiliary, reserve, whenRoom, onChange, newestVersion, telemetry }: Parts) {
    super({ database, catalog, memtables });
    this.#catalog = catalog;
    this.#memtables = memtables;
    this.#auxiliary = auxiliary;
    this.#onChange = onChange;
    this.#changes = new Changes(
      {
        catalog,
        graph: auxiliary.graph,
        answers: auxiliary.idempotencyIndex,
        tombstones: auxiliary.tombstones,
        readRows: (ids) => this.rows(ids),
        reserve,
        whenRoom,
        wal,
        guard: (touched) => this.#guard(touched),
        telemetry,
      },
      newestVersion,
    );
  }

  /** All changes of stored data. */
  get changes(): Changes {
    return this.#changes;
  }

  /** Stores a row, or merges its tags into the row with the same content. */
  insert(row: EntryRow, request?: IdempotentRequest, succession?: Succession): Promise<InsertResult> {
    return this.#changes.insert(row, request, succession);
  }

  /** Changes one row in its current version. Rejects with `not_found`. */
  update(id: string, change: (row: EntryRow) => EntryRow, by?: Source, request?: IdempotentRequest): Promise<Entry> {
    return this.#changes.update(id, change, by, request);
  }

  /** Removes one row for good. Rejects with `not_found`. */
  remove(id: string, request?: IdempotentRequest, how?: RemovalOptions): Promise<void> {
    return this.#changes.remove(id, request, how);
  }

  /** Number of changes to exported data since the store was opened, by any server. */
  get changesSeen(): number {
    return this.#changesSeen;
  }

  /** Changes that wait for the next commit. */
  get waiting(): number {
    return this.#changes.waiting;
  }

  /** Runs work between commits, without writes. */
  exclusive(run: () => Promise<void> | void): Promise<void> {
    return this.#changes.exclusive(run);
  }

  /** Finishes the writes that were accepted and refuses new ones. */
  close(): Promise<void> {
    return this.#changes.close();
  }

  /** Makes every commit wait for `guard`. Only one guard is possible. */
  guardCommits(guard: CommitGuard): void {
    this.#guard = guard;
  }

  /**
   * Applies records of the log and notifies subscribers, in the same turn in which they became durable, so that a freeze includes all or
   * none of them.
   */
  take(records: readonly LogRecord[]): void {
    const changes = entryChanges(records, this.#catalog);
    for (const record of records) this.apply(record);
    this.#changesSeen += records.filter(isExported).length;
    this.#onChange(changes);
  }

  /** Applies a record of the log, unless a newer version is known. */
  apply(record: LogRecord): void {
    if (record.op === 'side') this.#auxiliary.apply(record);
    else if (record.op === 'remove') this.#applyRemoval(record);
    else this.#applyPut(record.row);
  }

  /**
   * Repairs the state after a process died between two records of one change: an existing entry is not in the archive, and superseded
   * states follow from the relations. For a shared store, only the tombstones of this process.
   */
  async reconcile(records: readonly LogRecord[], { shared }: { readonly shared: boolean }): Promise<void> {
    this.#dropStaleTombstones();
    if (shared) return;
    const { graph, archive } = this.#auxiliary;
    const present = new Set(records.flatMap(idsOf).filter((id) => this.#catalog.get(id) !== undefined));
    for (const { entry } of await archive.getMany([...present])) this.#auxiliary.apply({ op: 'side', table: 'archive', key: entry.id });
    const superseded = new Set<string>();
    for (const { type, targetId } of graph.all()) if (type === 'supersedes') superseded.add(targetId);
    const wrong = this.#catalog.entries().filter(({ id, superseded: is }) => is !== superseded.has(id));
    for (const { id } of wrong) {
      await this.#changes.update(id, (row) => {
        const { superseded: _, ...entry } = row.entry;
        return { ...row, entry: superseded.has(id) ? { ...entry, superseded: true } : entry };
      });
    }
  }

  /** An earlier version of Lore without tombstones may have restored deleted entries. */
  #dropStaleTombstones(): void {
    const { tombstones, graph } = this.#auxiliary;
    const isThere = (id: string): boolean => this.#catalog.get(id) !== undefined || graph.get(id)?.origin === 'manual';
    for (const id of tombstones.ids()) if (isThere(id)) this.#auxiliary.revive(id);
  }

  #applyPut(row: StoredRow): void {
    const { entry, writtenAt } = row;
    const known = this.#catalog.get(entry.id);
    if (known !== undefined && known.writtenAt >= writtenAt) return;
    this.#memtables.active.put(row, known !== undefined);
    this.#catalog.set(catalogEntryOf(row));
    this.#auxiliary.revive(entry.id);
    this.cacheTexts(row);
  }

  #applyRemoval(removal: Removal): void {
    const { id, writtenAt } = removal;
    const known = this.#catalog.get(id);
    if (known !== undefined && known.writtenAt >= writtenAt) return;
    this.uncacheTexts(id);
    this.#auxiliary.forget(removal);
    if (known === undefined) return;
    this.#catalog.delete(id);
    this.#memtables.active.remove(id);
  }
}

const isExported = (record: LogRecord): boolean => record.op !== 'side' || (record.table !== 'usage' && record.table !== 'answers');

/** The entry that a record puts among the entries or into the archive. */
function idsOf(record: LogRecord): string[] {
  if (record.op === 'put') return [record.row.entry.id];
  return record.op === 'side' && record.table === 'archive' ? [record.key] : [];
}
