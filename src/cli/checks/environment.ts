import { access, constants, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { LoadedConfig } from '../../config/load.ts';
import type { Inspection, Versions, WrongStoreFile } from '../../inspect-store.ts';
import { isUri } from '../../memory/store-address.ts';
import type { Finding } from './checkup.ts';
import { byteSize } from '../print/output.ts';

/** As in `engines` of package.json. */
const OLDEST_NODE = [20, 19] as const;
/** A merge needs as much space again as the data that it merges. */
const LEAST_FREE_BYTES = 256 * 1024 * 1024;

export function versionFindings({ node }: Pick<Versions, 'node'>): Finding[] {
  const [major = 0, minor = 0] = node.split('.').map(Number);
  const isOld = major < OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor < OLDEST_NODE[1]);
  if (!isOld) return [];
  const needed = OLDEST_NODE.join('.');
  return [{ about: 'version', problem: `Node ${node} is too old: Lore needs ${needed}.`, fix: `Install Node ${needed} or later.` }];
}

/** Free disk space for the store; undefined if the system does not report it. */
export async function freeSpace(storePath: string): Promise<{ freeBytes: number } | undefined> {
  for (let folder = storePath; ; folder = dirname(folder)) {
    try {
      const { bavail, bsize } = await statfs(folder);
      return { freeBytes: bavail * bsize };
    } catch {
      if (dirname(folder) === folder) return undefined;
    }
  }
}

/** Findings about free disk space. `storeBytes`: size of the store, if known. */
export function diskFindings({ freeBytes }: { freeBytes: number }, storeBytes = 0): Finding[] {
  const needed = Math.max(LEAST_FREE_BYTES, storeBytes);
  if (freeBytes >= needed) return [];
  const problem = `Only ${byteSize(freeBytes)} are free on the disk of the store; maintenance may need ${byteSize(needed)}.`;
  return [{ about: 'disk', problem, fix: 'Free some space, or move the folder and set storage.path to it.' }];
}

/** A finding if the files of the local model are missing and downloads are off. */
export function modelFindings({ model }: Pick<Inspection, 'model'>, { embeddings }: LoadedConfig['config']): Finding[] {
  if (model === undefined || model.isThere || embeddings.allowDownload) return [];
  return [
    {
      about: 'embedder',
      problem: `The files of the model ${model.name} are missing, and downloads are turned off.`,
      fix: `Copy them into ${embeddings.localModelPath}/${model.name} (docs/embeddings.md), or set embeddings.allowDownload, or embeddings.provider to builtin.`,
    },
  ];
}

/** A finding for an unfinished rename of a namespace. A running one looks the same. */
export function renameFindings({ rename, holder }: Pick<Inspection, 'rename' | 'holder'>): Finding[] {
  if (rename === undefined) return [];
  const problem = `The rename of the namespace ${rename.from} to ${rename.to} is not complete${holder === undefined ? '' : ', unless it is running now'}.`;
  return [
    { about: 'store', problem, fix: `\`lore namespace rename ${JSON.stringify(rename.from)} ${JSON.stringify(rename.to)}\` continues it.` },
  ];
}

/** Findings for files in quarantine, which could not be read when the store was opened. */
export function quarantineFindings({ quarantine = [] }: Pick<Inspection, 'quarantine'>): Finding[] {
  return quarantine.map((folder) => ({
    about: 'store',
    problem: `Files that could not be read when the store was opened are in ${folder}.`,
    fix: 'Nothing uses them. Remove the folder when you no longer need them; `lore backup list` shows the backups you can restore.',
  }));
}

/** Findings for altered files of the store. */
export function fileFindings(files: readonly WrongStoreFile[]): Finding[] {
  return files.map(({ path, kind }) => ({
    about: kind === 'index' ? 'indexes' : 'store',
    problem: `${path} was altered.`,
    fix: kind === 'index' ? INDEX_FIX : FILE_FIX,
  }));
}

const INDEX_FIX = 'Run `lore doctor --verify`: it rebuilds the index from the rows, and nothing is lost. Then check the disk.';
const FILE_FIX =
  'Stop the server; `lore doctor --repair` restores the file, or its readable rows, and names the rest. Then check the disk.';

/** A finding if the backup folder cannot be written. A missing one is created with the first backup. */
export async function backupFolderFindings({ backupFolder }: Pick<Inspection, 'backupFolder'>): Promise<Finding[]> {
  if (backupFolder === undefined || isUri(backupFolder)) return [];
  const code = await access(backupFolder, constants.R_OK | constants.W_OK).then(
    () => undefined,
    (error: unknown) => (error as NodeJS.ErrnoException).code,
  );
  if (code === undefined || code === 'ENOENT') return [];
  const problem = `The backup folder ${backupFolder} cannot be written (${code}).`;
  return [{ about: 'backups', problem, fix: 'Give this user write access to it, or set storage.backupPath to another folder.' }];
}
