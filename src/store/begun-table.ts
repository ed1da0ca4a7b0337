import { readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { asStoreError } from './store-error.ts';

/**
 * Removes the folder of a table that a killed process had only begun to create: it has neither a version nor data, and LanceDB lists it but
 * cannot open it. Only for tables whose rows are also elsewhere until the table is there.
 */
export async function dropBegunTable(storePath: string, name: string): Promise<void> {
  const folder = path.join(storePath, `${name}.lance`);
  const files = await readdir(folder, { recursive: true }).catch(() => undefined);
  if (files === undefined || files.some((file) => /\.(?:manifest|lance)$/.test(file))) return;
  await rm(folder, { recursive: true, force: true }).catch(asStoreError('open the store'));
}
