import { existsSync, readdirSync } from 'node:fs';
import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { linkOrCopy } from '../backup/backup-file.ts';
import type { BackupFolder } from '../backup/backup-folder.ts';
import { asStoreError } from '../errors/store-error.ts';
import { FolderSync } from '../files/sync.ts';
import { correctWrongByte } from '../files/wrong-byte.ts';
import { pathInStore, type KnownFile } from './file-check.ts';

/** A restored file. */
export interface RestoredFile {
  /** Below the store. */
  readonly path: string;
  /** `backup`: copied; `checksum`: one wrong byte, located by its checksum. */
  readonly way: 'backup' | 'checksum';
  /** Name of the backup. */
  readonly from?: string;
}

interface FilesToRestore {
  readonly storePath: string;
  /** A new folder on the disk of the store. */
  readonly target: string;
  readonly wrong: readonly KnownFile[];
  readonly backups: Pick<BackupFolder, 'takeOut'>;
}

/** Files of the process that has the store open, and temporary files. */
const LEFT = /^(?:lore\.lock.*|staging|quarantine|contexts|ballast.*|optimizing\.json|words\.txt.*)$/;
const TABLE = /\.lance$|^__manifest$/;

/**
 * Builds a copy of a store with the altered files restored, from a backup or by correcting one wrong byte. Table files are hard links,
 * because they never change. Builds nothing if no file can be restored. Leaves the store unchanged. Returns the restored files.
 */
export async function restoreFiles({ storePath, target, wrong, backups }: FilesToRestore): Promise<RestoredFile[]> {
  const done: RestoredFile[] = [];
  try {
    for (const known of wrong) {
      const place = pathInStore(known);
      const to = path.join(target, place);
      await mkdir(path.dirname(to), { recursive: true, mode: 0o700 });
      const from = await backups.takeOut({ path: place, sum: known.sum }, to);
      if (from !== undefined) done.push({ path: place, way: 'backup', from });
      else if (await computeBack(path.join(storePath, place), to, known)) done.push({ path: place, way: 'checksum' });
      else await rm(to, { force: true });
    }
    if (done.length === 0) await rm(target, { recursive: true, force: true });
    else await fill(storePath, target);
    return done;
  } catch (error) {
    return asStoreError('write the repaired store')(error);
  }
}

async function computeBack(file: string, to: string, { sum }: KnownFile): Promise<boolean> {
  const bytes = existsSync(file) ? await readFile(file) : undefined;
  const right = bytes && correctWrongByte(bytes, sum);
  if (right !== undefined) await writeFile(to, right, { mode: 0o600 });
  return right !== undefined;
}

/** All other files of the store. */
async function fill(storePath: string, target: string): Promise<void> {
  for (const name of readdirSync(storePath).filter((entry) => !LEFT.test(entry))) {
    if (!TABLE.test(name)) {
      await cp(path.join(storePath, name), path.join(target, name), { recursive: true });
      continue;
    }
    for (const entry of await readdir(path.join(storePath, name), { recursive: true, withFileTypes: true })) {
      const from = path.join(entry.parentPath, entry.name);
      const to = path.join(target, path.relative(storePath, from));
      if (entry.isDirectory()) await mkdir(to, { recursive: true, mode: 0o700 });
      else if (!existsSync(to)) {
        await mkdir(path.dirname(to), { recursive: true, mode: 0o700 });
        await linkOrCopy(from, to);
      }
    }
  }
  await new FolderSync(target).run();
}
