import { access, constants, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { LoadedConfig } from '../../config/load.ts';
import type { Inspection, Versions, WrongStoreFile } from '../../inspection.ts';
import { isUri } from '../../memory/store-address.ts';
import type { Finding } from './checkup.ts';
import { byteSize } from '../print/output.ts';

/** As in `engines` of package.json. */
const OLDEST_NODE = [20, 19] as const;
/** Merging writes what it merges a second time. */
const LEAST_FREE_BYTES = 256 * 1024 * 1024;

export function versionFindings({ node }: Pick<Versions, 'node'>): Finding[] {
  const [major = 0, minor = 0] = node.split('.').map(Number);
  const isOld = major < OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor < OLDEST_NODE[1]);
  if (!isOld) return [];
  const needed = OLDEST_NODE.join('.');
  return [{ about: 'version', problem: `Node ${node} is too old: Lore needs ${needed}.`, fix: `Install Node ${needed} or later.` }];
}

/** Free space where the store is or will be; undefined where the system does not say. */
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

/** `storeBytes`: size of the store, where it is known. */
export function diskFindings({ freeBytes }: { freeBytes: number }, storeBytes = 0): Finding[] {
  const needed = Math.max(LEAST_FREE_BYTES, storeBytes);
  if (freeBytes >= needed) return [];
  const problem = `Only ${byteSize(freeBytes)} are free on the disk of the store; keeping it tidy may need ${byteSize(needed)}.`;
  return [{ about: 'disk', problem, fix: 'Free some space, or move the folder and set storage.path to it.' }];
}

/** The files of the local model, where they are missing and nobody will fetch them. */
export function modelFindings({ model }: Pick<Inspection, 'model'>, { embeddings }: LoadedConfig['config']): Finding[] {
  if (model === undefined || model.isThere || embeddings.allowDownload) return [];
  return [
    {
      about: 'embedder',
      problem: `The files of the model ${model.name} are not there, and they may not be downloaded.`,
      fix: `Copy them into ${embeddings.localModelPath}/${model.name} (docs/embeddings.md), or set embeddings.allowDownload, or embeddings.provider to builtin.`,
    },
  ];
}

/** A rename of a namespace that was not finished. One that is under way looks the same. */
export function renameFindings({ rename, holder }: Pick<Inspection, 'rename' | 'holder'>): Finding[] {
  if (rename === undefined) return [];
  const problem = `The namespace ${rename.from} was not renamed to ${rename.to} to the end${holder === undefined ? '' : ', unless that is under way'}.`;
  return [
    { about: 'store', problem, fix: `\`lore namespace rename ${JSON.stringify(rename.from)} ${JSON.stringify(rename.to)}\` goes on.` },
  ];
}

/** What could not be read when the store was opened, and lies aside since. */
export function quarantineFindings({ quarantine = [] }: Pick<Inspection, 'quarantine'>): Finding[] {
  return quarantine.map((folder) => ({
    about: 'store',
    problem: `Files that could not be read when the store was opened are in ${folder}.`,
    fix: 'Nothing uses them. Remove the folder once you do not need them any more; `lore backup list` shows what could be restored.',
  }));
}

/** Files of the store that are not what was written. */
export function fileFindings(files: readonly WrongStoreFile[]): Finding[] {
  return files.map(({ path, kind }) => ({
    about: kind === 'index' ? 'indexes' : 'store',
    problem: `${path} is not what was written.`,
    fix: kind === 'index' ? INDEX_FIX : FILE_FIX,
  }));
}

const INDEX_FIX =
  'Run `lore doctor --verify`: the index is built again from the rows, and nothing is lost. Then look at the health of the disk.';
const FILE_FIX =
  'Stop the server; `lore doctor --repair` puts it back, or takes what can be read of it and names the rest. Then look at the health of the disk.';

/** A folder of backups that cannot be written. One that is not there yet is made with the first. */
export async function backupFolderFindings({ backupFolder }: Pick<Inspection, 'backupFolder'>): Promise<Finding[]> {
  if (backupFolder === undefined || isUri(backupFolder)) return [];
  const code = await access(backupFolder, constants.R_OK | constants.W_OK).then(
    () => undefined,
    (error: unknown) => (error as NodeJS.ErrnoException).code,
  );
  if (code === undefined || code === 'ENOENT') return [];
  const problem = `The folder of the backups, ${backupFolder}, cannot be written (${code}).`;
  return [{ about: 'backups', problem, fix: 'Give this user rights to it, or set storage.backupPath to another folder.' }];
}
