import { readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { asStoreError } from '../errors/store-error.ts';
import { replaceFile } from './sync.ts';

const FILE = 'rename.json';

/** A namespace that is being renamed. */
export interface UnfinishedRename {
  readonly from: string;
  readonly to: string;
}

/** The unfinished rename, if any. */
export async function readUnfinishedRename(storePath: string): Promise<UnfinishedRename | undefined> {
  try {
    const { from, to } = JSON.parse(await readFile(path.join(storePath, FILE), 'utf8')) as Partial<UnfinishedRename>;
    return typeof from === 'string' && typeof to === 'string' ? { from, to } : undefined;
  } catch {
    return undefined;
  }
}

/** Records a running rename, so that it can continue if the process dies. */
export async function keepUnfinishedRename(storePath: string, rename: UnfinishedRename): Promise<void> {
  await replaceFile(path.join(storePath, FILE), `${JSON.stringify(rename)}\n`, { synced: true }).catch(asStoreError('write the store'));
}

/** Removes the record of a finished rename. Safe to repeat. */
export async function dropUnfinishedRename(storePath: string): Promise<void> {
  await rm(path.join(storePath, FILE), { force: true }).catch(asStoreError('write the store'));
}
