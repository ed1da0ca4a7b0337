import { readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { tableFolder } from '../format/manifests.ts';
import type { Quarantine } from '../files/quarantine.ts';
import { asStoreError } from '../errors/store-error.ts';
import { tableExists } from './table-opening.ts';

/**
 * Removes the folder of a table whose creation was interrupted: it has no version and no data, and LanceDB lists it but cannot open it.
 * Only for tables whose rows are still in the log.
 */
export async function dropUnfinishedTable(storePath: string, name: string): Promise<void> {
  const folder = path.join(storePath, tableFolder(name));
  if (await isEmpty(folder)) await rm(folder, { recursive: true, force: true }).catch(asStoreError('open the store'));
}

/** Reports that a durable table is missing. The rest of its folder goes to quarantine. */
export async function reportMissingTable(storePath: string, { name, quarantine }: { name: string; quarantine: Quarantine }): Promise<void> {
  const isLeft = tableExists(storePath, name);
  if (isLeft && !(await isEmpty(path.join(storePath, tableFolder(name))))) return;
  if (isLeft) quarantine.move(tableFolder(name));
  quarantine.note({ message: `The table ${name} is missing, with all its data. Lore created an empty one.`, mayLose: true });
}

/** Whether the folder of a table is there and has neither a version nor data. */
async function isEmpty(folder: string): Promise<boolean> {
  const files = await readdir(folder, { recursive: true }).catch(() => undefined);
  return files !== undefined && !files.some((file) => /\.(?:manifest|lance)$/.test(file));
}
