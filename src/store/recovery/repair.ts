import { existsSync, readdirSync } from 'node:fs';
import { cp, mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import type { Table } from '@lancedb/lancedb';
import type { RecordBatch, Schema } from 'apache-arrow';
import { LoreError } from '../../memory/errors.ts';
import { searchText } from '../../memory/words/tokens.ts';
import { connect } from '../backends/connection.ts';
import { contentHash } from '../format/content-hash.ts';
import { readFormat, refuseNewer, writeMeta } from '../backends/folder/creation.ts';
import { noteBackup } from '../backends/folder/migrations.ts';
import { readCheckpoint, type Checkpoint } from '../format/checkpoint.ts';
import type { LogRecord } from '../format/log-record.ts';
import { logFiles, readLogFiles } from '../wal/log-files.ts';
import { entryOf, CatalogEntryReader, type CatalogEntry } from '../catalog/catalog-entry.ts';
import { shardsIn } from '../backends/folder/layout.ts';
import { tableFolder } from '../format/manifests.ts';
import { ENTRY_COLUMNS } from '../format/field-columns.ts';
import { rowsOf, textOf, toArrowTable, vectorsOf, type EntryVectors, type RawRow, type StoredRow } from '../format/rows.ts';
import { pendingInLog, NO_COPIES, type Copies, type EntryCopy, type LostRows } from './entry-copies.ts';
import { refuseDamage, TableSalvage, type LostRow, type TableDamage } from './salvage.ts';
import { SalvageNotes } from './salvage-notes.ts';
import { ENTRIES, FORMAT_VERSION, META, vectorColumnsOf } from '../format/schema.ts';
import { entriesTables } from '../format/shards.ts';
import { AUXILIARY_TABLES } from '../tables/auxiliary-tables.ts';
import { asStoreError } from '../errors/store-error.ts';
import { FolderSync } from '../files/sync.ts';
import { tableExists } from '../tables/table-opening.ts';

/** The damage of a store. */
export interface StoreDamage {
  /** Tables with unreadable parts. */
  readonly tables: readonly TableDamage[];
  /** Number of readable entries, in the table or the log. */
  readonly entries: number;
  /** Entries whose content differs from the saved version, including archived ones, without a copy. */
  readonly altered: readonly string[];
  /** Unreadable entries without a copy, as far as their ids are known. */
  readonly lost: readonly string[];
  /** Entries from an altered file: their content is as saved, but other fields may differ. */
  readonly doubtful: readonly string[];
  /** Entries restored from a copy. */
  readonly restored: readonly RestoredEntry[];
  /** Entries with unusable vectors or search text, which are computed again. */
  readonly remade: number;
}

/** A restored entry. */
export interface RestoredEntry {
  readonly id: string;
  /** `journal`: its newest version is in the log. */
  readonly way: EntryCopy['way'] | 'journal';
  /** Name of the backup. */
  readonly from?: string;
}

/** The damage, and the copies that would help. */
export interface Salvage extends StoreDamage {
  readonly wanted: LostRows;
}

interface Salvaging {
  readonly storePath: string;
  /** A new folder on the disk of the store, removed afterwards. */
  readonly work: string;
  /** Location for the new store; a new folder. Undefined for a check only. */
  readonly target: string | undefined;
  /** Files with wrong contents, by path relative to the store. */
  readonly wrong?: ReadonlySet<string>;
  /** Replacements for altered or lost rows. */
  readonly copies?: Copies;
}

const ROWS_AT_ONCE = 2000;
/** Files that a store can do without, or that belong to the process that has it open. */
const LEFT =
  /^(?:head\.json.*|checksums\.json.*|layout\.json.*|words\.txt.*|lore\.lock.*|staging|journal|quarantine|contexts|ballast.*|.*\.lance)$/;

/**
 * Reads all readable parts of a closed store and builds a store from them elsewhere. Leaves the original byte for byte. The caller has
 * the lock. Rejects with `filesystem` if no version of the entries can be read, or if a newer version of Lore created it.
 */
export async function salvageStore({ storePath, work, target, wrong, copies }: Salvaging): Promise<Salvage> {
  await mkdir(work, { recursive: true, mode: 0o700 });
  try {
    const checkpoint = checkpointOf(storePath);
    const format = await formatOf(storePath, checkpoint);
    if (format !== undefined) refuseNewer(format, storePath);
    const place = { storePath, work, target, wrong: wrong ?? new Set<string>(), copies: copies ?? NO_COPIES };
    const notes = new SalvageNotes(place.copies, pendingInLog(storePath));
    const entries = await salvageEntries(place, checkpoint, notes);
    const tables = [...entries.damages];
    for (const name of AUXILIARY_TABLES) {
      if (existsSync(path.join(storePath, tableFolder(name))))
        tables.push(await salvageAuxiliary(place, { name, secured: checkpoint.sides?.[name], notes }));
    }
    if (target !== undefined && format !== undefined) await keepFormat(place, target, format);
    if (target !== undefined) await copyRest(storePath, target);
    return { tables: tables.filter(isDamaged), entries: entries.count, ...notes.found };
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

const isDamaged = ({ unreadableRows, deletedAmong, versions, files }: TableDamage): boolean =>
  unreadableRows + deletedAmong + versions + files.length > 0;

function checkpointOf(storePath: string): Checkpoint {
  try {
    return readCheckpoint(storePath);
  } catch {
    return {};
  }
}

/** Format of the store, from any source that still has it. */
async function formatOf(storePath: string, checkpoint: Checkpoint): Promise<number | undefined> {
  if (checkpoint.format !== undefined || !existsSync(path.join(storePath, tableFolder(META)))) return checkpoint.format;
  const connection = await connect(storePath);
  try {
    return await readFormat(connection, storePath);
  } catch (error) {
    refuseDamage(error instanceof LoreError ? error.cause : error);
    return undefined;
  } finally {
    connection.close();
  }
}

/** Rows read from a table of an older format stay in that format: the upgrade runs when the store is opened. */
async function keepFormat({ storePath }: Salvaging, target: string, format: number): Promise<void> {
  const connection = await connect(target);
  await writeMeta(connection, format).finally(() => connection.close());
  if (format < FORMAT_VERSION) await noteBackup(target, storePath).catch(asStoreError('write the repaired store'));
}

type Place = Required<Omit<Salvaging, 'target'>> & Pick<Salvaging, 'target'>;

async function salvageEntries(
  { storePath, work, target, wrong }: Place,
  checkpoint: Checkpoint,
  notes: SalvageNotes,
): Promise<{ damages: readonly TableDamage[]; count: number }> {
  const isDerived = (column: string): boolean => /^(?:search_text|embedding(?:_\d+)?|passages(?:_\d+)?)$/.test(column);
  const damages: TableDamage[] = [];
  let found: { readonly rows: SalvagedRows; readonly table: NewTable | undefined; readonly schema: Schema } | undefined;
  for (const [shard, name] of entriesTables(shardsIn(storePath, checkpoint) ?? 1).entries()) {
    if (shardsIn(storePath, checkpoint) !== undefined && !tableExists(storePath, name)) {
      damages.push(lostTable(name, checkpoint.entries?.[shard]?.rows));
      continue;
    }
    const salvage = new TableSalvage({ storePath, name, work, isDerived, wrong });
    const schema = await salvage.begin(checkpoint.entries?.[shard]?.version);
    // All rows in one table; they are distributed again when the repaired store is opened.
    if (schema !== undefined) found ??= { rows: new SalvagedRows(schema, notes), table: await created(target, ENTRIES, schema), schema };
    let restored = 0;
    for await (const { batches, deletedAmong, isWrong, lost } of salvage.fragments()) {
      // Without a schema no fragment is read.
      if (found === undefined) continue;
      for (const batch of batches) {
        const fresh = await found.rows.take(batch, { mayBeDeleted: deletedAmong > 0, isWrong });
        if (found.table !== undefined) await addRows(found.table, fresh, found.schema);
      }
      const again = found.rows.lose(lost);
      restored += again.length;
      if (found.table !== undefined) await addRows(found.table, again, found.schema);
    }
    damages.push({ ...salvage.damage, unreadableRows: Math.max(0, salvage.damage.unreadableRows - restored) });
  }
  if (found === undefined) {
    throw new LoreError('filesystem', `No version of the entries of ${storePath} can be read. It was left as it is.`, {
      hint: '`lore backup list` lists backups; `lore backup restore` restores one and keeps this store under another name.',
    });
  }
  const { rows, table, schema } = found;
  if (table !== undefined) await addRows(table, rows.uncertain(), schema);
  table?.close();
  return { damages, count: rows.countWith(readLogFiles(storePath)) };
}

/** A table that is missing, with its former number of rows. */
function lostTable(table: string, rows = 0): TableDamage {
  return { table, rows, unreadableRows: rows, deletedAmong: 0, files: [tableFolder(table)], versions: 0 };
}

/** The entries of a table that is read in pieces, each once. */
class SalvagedRows {
  readonly #schema: Schema;
  readonly #notes: SalvageNotes;
  readonly #reader = new CatalogEntryReader();
  readonly #seen = new Set<string>();
  readonly #uncertain = new Map<string, StoredRow>();

  constructor(schema: Schema, notes: SalvageNotes) {
    this.#schema = schema;
    this.#notes = notes;
  }

  /** Number of entries after the log is applied. */
  countWith(records: readonly LogRecord[]): number {
    const ids = new Set([...this.#seen, ...this.#uncertain.keys()]);
    for (const record of records) {
      if (record.op === 'put') ids.add(record.row.entry.id);
      else if (record.op === 'remove') ids.delete(record.id);
    }
    return ids.size;
  }

  /** Rows that are certainly current. Of those that may be outdated, the newest of each is held until the end, in `uncertain`. */
  async take(batch: RecordBatch, { mayBeDeleted, isWrong }: { mayBeDeleted: boolean; isWrong: boolean }): Promise<StoredRow[]> {
    const rows = await this.#rowsOf(batch, isWrong);
    const fresh = rows.filter(({ entry: { id } }) => !this.#seen.has(id));
    if (!mayBeDeleted) {
      for (const { entry } of fresh) this.#seen.add(entry.id);
      return fresh;
    }
    for (const row of fresh) {
      const { id } = row.entry;
      if ((this.#uncertain.get(id)?.writtenAt ?? -1) < row.writtenAt) this.#uncertain.set(id, row);
    }
    return [];
  }

  /** Copies of unreadable rows, as far as there are any. */
  lose(lost: readonly LostRow[]): StoredRow[] {
    return lost.flatMap(({ id, writtenAt, contentHash: hash }) => {
      if (this.#seen.has(id)) return [];
      const row = this.#notes.lost(id, { writtenAt, hashes: hash === undefined ? [] : [hash] });
      if (row === undefined) return [];
      this.#seen.add(id);
      return this.#fitting(row);
    });
  }

  /** Vectors of an earlier model of the store do not fit. */
  #fitting(row: StoredRow): StoredRow {
    const width = row.vectors?.first.length;
    if (width !== undefined && vectorColumnsOf(this.#schema).some((columns) => columns.width === width)) return row;
    this.#notes.remade += 1;
    return { ...row, vectors: undefined };
  }

  uncertain(): StoredRow[] {
    return [...this.#uncertain.values()];
  }

  async #rowsOf(batch: RecordBatch, isWrong: boolean): Promise<StoredRow[]> {
    const known = this.#reader.read(batch);
    const raw = rowsOf(
      batch,
      batch.schema.fields.map(({ name }) => name),
    );
    return await Promise.all(known.map((facts, nth) => this.#rowOf(facts, { raw: raw[nth] as RawRow, isWrong })));
  }

  async #rowOf(known: CatalogEntry, { raw, isWrong }: { raw: RawRow; isWrong: boolean }): Promise<StoredRow> {
    const read = entryOf(known, ENTRY_COLUMNS.texts(raw));
    const { writtenAt } = known;
    const isAltered = contentHash(read.content) !== read.contentHash;
    const isWhole = typeof raw['search_text'] === 'string';
    const vectors = isWhole ? vectorsOf(raw, vectorColumnsOf(this.#schema)) : undefined;
    if (isAltered || isWrong) {
      const row = this.#notes.doubt({ entry: read, writtenAt, isAltered, embedder: vectors?.embedder });
      if (row !== undefined && row.searchText !== '') return this.#fitting(row);
      if (row !== undefined) return this.#fitting({ ...row, searchText: await searchText(row.entry.content, row.entry.tags) });
    }
    const entry = isAltered || isWrong ? { ...read, id: this.#notes.idFor(read.id) } : read;
    // Without vectors it waits for the model, as after a save while the model was unavailable.
    if (isWrong || !isWhole || !isSound(vectors)) {
      this.#notes.remade += 1;
      const searched = isWhole && !isWrong ? textOf(raw, 'search_text') : await searchText(entry.content, entry.tags);
      return { entry, searchText: searched, vectors: undefined, writtenAt };
    }
    return { entry, searchText: textOf(raw, 'search_text'), vectors, writtenAt };
  }
}

/** Whether the vectors are valid: an invalid one would break every search of the table. */
function isSound(vectors: EntryVectors | undefined): boolean {
  const all = vectors === undefined ? [] : [vectors.first, ...vectors.further];
  return all.every((vector) => {
    const sum = vector.reduce((total, value) => total + value * value, 0);
    return Number.isFinite(sum) && sum > 0;
  });
}

async function addRows(table: NewTable, rows: readonly StoredRow[], schema: Schema): Promise<void> {
  for (let start = 0; start < rows.length; start += ROWS_AT_ONCE) {
    await table.add(toArrowTable(rows.slice(start, start + ROWS_AT_ONCE), schema)).catch(asStoreError('write the repaired store'));
  }
}

async function salvageAuxiliary(
  { storePath, work, target, wrong }: Place,
  { name, secured, notes }: { readonly name: string; readonly secured: number | undefined; readonly notes: SalvageNotes },
): Promise<TableDamage> {
  const salvage = new TableSalvage({ storePath, name, work, isDerived: () => false, wrong });
  const schema = await salvage.begin(secured);
  if (schema === undefined) return salvage.damage;
  const columns = schema.fields.map((field) => field.name);
  const rows = new Map<string, RawRow>();
  let unusable = 0;
  for await (const { batches, isWrong } of salvage.fragments()) {
    for (const row of batches.flatMap((batch) => rowsOf(batch, columns))) {
      const key = textOf(row, 'key');
      if (rows.has(key)) continue;
      const kept = notes.side(name, { row, isWrong });
      if (kept === undefined) unusable += 1;
      else rows.set(key, kept);
    }
  }
  const table = await created(target, name, schema);
  const all = [...rows.values()];
  if (table !== undefined) {
    for (let start = 0; start < all.length; start += ROWS_AT_ONCE) {
      await table.add(all.slice(start, start + ROWS_AT_ONCE)).catch(asStoreError('write the repaired store'));
    }
    table.close();
  }
  return { ...salvage.damage, unreadableRows: salvage.damage.unreadableRows + unusable };
}

/** A new table, closed with its connection. The schema says which column is the primary key. */
async function created(target: string | undefined, name: string, schema: Schema): Promise<NewTable | undefined> {
  if (target === undefined) return undefined;
  await mkdir(target, { recursive: true, mode: 0o700 });
  const connection = await connect(target);
  const table = await connection.createEmptyTable(name, schema).catch(asStoreError('write the repaired store'));
  return { add: (rows) => table.add(rows), close: () => connection.close() };
}

interface NewTable {
  add(rows: Parameters<Table['add']>[0]): Promise<unknown>;
  close(): void;
}

/** Copies the log and other files next to the tables. */
async function copyRest(storePath: string, target: string): Promise<void> {
  const names = readdirSync(storePath).filter((name) => !LEFT.test(name));
  const files = [...names, ...logFiles(storePath).map((file) => file.path)];
  for (const file of files) {
    await cp(path.join(storePath, file), path.join(target, file), { recursive: true }).catch(asStoreError('write the repaired store'));
  }
  await new FolderSync(target).run().catch(asStoreError('sync the repaired store'));
}
