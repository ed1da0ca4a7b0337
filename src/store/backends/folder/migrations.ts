import { existsSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import type { Connection, Table } from '@lancedb/lancedb';
import type { Log } from '../../../memory/log.ts';
import { copyOfClosed } from '../../backup/backup.ts';
import { BackupFolder } from '../../backup/backup-folder.ts';
import { asciiColumn } from '../../format/columns.ts';
import type { BackupLocation } from '../backup-locations.ts';
import { connect } from '../connection.ts';
import { readFormat, refuseNewer } from './creation.ts';
import { readCheckpoint, writeCheckpoint } from '../../format/checkpoint.ts';
import { createIndexes } from '../../tables/indexes.ts';
import { readLogFiles } from '../../wal/log-files.ts';
import { tableFolder } from '../../format/manifests.ts';
import { ENTRIES, FORMAT_VERSION, META } from '../../format/schema.ts';
import { asStoreError } from '../../errors/store-error.ts';
import { replaceFile, FolderSync } from '../../files/sync.ts';
import { rewindTo } from '../../tables/table-opening.ts';

/** The default location: `backups/<name of the store>` next to the store. */
export function defaultBackupLocation(storePath: string): BackupLocation {
  return { location: path.join(path.dirname(storePath), 'backups', path.basename(storePath)), compress: false, version: 'unknown' };
}

interface Upgrade {
  readonly path: string;
  readonly synced: boolean;
  readonly place: BackupLocation;
  readonly log: Log;
}

/**
 * One step from a format to the next. It may be interrupted anywhere and run again from the start: it begins at the version in `head.json`,
 * and updates that file without its format.
 */
type FormatStep = (store: { readonly path: string; readonly connection: Connection; readonly synced: boolean }) => Promise<void>;

/** By the format that each starts from. */
const STEPS: Readonly<Record<number, FormatStep>> = { 1: indexWhatIsNew };

/** Names the backup made before the steps, so that a process that continues them makes no other. */
const UNDER_WAY = 'upgrade.json';

/**
 * Upgrades a store to the current format: a backup first, then one step after the other. Safe to repeat, even after the process was
 * killed halfway. The caller has the lock and has not opened the store. Rejects with `filesystem` for a newer format, before anything
 * is changed.
 */
export async function upgradeFormat(upgrade: Upgrade, steps = STEPS): Promise<void> {
  if (readCheckpoint(upgrade.path).format === FORMAT_VERSION) return;
  const connection = await connect(upgrade.path);
  try {
    const names = await connection.tableNames().catch(asStoreError('list the tables of the store'));
    if (!names.includes(META) || !names.includes(ENTRIES)) return;
    const format = await readFormat(connection, upgrade.path);
    if (format === undefined) return;
    if (format === FORMAT_VERSION) return await forgetBackup(upgrade.path);
    refuseNewer(format, upgrade.path);
    await run({ ...upgrade, connection, format, steps });
  } finally {
    connection.close();
  }
}

async function run(parts: Upgrade & { connection: Connection; format: number; steps: typeof STEPS }): Promise<void> {
  const { path: storePath, connection, synced, format, steps, log } = parts;
  const backup = await backupOnce(parts);
  for (let from = format; from < FORMAT_VERSION; from += 1) {
    const step = steps[from];
    if (step === undefined) throw new Error(`there is no step from format ${from}`);
    await step({ path: storePath, connection, synced });
    await writeFormat(parts, from + 1);
  }
  // Before the checkpoint: a format there ends the search, and a later upgrade would mistake this backup for its own.
  await forgetBackup(storePath);
  const { entries } = readCheckpoint(storePath);
  if (entries !== undefined) await writeCheckpoint(storePath, { entries, format: FORMAT_VERSION }, { synced });
  log.info({ from: format, to: FORMAT_VERSION, backup }, 'the store was brought to the format of this version');
}

/** Marks a store that was built from another one: the original is kept, so no backup is needed before the upgrade. */
export async function noteBackup(storePath: string, name: string): Promise<void> {
  await replaceFile(path.join(storePath, UNDER_WAY), JSON.stringify({ backup: name }), { synced: false });
}

async function forgetBackup(storePath: string): Promise<void> {
  await rm(path.join(storePath, UNDER_WAY), { force: true }).catch(asStoreError('clean up the store'));
}

/** Name of the backup from before the upgrade. */
async function backupOnce({ path: storePath, connection, place, synced }: Upgrade & { connection: Connection }): Promise<string> {
  const note = path.join(storePath, UNDER_WAY);
  if (existsSync(note)) return (JSON.parse(readFileSync(note, 'utf8')) as { backup: string }).backup;
  const table = await connection.openTable(ENTRIES).catch(asStoreError('open the store'));
  const version = readCheckpoint(storePath).entries?.[0]?.version ?? (await table.version());
  const entries = await countEntries(storePath, table, version);
  table.close();
  const copy = await copyOfClosed(storePath, { entries, version }).catch(asStoreError('copy the store'));
  const { name } = await new BackupFolder(place.location).write(copy, { ...place, kind: 'manual' });
  await replaceFile(note, JSON.stringify({ backup: name }), { synced });
  return name;
}

/** Entries of a closed store: the rows of the table with the changes in the log. */
async function countEntries(storePath: string, table: Table, version: number): Promise<number> {
  const ids = new Set<string>();
  await table.checkout(version);
  for await (const batch of table.query().select(['id'])) for (const id of asciiColumn(batch, 'id')) ids.add(id);
  for (const record of readLogFiles(storePath)) {
    if (record.op === 'put') ids.add(record.row.entry.id);
    else if (record.op === 'remove') ids.delete(record.id);
  }
  return ids.size;
}

async function writeFormat({ path: storePath, connection, synced }: Upgrade & { connection: Connection }, format: number): Promise<void> {
  const table = await connection.openTable(META).catch(asStoreError('open the store'));
  await table.update({ where: "key = 'format'", values: { value: String(format) } }).catch(asStoreError('write the store'));
  table.close();
  if (synced) await new FolderSync(path.join(storePath, `${META}.lance`)).run().catch(asStoreError('sync the store'));
}

/** 1 to 2: indexes on columns that were not searched before. Auxiliary tables are created when they get their first row. */
async function indexWhatIsNew({ path: storePath, connection, synced }: Parameters<FormatStep>[0]): Promise<void> {
  const table = await connection.openTable(ENTRIES).catch(asStoreError('open the store'));
  await rewindTo(table, readCheckpoint(storePath).entries?.[0]?.version);
  await createIndexes(table);
  if (synced) await new FolderSync(path.join(storePath, tableFolder(ENTRIES))).run().catch(asStoreError('sync the store'));
  await writeCheckpoint(storePath, { entries: [{ version: await table.version() }] }, { synced });
  table.close();
}
