import { chmodSync, existsSync, mkdirSync, readdirSync } from 'node:fs';
import path from 'node:path';
import type { Connection, Table } from '@lancedb/lancedb';
import { LoreError } from '../../../memory/errors.ts';
import { connect } from '../connection.ts';
import { undoUnfinishedRestore } from '../../backup/unfinished-restore.ts';
import type { Checkpoint } from '../../format/checkpoint.ts';
import { hasLogFiles, logFiles } from '../../wal/log-files.ts';
import { shardsIn } from './layout.ts';
import { tableFolder } from '../../format/manifests.ts';
import type { Quarantine } from '../../files/quarantine.ts';
import { ENTRIES, entriesSchema, FORMAT_VERSION, META, metaSchema } from '../../format/schema.ts';
import { entriesTables } from '../../format/shards.ts';
import { AUXILIARY_TABLES } from '../../tables/auxiliary-tables.ts';
import { asStoreError, refuseFaults } from '../../errors/store-error.ts';
import { syncFolder, FolderSync } from '../../files/sync.ts';
import { tableExists, openReadable } from '../../tables/table-opening.ts';

/**
 * Creates the folder, accessible only to this user. Rejects a path that is not a local folder. Returns the folders with new names, which
 * must be synced. With `create: false` it rejects with `not_found` if there is no store, and creates nothing.
 */
export function makeStoreFolder(storePath: string, { create = true }: { readonly create?: boolean | undefined } = {}): string[] {
  refuseUri(storePath);
  try {
    undoUnfinishedRestore(storePath);
    if (!create) requireStore(storePath);
    const first = mkdirSync(storePath, { recursive: true, mode: 0o700 });
    chmodSync(storePath, 0o700);
    return first === undefined ? [] : parentsOf(path.resolve(first), path.resolve(storePath));
  } catch (cause) {
    if (cause instanceof LoreError) throw cause;
    if (/\b(?:EROFS|ENOSPC|EDQUOT|EMFILE|ENFILE|EIO)\b/.test(String(cause))) asStoreError('open the store')(cause);
    throw new LoreError('filesystem', `The store folder ${storePath} cannot be used.`, {
      cause,
      hint: 'Give this user the rights to it, or set storage.path to another folder.',
    });
  }
}

function requireStore(storePath: string): void {
  if (shardsIn(storePath, {}) !== undefined || tableExists(storePath, META) || hasLogFiles(storePath)) return;
  throw new LoreError('not_found', `There is no store at ${storePath}.`);
}

function refuseUri(storePath: string): void {
  if (!/^[a-z][a-z0-9+]+:\/\//.test(storePath)) return;
  throw new LoreError('config', `storage.path is ${storePath}: this version supports only a store in a folder of this machine.`);
}

/** All folders from the first one down to the parent of the last one. */
function parentsOf(first: string, last: string): string[] {
  const parent = path.dirname(last);
  return last === first || parent === last ? [parent] : [...parentsOf(first, parent), parent];
}

/** A store that is being opened. */
interface OpeningStore {
  readonly connection: Connection;
  readonly path: string;
  readonly synced: boolean;
  /** The checkpoint as it was read. */
  readonly checkpoint: Checkpoint;
  readonly quarantine: Quarantine;
}

/**
 * Quarantines the rest of a store whose creation was interrupted; it never had entries. Otherwise does nothing. The caller has the lock.
 */
export async function clearUnfinishedStore({
  path: storePath,
  checkpoint,
  quarantine,
}: Omit<OpeningStore, 'connection' | 'synced'>): Promise<void> {
  const entries = entriesTables(shardsIn(storePath, {}) ?? 1).filter((name) => tableExists(storePath, name));
  const holdsData = entries.some((name) => hasData(storePath, name));
  if (checkpoint.entries !== undefined || holdsData || logFiles(storePath).length > 0) return;
  // In this order: a process that ends in between must not leave a folder that looks like a store without its entries.
  const tables = [META, ...entries].filter((name) => tableExists(storePath, name));
  if (entries.length === 0 && !isMetaAlone(storePath)) return;
  if (entries.length > 0 && (await areReadable(storePath, tables))) return;
  for (const name of tables) quarantine.move(tableFolder(name));
  quarantine.note({
    message: `A new store without entries could not be read. It is in ${quarantine.place} now, and Lore created another one.`,
    mayLose: false,
  });
}

function hasData(storePath: string, table: string): boolean {
  const folder = path.join(storePath, tableFolder(table), 'data');
  return existsSync(folder) && readdirSync(folder).length > 0;
}

/** Whether the folder contains only what creation writes last: after a power cut, other files may have lost their names. */
function isMetaAlone(storePath: string): boolean {
  return tableExists(storePath, META) && !hasLogFiles(storePath) && !AUXILIARY_TABLES.some((name) => tableExists(storePath, name));
}

async function areReadable(storePath: string, tables: readonly string[]): Promise<boolean> {
  const connection = await connect(storePath);
  try {
    for (const name of tables) if (!(await isReadable(connection, name))) return false;
    return true;
  } finally {
    connection.close();
  }
}

/** Rejects if the system denies reading it. */
async function isReadable(connection: Connection, name: string): Promise<boolean> {
  try {
    const table = await connection.openTable(name);
    await table.listVersions();
    await table.query().toArray();
    table.close();
    return true;
  } catch (error) {
    refuseFaults('open the store')(error);
    return false;
  }
}

/**
 * The entry tables of a store, by shard. Creates this many without indexes if the folder is empty. Rejects with `filesystem` if the
 * folder has something unreadable.
 */
export async function openOrCreate(store: OpeningStore, { width, shards }: NewEntries): Promise<Table[]> {
  const { connection, path: storePath, checkpoint, quarantine } = store;
  const tables: Table[] = [];
  for (const [shard, name] of entriesTables(shardsIn(storePath, checkpoint) ?? shards).entries()) {
    if (tableExists(storePath, name)) {
      const { version: secured, rows: securedRows } = checkpoint.entries?.[shard] ?? {};
      tables.push(await openReadable({ connection, storePath, name, secured, securedRows, quarantine }));
    } else {
      refuseLeftovers(store);
      tables.push(await createEntries(connection, { name, width }));
    }
  }
  return tables;
}

/** Settings for newly created tables. */
export interface NewEntries {
  /** Number of dimensions. */
  readonly width: number;
  readonly shards: number;
}

/** A folder with data but without an entry table is damaged, not new. */
function refuseLeftovers({ path: storePath, checkpoint }: OpeningStore): void {
  if (checkpoint.entries === undefined && !tableExists(storePath, META)) return;
  throw new LoreError('filesystem', `The store in ${storePath} is damaged: the folder of its entries is missing. It was left as it is.`, {
    hint: 'Move the folder aside to start a new store, or restore a backup with `lore backup restore`.',
  });
}

/**
 * Creates the table without indexes; `hasKey`: whether to declare the unique column, default true. Without stable row ids: with them a
 * table silently loses rows from its id index (docs/adr/0010).
 */
export async function createEntries(
  connection: Connection,
  { name = ENTRIES, width, hasKey = true }: { readonly name?: string; readonly width: number; readonly hasKey?: boolean },
): Promise<Table> {
  const table = await connection.createEmptyTable(name, entriesSchema(width)).catch(asStoreError('create the store'));
  if (hasKey) await table.setUnenforcedPrimaryKey('id').catch(asStoreError('create the store'));
  return table;
}

/**
 * Checks the format. The meta table is written last on creation, so a store that has it is complete. A newer format is refused. If the
 * table cannot be read but its contents are known from elsewhere, it is quarantined and written again.
 */
export async function checkFormat(store: OpeningStore): Promise<void> {
  const { connection, path: storePath, checkpoint, quarantine } = store;
  if (!tableExists(storePath, META)) return await createMeta(store);
  const format = await readFormat(connection, storePath).catch(async (error: unknown) => {
    refuseFaults('open the store')(error instanceof LoreError ? error.cause : error);
    if (checkpoint.format !== FORMAT_VERSION || !(error instanceof LoreError) || !DAMAGE.has(error.code)) throw error;
    quarantine.move(tableFolder(META));
    await createMeta(store);
    const message = `The table ${META}, which names the format of the store, could not be read and was written again; the original is in ${quarantine.place}.`;
    quarantine.note({ message, mayLose: false });
    return FORMAT_VERSION;
  });
  if (format !== undefined) refuseNewer(format, storePath);
}

/** Error codes of a file fault, as opposed to a system fault. */
const DAMAGE = new Set(['filesystem', 'internal']);

async function createMeta({ connection, path: storePath, synced }: OpeningStore): Promise<void> {
  // The names of the other folders are synced first: with only this one, a store would look as if its entries were gone.
  if (synced) await syncFolder(storePath).catch(asStoreError('sync the store'));
  await writeMeta(connection, FORMAT_VERSION);
  if (synced) await new FolderSync(path.join(storePath, tableFolder(META))).run().catch(asStoreError('sync the store'));
}

/** Creates the table with the format of the store. Does not sync it. */
export async function writeMeta(connection: Connection, format: number): Promise<void> {
  const table = await connection.createEmptyTable(META, metaSchema()).catch(asStoreError('create the store'));
  const rows = [
    { key: 'format', value: String(format) },
    { key: 'created', value: new Date().toISOString() },
  ];
  await table.add(rows).catch(asStoreError('create the store'));
  table.close();
}

/** The format of a store; undefined if it has none. Rejects with `filesystem` if it cannot be read. */
export async function readFormat(connection: Connection, storePath: string): Promise<number | undefined> {
  const table = await connection.openTable(META).catch((cause: unknown) => {
    refuseFaults('open the store')(cause);
    throw new LoreError('filesystem', `The store in ${storePath} cannot be read; it was left as it is.`, { cause });
  });
  const rows = (await table.query().where("key = 'format'").toArray().catch(asStoreError('read the store'))) as { value?: unknown }[];
  table.close();
  const format = Number(rows[0]?.value);
  return Number.isInteger(format) ? format : undefined;
}

/** Throws `filesystem` for the format of a later Lore. */
export function refuseNewer(format: number, storePath: string): void {
  if (format <= FORMAT_VERSION) return;
  throw new LoreError('filesystem', `The store in ${storePath} has format ${format}; this version of Lore reads up to ${FORMAT_VERSION}.`, {
    hint: 'Install the newer version of Lore again.',
  });
}
