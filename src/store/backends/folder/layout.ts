/** The number of entry tables of a store in a folder, and the tables left from an earlier number. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import type { Checkpoint } from '../../format/checkpoint.ts';
import { tableFolder } from '../../format/manifests.ts';
import { entriesTables, shardsOf } from '../../format/shards.ts';
import { asStoreError } from '../../errors/store-error.ts';
import { replaceFile } from '../../files/sync.ts';
import { tableExists } from '../../tables/table-opening.ts';

/** Marks entry tables as unused: those that are being filled, or those that were replaced. */
const LAYOUT_FILE = 'layout.json';

/**
 * Number of shards of a store; undefined if it has no tables. Read from the checkpoint, or else from the folders; a missing table is then
 * detected when it is opened.
 */
export function shardsIn(storePath: string, { entries }: Checkpoint): number | undefined {
  if (entries !== undefined) return entries.length;
  const outdated = outdatedShards(storePath);
  const found = [...new Set(entriesFolders(storePath).map(({ shards }) => shards))].filter((shards) => shards !== outdated);
  const whole = found.filter((shards) => entriesTables(shards).every((name) => tableExists(storePath, name)));
  return Math.max(...(whole.length > 0 ? whole : found), 0) || undefined;
}

/** Marks the tables of this number of shards as unused, before they are filled or after others replaced them. */
export async function markOutdated(storePath: string, shards: number, { synced }: { readonly synced: boolean }): Promise<void> {
  await replaceFile(path.join(storePath, LAYOUT_FILE), JSON.stringify({ outdated: shards }), { synced }).catch(
    asStoreError('write the store'),
  );
}

/** Removes entry tables of other numbers of shards. */
export async function dropOutdated(storePath: string, shards: number): Promise<void> {
  try {
    for (const { name } of entriesFolders(storePath).filter((folder) => folder.shards !== shards)) {
      await rm(path.join(storePath, tableFolder(name)), { recursive: true, force: true });
    }
    await rm(path.join(storePath, LAYOUT_FILE), { force: true });
  } catch (error) {
    asStoreError('remove tables that are not used any more')(error);
  }
}

interface EntriesFolder {
  /** Path of the table. */
  readonly name: string;
  readonly shards: number;
}

function entriesFolders(storePath: string): EntriesFolder[] {
  if (!existsSync(storePath)) return [];
  return readdirSync(storePath).flatMap((folder): EntriesFolder[] => {
    const name = path.basename(folder, tableFolder(''));
    const shards = shardsOf(name);
    return shards !== undefined && folder === tableFolder(name) ? [{ name, shards }] : [];
  });
}

function outdatedShards(storePath: string): number | undefined {
  try {
    return (JSON.parse(readFileSync(path.join(storePath, LAYOUT_FILE), 'utf8')) as { outdated?: number }).outdated;
  } catch {
    return undefined;
  }
}
