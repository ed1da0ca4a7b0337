import type { Connection } from '@lancedb/lancedb';
import type { StoredResponse } from '../../memory/idempotency.ts';
import { addUsage, type ArchivedEntry, type EntryVersion, type Usage } from '../../memory/lifecycle.ts';
import { relationKey, type Relation } from '../../memory/relation.ts';
import type { Tombstone } from '../../memory/tombstone.ts';
import type { Removal, AuxiliaryRecord } from '../format/log-record.ts';
import { IdempotencyIndex, type ResponseLimits } from '../catalog/idempotency-index.ts';
import { RelationGraph } from '../catalog/relation-graph.ts';
import { Tombstones, type TombstoneLimits } from '../catalog/tombstones.ts';
import type { AuxiliaryShape } from './auxiliary-rows.ts';
import { createAuxiliaryTable, AuxiliaryTable } from './auxiliary-table.ts';
import { asStoreError } from '../errors/store-error.ts';
import type { BackendTables } from './backend-tables.ts';

const RELATIONS: AuxiliaryShape<Relation> = {
  name: 'relations',
  keyOf: relationKey,
  columns: [
    { name: 'source_id', of: ({ sourceId }) => sourceId },
    { name: 'target_id', of: ({ targetId }) => targetId },
    { name: 'type', of: ({ type }) => type },
    { name: 'strength', of: ({ strength }) => strength },
    { name: 'created_at', of: ({ createdAt }) => createdAt },
    { name: 'origin', of: ({ origin }) => origin },
  ],
  numbers: ['strength', 'created_at'],
};
const ARCHIVE: AuxiliaryShape<ArchivedEntry> = {
  name: 'archive',
  keyOf: ({ entry }) => entry.id,
  columns: [
    { name: 'namespace', of: ({ entry }) => entry.namespace },
    { name: 'archived_at', of: ({ at }) => at },
    { name: 'reason', of: ({ reason }) => reason },
    { name: 'run', of: ({ run }) => run },
  ],
  numbers: ['archived_at'],
};
const HISTORY: AuxiliaryShape<EntryVersion> = {
  name: 'history',
  keyOf: ({ entryId, writtenAt }) => `${entryId} ${writtenAt}`,
  columns: [
    { name: 'entry_id', of: ({ entryId }) => entryId },
    { name: 'written_at', of: ({ writtenAt }) => writtenAt },
  ],
  numbers: ['written_at'],
  owner: 'entry_id',
};

/** Responses to idempotent requests, until they expire. */
const ANSWERS: AuxiliaryShape<StoredResponse> = {
  name: 'answers',
  keyOf: ({ id }) => id,
  columns: [
    { name: 'fingerprint', of: ({ fingerprint }) => fingerprint },
    { name: 'answered_at', of: ({ at }) => at },
    { name: 'bytes', of: ({ answer }) => answer.length },
  ],
  numbers: ['answered_at', 'bytes'],
};

/** For a store in a folder, not in the log: counts since the last write are lost if the process dies. */
const USAGE: AuxiliaryShape<Usage> = {
  name: 'usage',
  keyOf: ({ entryId }) => entryId,
  columns: [
    { name: 'entry_id', of: ({ entryId }) => entryId },
    { name: 'recalls', of: ({ recalls }) => recalls },
    { name: 'last_recalled_at', of: ({ lastRecalledAt }) => lastRecalledAt },
  ],
  numbers: ['recalls', 'last_recalled_at'],
  owner: 'entry_id',
};

/** Tombstones of permanently deleted entries, until they expire. */
const TOMBSTONES: AuxiliaryShape<Tombstone> = {
  name: 'tombstones',
  keyOf: ({ id }) => id,
  columns: [
    { name: 'namespace', of: ({ namespace }) => namespace },
    { name: 'deleted_at', of: ({ at }) => at },
  ],
  numbers: ['deleted_at'],
};

/** The names of the tables. */
export const AUXILIARY_TABLES: readonly string[] = [RELATIONS, ARCHIVE, HISTORY, ANSWERS, USAGE, TOMBSTONES].map(({ name }) => name);

/** Creates all auxiliary tables, empty. Resolves with their versions. */
export async function createAuxiliaryTables(connection: Connection): Promise<Record<string, number>> {
  const versions: Record<string, number> = {};
  for (const table of [
    await createAuxiliaryTable(connection, RELATIONS),
    await createAuxiliaryTable(connection, ARCHIVE),
    await createAuxiliaryTable(connection, HISTORY),
    await createAuxiliaryTable(connection, ANSWERS),
    await createAuxiliaryTable(connection, USAGE),
    await createAuxiliaryTable(connection, TOMBSTONES),
  ]) {
    versions[table.name] = await table.version().catch(asStoreError('create a table'));
    table.close();
  }
  return versions;
}

type AnyAuxiliaryTable =
  | AuxiliaryTable<Relation>
  | AuxiliaryTable<ArchivedEntry>
  | AuxiliaryTable<EntryVersion>
  | AuxiliaryTable<StoredResponse>
  | AuxiliaryTable<Usage>
  | AuxiliaryTable<Tombstone>;

/** Retention times. */
interface AuxiliaryLimits {
  /** Default a day, as many as fit. */
  readonly answers?: ResponseLimits | undefined;
  /** Default half a year. */
  readonly tombstones?: TombstoneLimits | undefined;
}

/** LanceDB leaks file descriptors with every optimize until the connection is closed. */
const REOPEN_AFTER_WRITES = 50;

/** The auxiliary tables: relations, archive, history, answers to idempotent requests, use counts, tombstones. */
export class AuxiliaryTables {
  readonly relations: AuxiliaryTable<Relation>;
  readonly archive: AuxiliaryTable<ArchivedEntry>;
  readonly history: AuxiliaryTable<EntryVersion>;
  readonly answers: AuxiliaryTable<StoredResponse>;
  readonly usage: AuxiliaryTable<Usage>;
  readonly tombstoneRows: AuxiliaryTable<Tombstone>;
  readonly graph = new RelationGraph();
  /** Index of the requests in `answers`. */
  readonly idempotencyIndex: IdempotencyIndex;
  /** Index of `tombstoneRows`. */
  readonly tombstones: Tombstones;
  /** Use counts by id, for a shared store. */
  readonly #counts = new Map<string, Usage>();
  readonly #backend: BackendTables;
  #connection: Connection;
  /** Optimizes since the connection was opened. */
  #writes = 0;

  private constructor(backend: BackendTables, connection: Connection, { answers, tombstones }: AuxiliaryLimits) {
    this.#backend = backend;
    this.#connection = connection;
    const { abilities } = backend;
    this.relations = new AuxiliaryTable(RELATIONS, connection, abilities);
    this.archive = new AuxiliaryTable(ARCHIVE, connection, abilities);
    this.history = new AuxiliaryTable(HISTORY, connection, abilities);
    this.answers = new AuxiliaryTable(ANSWERS, connection, abilities);
    this.usage = new AuxiliaryTable(USAGE, connection, abilities);
    this.tombstoneRows = new AuxiliaryTable(TOMBSTONES, connection, abilities);
    this.idempotencyIndex = new IdempotencyIndex(answers);
    this.tombstones = new Tombstones(tombstones);
  }

  /**
   * Opens the existing tables at their durable versions; later changes are in the log. Rejects with `filesystem` if one cannot be read.
   */
  static async open(backend: BackendTables, limits: AuxiliaryLimits = {}): Promise<AuxiliaryTables> {
    const connection = await backend.connect();
    const tables = new AuxiliaryTables(backend, connection, limits);
    try {
      for (const table of tables.#all) {
        const opened = await backend.openAuxiliary(connection, table.shape.name);
        if (opened !== undefined) table.begin(opened);
      }
      await tables.#secure(tables.#all);
      const relations = await tables.relations.all().catch(backend.damaged(RELATIONS.name));
      for (const relation of relations) tables.graph.set(relation);
      if (backend.abilities.shared) for (const use of await tables.usage.all()) tables.#counts.set(use.entryId, use);
      tables.idempotencyIndex.load(await tables.answers.cells().catch(backend.damaged(ANSWERS.name)));
      tables.tombstones.load(await tables.tombstoneRows.cells().catch(backend.damaged(TOMBSTONES.name)));
      return tables;
    } catch (error) {
      tables.close();
      throw error;
    }
  }

  /** Number of values not flushed yet. */
  get waiting(): number {
    // Without use counts: reading alone must not trigger maintenance.
    return [this.relations, this.archive, this.history, this.answers, this.tombstoneRows].reduce((sum, { waiting }) => sum + waiting, 0);
  }

  /** Applies a record of the log. Safe to repeat. */
  apply(record: AuxiliaryRecord): void {
    if (record.value === undefined) this[record.table].delete(record.key);
    else if (record.table === 'relations') this.relations.set(record.value, { isNew: this.graph.get(record.key) === undefined });
    else if (record.table === 'archive') this.archive.set(record.value);
    else if (record.table === 'history') this.history.set(record.value);
    else if (record.table === 'usage') this.#addUsage(record.value);
    else this.answers.set(record.value);
    if (record.table === 'answers') this.#noteAnswer(record);
    // An archived entry is not permanently deleted.
    if (record.table === 'archive' && record.value !== undefined) this.revive(record.key);
    if (record.table !== 'relations') return;
    if (record.value === undefined) this.graph.delete(record.key);
    else this.graph.set(record.value);
    if (record.value?.origin === 'manual') this.revive(record.key);
  }

  /** Removes the relations of a removed entry, and unless it was archived its history and use count too. */
  forget({ id, archived, tombstone }: Pick<Removal, 'id' | 'archived' | 'tombstone'>): void {
    if (tombstone !== undefined) this.#putTombstone({ id, ...tombstone });
    for (const relation of [...this.graph.from(id), ...this.graph.to(id)]) {
      const key = relationKey(relation);
      this.graph.delete(key);
      this.relations.delete(key);
    }
    if (archived === true) return;
    this.#counts.delete(id);
    for (const table of [this.history, this.usage]) if (table.mayHold(id)) table.deleteOf(id);
  }

  /** Drops the tombstone of an entry or relation that exists again. */
  revive(id: string): void {
    if (!this.tombstones.has(id)) return;
    this.tombstones.delete(id);
    this.tombstoneRows.delete(id);
  }

  #putTombstone(tombstone: Tombstone): void {
    this.tombstoneRows.set(tombstone, { isNew: !this.tombstones.has(tombstone.id) });
    this.tombstones.set(tombstone);
  }

  /** Freezes the active parts, and drops expired values. */
  freeze(): void {
    // Not logged: after a crash they are expired again.
    for (const id of this.idempotencyIndex.dropOutdated()) this.answers.delete(id);
    for (const id of this.tombstones.dropOutdated()) this.tombstoneRows.delete(id);
    for (const table of this.#all) table.freeze();
  }

  /** Flushes the frozen parts. When this resolves, the next start uses them; for shared tables, after `versions` are published. */
  async write(): Promise<void> {
    const written: AnyAuxiliaryTable[] = [];
    for (const table of this.#all) if (await table.write()) written.push(table);
    await this.#finish(written);
  }

  /** Replaces these use counts. Call it only while no maintenance runs. */
  async keepUsage(usage: readonly Usage[]): Promise<void> {
    for (const use of usage) this.usage.set(use);
    if (await this.usage.flush()) await this.#finish([this.usage]);
  }

  /** Use counts by id. For a shared store, includes the counts of other servers. */
  async counts(): Promise<Map<string, Usage>> {
    if (this.#backend.abilities.shared) return this.#counts;
    return new Map((await this.usage.all()).map((use) => [use.entryId, use]));
  }

  #addUsage(counted: Usage): void {
    const sum = addUsage(this.#counts.get(counted.entryId), counted);
    this.#counts.set(counted.entryId, sum);
    this.usage.set(sum);
  }

  async #finish(written: readonly AnyAuxiliaryTable[]): Promise<void> {
    this.#writes += written.length;
    if (this.#backend.abilities.shared) return;
    await this.#secure(written);
    await this.tidy();
  }

  /** Removes replaced files. Call it only after the written versions are durable. */
  async tidy(): Promise<void> {
    for (const table of this.#all) await table.prune();
    if (this.#writes >= REOPEN_AFTER_WRITES && this.#backend.abilities.ownFiles) await this.#reopen();
  }

  /** Last written versions of all tables. */
  async versions(): Promise<Record<string, number>> {
    const versions: Record<string, number> = {};
    for (const table of this.#all) {
      const version = await table.version();
      if (version !== undefined) versions[table.shape.name] = version;
    }
    return versions;
  }

  /** Opens versions of another server. Reads move to all of them at once when the returned function is called. */
  async openAt(versions: Readonly<Record<string, number>>): Promise<() => void> {
    const moves: (() => void)[] = [];
    for (const table of this.#all) {
      const version = versions[table.shape.name];
      if (version !== undefined) moves.push(await table.openAt(version));
    }
    return () => {
      for (const move of moves) move();
    };
  }

  /** Makes the current versions durable, so that the next start uses them. */
  async #secure(tables: readonly AnyAuxiliaryTable[]): Promise<void> {
    const versions = new Map<string, number | undefined>();
    for (const table of tables) versions.set(table.shape.name, await table.version());
    await this.#backend.secureAuxiliary(versions);
  }

  /** Drops the flushed frozen parts; with `parts`, only that many of the oldest. */
  dropFrozen(parts?: number): void {
    for (const table of this.#all) table.dropFrozen(parts);
  }

  close(): void {
    for (const table of this.#all) table.close();
    this.#connection.close();
  }

  get #all(): readonly AnyAuxiliaryTable[] {
    return [this.relations, this.archive, this.history, this.answers, this.usage, this.tombstoneRows];
  }

  #noteAnswer({ key, value }: Extract<AuxiliaryRecord, { table: 'answers' }>): void {
    if (value === undefined) this.idempotencyIndex.delete(key);
    else this.idempotencyIndex.add(value);
  }

  async #reopen(): Promise<void> {
    const old = this.#connection;
    this.#connection = await this.#backend.connect();
    for (const table of this.#all) await table.open(this.#connection);
    this.#writes = 0;
    old.close();
  }
}
