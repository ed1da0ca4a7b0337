import { Clock } from '../../memory/clock.ts';
import type { Entry, Source } from '../../memory/entry.ts';
import type { IdempotentRequest } from '../../memory/idempotency.ts';
import type { ArchivedEntry, ArchiveNote, Usage } from '../../memory/lifecycle.ts';
import type { Relation } from '../../memory/relation.ts';
import type { Telemetry } from '../../memory/telemetry.ts';
import type { Tombstone } from '../../memory/tombstone.ts';
import { decide, idsNeeded, type AdoptedRecord, type ArchiveCondition, type Change, type InsertResult } from './decisions.ts';
import type { Catalog } from '../catalog/catalog.ts';
import type { LogRecord } from '../format/log-record.ts';
import type { IdempotencyIndex } from '../catalog/idempotency-index.ts';
import type { RelationGraph } from '../catalog/relation-graph.ts';
import type { Tombstones } from '../catalog/tombstones.ts';
import type { EntryRow } from '../format/rows.ts';
import { WriteBatch } from './write-batch.ts';
import type { Succession } from './succession.ts';
import { mayBeDamage } from '../errors/store-error.ts';
import type { Wal } from '../wal/wal.ts';
import type { SpaceCheck } from '../files/space-check.ts';
import { touchedBy, type CommitGuard } from './touched.ts';
import { Writer } from './write-queue.ts';

export type { InsertResult } from './decisions.ts';

interface Parts {
  readonly catalog: Catalog;
  readonly graph: RelationGraph;
  readonly answers: IdempotencyIndex;
  readonly tombstones: Tombstones;
  /** The current rows of these ids, as far as they exist. */
  readonly readRows: (ids: readonly string[]) => Promise<Map<string, EntryRow>>;
  /** Awaited before every write that takes disk space. */
  readonly reserve: Pick<SpaceCheck, 'isFull' | 'requireRoom' | 'noteFailure'>;
  /** Waits while too much is waiting to be flushed. */
  readonly whenRoom: () => Promise<void>;
  /** Appends the decided changes to the log; its follower makes them visible. */
  readonly wal: Pick<Wal, 'catchUp' | 'turn' | 'append' | 'reported'>;
  readonly guard: CommitGuard;
  readonly telemetry: Telemetry;
}

/** Options of a permanent deletion. */
export interface RemovalOptions {
  /** Time of deletion by a person, epoch milliseconds, stored as a tombstone. Not set for passages of files. */
  readonly deletedAt?: number;
}

/** The decisions, and the position in the log on which they are based. */
interface Decided {
  readonly records: readonly LogRecord[];
  readonly reported: number;
}

/** Changes that free space, or record completed work: they must not fail because the disk is full. */
const FREEING = new Set<Change['kind']>(['remove', 'tombstone', 'unrelate', 'purge', 'answer']);

/**
 * All changes of the store: decided one after the other, committed together, visible to every later read. A promise resolves when its
 * change is durable. The change of an idempotent request is made once: its answer is stored in the same commit, and a repetition rejects
 * with `DuplicateRequestError`.
 */
export class Changes {
  readonly #parts: Parts;
  readonly #clock: Clock;
  readonly #writer = new Writer<Change>({
    commit: (changes) => this.#commit(changes),
    ready: () => this.#parts.wal.turn(),
    bytesOf,
  });

  /** New versions are higher than `after`. */
  constructor(parts: Parts, after: number) {
    this.#parts = parts;
    this.#clock = new Clock(after);
  }

  /**
   * Stores a row. The same content in the same namespace and container is not stored again: its tags are merged into the existing row.
   * Relations to replaced entries are made in the same commit; rejects with `not_found` if one does not exist.
   */
  async insert(row: EntryRow, request?: IdempotentRequest, succession?: Succession): Promise<InsertResult> {
    const change: Change = { kind: 'insert', row, request, succession };
    await this.#submit(change);
    return change.result as InsertResult;
  }

  /**
   * Changes one row; `change` gets the current row. The previous version goes to the history. Rejects with `not_found`.
   */
  async update(id: string, change: (row: EntryRow) => EntryRow, by: Source = 'api', request?: IdempotentRequest): Promise<Entry> {
    const update: Change = { kind: 'update', id, change, by, request };
    await this.#submit(update);
    return update.entry as Entry;
  }

  /** Like `update`, with a version of another store that keeps its time, so that both stores have the same version. */
  async updateAsGiven(id: string, change: (row: EntryRow) => EntryRow, by: Source): Promise<void> {
    await this.#submit({ kind: 'update', id, change, by, keepsTime: true });
  }

  /** Removes one row for good, with its relations and its history. Rejects with `not_found`. */
  async remove(id: string, request?: IdempotentRequest, { deletedAt }: RemovalOptions = {}): Promise<void> {
    await this.#submit({ kind: 'remove', id, deletedAt, request });
  }

  /**
   * Stores the tombstone of an entry deleted in another store, and deletes the local copy, from the archive too if `archived`. Rejects
   * with `invalid_input` if it was changed later, or is in another namespace than `place`.
   */
  async putTombstone(
    tombstone: Tombstone,
    { archived, place }: { readonly archived: boolean; readonly place: string | undefined },
  ): Promise<void> {
    await this.#submit({ kind: 'tombstone', tombstone, archived, place });
  }

  /**
   * Adds a relation, or changes the existing one of this type. Rejects with `not_found` if an entry does not exist, with `invalid_input`
   * if an entry would supersede itself.
   */
  async relate(relation: Relation, request?: IdempotentRequest): Promise<void> {
    await this.#submit({ kind: 'relate', relation, request });
  }

  /** Rejects with `not_found`. */
  async unrelate(key: string, request?: IdempotentRequest, { deletedAt }: RemovalOptions = {}): Promise<void> {
    await this.#submit({ kind: 'unrelate', key, deletedAt, request });
  }

  /**
   * Archives an entry with its relations. Rejects with `not_found` if it or its survivor does not exist, with `invalid_input` if `holds`
   * returns false for the current versions.
   */
  async archive(
    id: string,
    note: ArchiveNote,
    { by = 'api', holds = () => true }: { readonly by?: Source; readonly holds?: ArchiveCondition } = {},
  ): Promise<void> {
    await this.#submit({ kind: 'archive', id, note, by, holds });
  }

  /** Restores an archived entry from `row`. Rejects with `invalid_input` if its id or content exists. */
  async restore(archived: ArchivedEntry, row: EntryRow, request?: IdempotentRequest): Promise<void> {
    await this.#submit({ kind: 'restore', archived, row, request });
  }

  /** Deletes an entry from the archive for good, with its history. */
  async purge(id: string): Promise<void> {
    await this.#submit({ kind: 'purge', id });
  }

  /** Stores archived entries and history of another store. Rejects with `invalid_input` if an entry to archive exists. */
  async adopt(record: AdoptedRecord): Promise<void> {
    await this.#submit({ kind: 'adopt', record });
  }

  /** Adds to use counts; unknown entries are left out. One call at a time. */
  async addUsage(usage: readonly Usage[]): Promise<void> {
    await this.#submit({ kind: 'recalled', usage });
  }

  /** Stores the answer to an idempotent request that was not a single change. */
  async answer(request: IdempotentRequest, result: unknown): Promise<void> {
    await this.#submit({ kind: 'answer', result, request });
  }

  /** Changes that wait for the next commit. */
  get waiting(): number {
    return this.#writer.waiting;
  }

  /** Runs work between commits, without writes. */
  exclusive(run: () => Promise<void> | void): Promise<void> {
    return this.#writer.exclusive(run);
  }

  /** Finishes the changes that were accepted and refuses new ones. */
  close(): Promise<void> {
    return this.#writer.close();
  }

  async #submit(change: Change): Promise<void> {
    await this.#parts.telemetry.timed('commit', async () => {
      const { reserve } = this.#parts;
      // Only for changes that need it: an extra turn would put some changes behind later ones.
      if (reserve.isFull && !FREEING.has(change.kind)) await reserve.requireRoom();
      await this.#parts.whenRoom();
      await this.#writer.submit(change);
    });
    if (change.fault !== undefined) throw change.fault;
  }

  /** Returns whether it is done; if another server came first, the changes are decided again. */
  async #commit(changes: readonly Change[]): Promise<boolean> {
    const { wal, telemetry } = this.#parts;
    let decided = await this.#decide(changes);
    if (decided.records.length === 0) {
      // If records count, they were decided on the newest state. An empty result may rest on an old state: catch up, then decide again.
      await wal.catchUp();
      if (wal.reported !== decided.reported) decided = await this.#decide(changes);
    }
    if (decided.records.length > 0 && !(await telemetry.timed('journal append', () => this.#append(decided)))) return false;
    telemetry.record('commit changes', changes.length);
    return true;
  }

  /** Decides these changes on the current state. Sets their results or errors, overwriting earlier ones. */
  async #decide(changes: readonly Change[]): Promise<Decided> {
    const { catalog, graph, answers, tombstones } = this.#parts;
    const { rows, reported } = await this.#steadyRows(changes);
    const batch = new WriteBatch({ catalog, graph, answers, tombstones, rows });
    for (const change of changes) {
      if (change.fault !== undefined) continue;
      try {
        decide(change, batch);
      } catch (error) {
        change.fault = error instanceof Error ? error : new Error(String(error));
      }
    }
    // Clocks of several machines differ, but a later change must have a later version.
    return { records: batch.records(this.#clock.later(catalog.newestVersion)), reported };
  }

  /** The rows that these changes need now, or an error if unreadable; read again after changes of other servers. */
  async #steadyRows(changes: readonly Change[]): Promise<{ readonly rows: ReadonlyMap<string, EntryRow>; readonly reported: number }> {
    const { wal } = this.#parts;
    for (;;) {
      for (const change of changes) delete change.fault;
      const { reported } = wal;
      const rows = await this.#rowsFor(changes);
      if (wal.reported === reported) return { rows, reported };
    }
  }

  /** The rows that these changes need. A change with an unreadable row gets an error, without failing concurrent changes. */
  async #rowsFor(changes: readonly Change[]): Promise<ReadonlyMap<string, EntryRow>> {
    try {
      return await this.#parts.readRows([...new Set(changes.flatMap((change) => idsNeeded(change, this.#parts)))]);
    } catch (error) {
      if (!mayBeDamage(error)) throw error;
      const [first, ...others] = changes;
      if (first !== undefined && others.length === 0) {
        first.fault = error;
        return new Map();
      }
      const middle = Math.ceil(changes.length / 2);
      const [left, right] = [await this.#rowsFor(changes.slice(0, middle)), await this.#rowsFor(changes.slice(middle))];
      return new Map([...left, ...right]);
    }
  }

  async #append({ records, reported }: Decided): Promise<boolean> {
    const { wal, catalog, guard, reserve } = this.#parts;
    const release = await guard(touchedBy(records, catalog));
    try {
      return await wal.append(records, reported);
    } catch (error) {
      reserve.noteFailure(error);
      throw error;
    } finally {
      release();
    }
  }
}

/** Approximate size of its records: the new texts and vectors. */
function bytesOf(change: Change): number {
  if (change.kind !== 'insert' && change.kind !== 'restore') return 0;
  const { entry, searchText, vectors } = change.row;
  const numbers = vectors === undefined ? 0 : vectors.first.length * (1 + vectors.further.length);
  return entry.content.length + searchText.length + Float32Array.BYTES_PER_ELEMENT * numbers;
}
