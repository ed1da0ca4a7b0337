import path from 'node:path';
import type { Connection } from '@lancedb/lancedb';
import type { ArchivedEntry, EntryVersion, Usage } from '../memory/lifecycle.ts';
import { relationKey, type Relation } from '../memory/relation.ts';
import { dropBegunTable } from './begun-table.ts';
import { connect } from './connection.ts';
import type { Removal } from './journal-record.ts';
import { RelationGraph } from './relation-graph.ts';
import { SideTable, type SideShape } from './side-table.ts';
import { TreeSync } from './sync.ts';

const RELATIONS: SideShape<Relation> = {
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
const ARCHIVE: SideShape<ArchivedEntry> = {
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
const HISTORY: SideShape<EntryVersion> = {
  name: 'history',
  keyOf: ({ entryId, writtenAt }) => `${entryId} ${writtenAt}`,
  columns: [
    { name: 'entry_id', of: ({ entryId }) => entryId },
    { name: 'written_at', of: ({ writtenAt }) => writtenAt },
  ],
  numbers: ['written_at'],
  owner: 'entry_id',
};

/** Beside the journal: what came since the last write is lost with the process. */
const USAGE: SideShape<Usage> = {
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

/** A change of a side table, as the journal keeps it. */
export type SideRecord =
  | { readonly op: 'side'; readonly table: 'relations'; readonly key: string; readonly value?: Relation }
  | { readonly op: 'side'; readonly table: 'archive'; readonly key: string; readonly value?: ArchivedEntry }
  | { readonly op: 'side'; readonly table: 'history'; readonly key: string; readonly value?: EntryVersion };

/** LanceDB leaks file descriptors with every optimize until the connection is closed. */
const REOPEN_AFTER_WRITES = 50;

/** The tables beside the entries: relations, the archive, what entries were before they were changed, how often they were recalled. */
export class SideTables {
  readonly relations: SideTable<Relation>;
  readonly archive: SideTable<ArchivedEntry>;
  readonly history: SideTable<EntryVersion>;
  readonly usage: SideTable<Usage>;
  readonly graph = new RelationGraph();
  readonly #path: string;
  readonly #trees: readonly TreeSync[];
  #connection: Connection;
  /** Since the connection was made. */
  #writes = 0;

  private constructor(storePath: string, connection: Connection) {
    this.#path = storePath;
    this.#connection = connection;
    this.relations = new SideTable(RELATIONS, connection);
    this.archive = new SideTable(ARCHIVE, connection);
    this.history = new SideTable(HISTORY, connection);
    this.usage = new SideTable(USAGE, connection);
    this.#trees = this.#all.map(({ shape }) => new TreeSync(path.join(storePath, `${shape.name}.lance`)));
  }

  static async open(storePath: string): Promise<SideTables> {
    const connection = await connect(storePath);
    const tables = new SideTables(storePath, connection);
    for (const table of tables.#all) {
      await dropBegunTable(storePath, table.shape.name);
      await table.open(connection);
    }
    for (const relation of await tables.relations.all()) tables.graph.set(relation);
    return tables;
  }

  /** Values that wait for their tables. */
  get waiting(): number {
    // Not what was recalled: reading alone must not set off the work of a cycle.
    return [this.relations, this.archive, this.history].reduce((sum, { waiting }) => sum + waiting, 0);
  }

  /** Makes a record of the journal seen. Safe to repeat. */
  apply(record: SideRecord): void {
    if (record.value === undefined) this[record.table].delete(record.key);
    else if (record.table === 'relations') this.relations.set(record.value);
    else if (record.table === 'archive') this.archive.set(record.value);
    else this.history.set(record.value);
    if (record.table !== 'relations') return;
    if (record.value === undefined) this.graph.delete(record.key);
    else this.graph.set(record.value);
  }

  /** An entry is gone, and with it its relations; its history and its use too, unless it went to the archive. */
  forget({ id, archived }: Pick<Removal, 'id' | 'archived'>): void {
    for (const relation of [...this.graph.from(id), ...this.graph.to(id)]) {
      const key = relationKey(relation);
      this.graph.delete(key);
      this.relations.delete(key);
    }
    if (archived === true) return;
    for (const table of [this.history, this.usage]) if (table.mayHold(id)) table.deleteOf(id);
  }

  seal(): void {
    for (const table of this.#all) table.seal();
  }

  /** Writes what is sealed, and syncs it where `synced`. */
  async write(synced: boolean): Promise<void> {
    for (const [nth, table] of this.#all.entries()) {
      if (!(await table.write())) continue;
      this.#writes += 1;
      if (synced) await this.#trees[nth]?.run();
      await table.prune();
    }
    if (this.#writes >= REOPEN_AFTER_WRITES) await this.#reopen();
  }

  /** Keeps how often these were recalled, in the place of what was known. Only while no cycle is under way. */
  async keepUsage(usage: readonly Usage[], synced: boolean): Promise<void> {
    for (const use of usage) this.usage.set(use);
    if (!(await this.usage.flush())) return;
    this.#writes += 1;
    if (synced) await this.#trees.at(-1)?.run();
    await this.usage.prune();
    if (this.#writes >= REOPEN_AFTER_WRITES) await this.#reopen();
  }

  dropSealed(): void {
    for (const table of this.#all) table.dropSealed();
  }

  close(): void {
    for (const table of this.#all) table.close();
    this.#connection.close();
  }

  get #all(): readonly (SideTable<Relation> | SideTable<ArchivedEntry> | SideTable<EntryVersion> | SideTable<Usage>)[] {
    return [this.relations, this.archive, this.history, this.usage];
  }

  async #reopen(): Promise<void> {
    const old = this.#connection;
    this.#connection = await connect(this.#path);
    for (const table of this.#all) await table.open(this.#connection);
    this.#writes = 0;
    old.close();
  }
}
