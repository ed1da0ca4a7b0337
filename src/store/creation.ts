import { chmodSync, existsSync, mkdirSync, readdirSync } from 'node:fs';
import path from 'node:path';
import type { Connection, Table } from '@lancedb/lancedb';
import { LoreError } from '../memory/errors.ts';
import { undoHalfRestore } from './half-restore.ts';
import { createIndexes } from './indexes.ts';
import { ENTRIES, entriesSchema, FORMAT_VERSION, META, metaSchema } from './schema.ts';
import { asStoreError } from './store-error.ts';

/** Creates the folder for this user alone. Rejects what is no folder of this machine. */
export function makeStoreFolder(storePath: string): void {
  if (/^[a-z][a-z0-9+]+:\/\//.test(storePath)) {
    throw new LoreError('config', `storage.path is ${storePath}: this version keeps its store in a folder of this machine.`);
  }
  try {
    undoHalfRestore(storePath);
    mkdirSync(storePath, { recursive: true, mode: 0o700 });
    chmodSync(storePath, 0o700);
  } catch (cause) {
    throw new LoreError('filesystem', `The store folder ${storePath} cannot be used.`, {
      cause,
      hint: 'Give this user the rights to it, or set storage.path to another folder.',
    });
  }
}

/**
 * The `entries` table of a store, created where the folder holds nothing. Rejects with `filesystem` where it holds something that cannot
 * be read.
 */
export async function openOrCreate(connection: Connection, storePath: string, width: number): Promise<Table> {
  const names = await connection.tableNames().catch(asStoreError('list the tables of the store'));
  if (!names.includes(ENTRIES)) {
    refuseLeftovers(storePath, names);
    return await createEntries(connection, width);
  }
  const table = await connection.openTable(ENTRIES).catch((cause: unknown) => {
    throw new LoreError('filesystem', `The store in ${storePath} cannot be read; it was left as it is.`, {
      cause,
      hint: 'Move the folder aside to start a new store, or restore a backup into it.',
    });
  });
  // A process that died while it created the store may have left an index out.
  await createIndexes(table);
  return table;
}

/** A folder with data but no readable table is damaged, not new. */
function refuseLeftovers(storePath: string, names: readonly string[]): void {
  const folder = path.join(storePath, `${ENTRIES}.lance`);
  const leftover = existsSync(folder) && readdirSync(folder, { recursive: true }).length > 0;
  if (!leftover && !names.includes(META)) return;
  throw new LoreError('filesystem', `The store in ${storePath} is damaged: its entries cannot be read. It was left as it is.`, {
    hint: 'Move the folder aside to start a new store, or restore a backup into it.',
  });
}

/** Without stable row ids: with them a table silently loses rows from its id index (docs/adr/0010). */
async function createEntries(connection: Connection, width: number): Promise<Table> {
  const table = await connection.createEmptyTable(ENTRIES, entriesSchema(width)).catch(asStoreError('create the store'));
  await table.setUnenforcedPrimaryKey('id').catch(asStoreError('create the store'));
  await createIndexes(table);
  return table;
}

/** Written last on creation, so a store that has it is whole. A newer format is refused rather than guessed at. */
export async function checkFormat(connection: Connection, storePath: string): Promise<void> {
  const names = await connection.tableNames();
  if (!names.includes(META)) {
    const table = await connection.createEmptyTable(META, metaSchema()).catch(asStoreError('create the store'));
    const rows = [
      { key: 'format', value: String(FORMAT_VERSION) },
      { key: 'created', value: new Date().toISOString() },
    ];
    await table.add(rows).catch(asStoreError('create the store'));
    table.close();
    return;
  }
  const format = await readFormat(connection, storePath);
  if (format !== undefined) refuseNewer(format, storePath);
}

/** The format that a store says it is of; undefined where it does not. Rejects with `filesystem` where that cannot be read. */
export async function readFormat(connection: Connection, storePath: string): Promise<number | undefined> {
  const table = await connection.openTable(META).catch((cause: unknown) => {
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
