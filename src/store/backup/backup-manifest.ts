import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { LoreError } from '../../memory/errors.ts';

/** Incremented if an earlier Lore could no longer read the format. */
const FORMAT = 1;
const FILE = 'backup.json';

/** Names of backups: their time as a file name; nothing else is named like this. */
const NAME = /^(\d{4}-\d\d-\d\dT\d\d)-(\d\d)-(\d\d\.\d{3}Z)$/;

export const isBackupName = (name: string): boolean => NAME.test(name);
export const backupName = (epochMs: number): string => new Date(epochMs).toISOString().replaceAll(':', '-');
/** The time of a backup name, epoch milliseconds. */
export const shownBy = (name: string): number => Date.parse(name.replace(NAME, '$1:$2:$3'));

/** One file of a backup. */
export interface BackupFile {
  /** Path relative to the store folder, with `/`; a compressed backup adds `.gz`. */
  readonly path: string;
  /** Uncompressed size. */
  readonly bytes: number;
  readonly sha256: string;
}

/** The manifest of a backup, written as its last file. */
export interface BackupManifest {
  readonly format: number;
  /** Version of Lore that wrote it. */
  readonly lore: string;
  /** ISO 8601, UTC. */
  readonly createdAt: string;
  readonly kind: 'scheduled' | 'manual';
  readonly compressed: boolean;
  readonly entries: number;
  /** Size on disk, including files shared by hard links. */
  readonly storedBytes: number;
  readonly files: readonly BackupFile[];
}

/** Marks a full backup among incremental ones. */
export interface StoredBackup {
  readonly name: string;
  readonly manifest: BackupManifest;
}

export const newManifest = (facts: Omit<BackupManifest, 'format'>): BackupManifest => ({ format: FORMAT, ...facts });

/** The path of the manifest of a backup folder. */
export const manifestFile = (folder: string): string => path.join(folder, FILE);

/** The manifest of a backup folder; undefined if the backup is incomplete; a text if it cannot be read, with the reason. */
export async function readManifest(folder: string): Promise<BackupManifest | string | undefined> {
  const text = await readFile(manifestFile(folder), 'utf8').catch(() => undefined);
  return text === undefined ? undefined : parseManifest(text);
}

/** The manifest in this text, or the reason why it is invalid. */
export function parseManifest(text: string): BackupManifest | string {
  try {
    const value = JSON.parse(text) as BackupManifest;
    if (value.format > FORMAT) return `it has format ${value.format}, and this version of Lore reads format ${FORMAT}`;
    return isWhole(value) ? value : `${FILE} is damaged`;
  } catch {
    return `${FILE} is damaged`;
  }
}

/** The backup of this name; throws `not_found` if there is none, `filesystem` if its manifest cannot be read. */
export function backupOf(name: string, manifest: BackupManifest | string | undefined): StoredBackup {
  if (manifest === undefined) {
    throw new LoreError('not_found', `There is no backup ${JSON.stringify(name.slice(0, 100))}.`, {
      hint: '`lore backup list` lists them.',
    });
  }
  if (typeof manifest === 'string') throw new LoreError('filesystem', `The backup ${name} cannot be read: ${manifest}.`);
  return { name, manifest };
}

function isWhole({ createdAt, entries, storedBytes, files }: Partial<BackupManifest>): boolean {
  const numbers = [entries, storedBytes].every((number) => Number.isSafeInteger(number));
  return numbers && Number.isFinite(Date.parse(createdAt ?? '')) && Array.isArray(files) && files.every(isFile);
}

/** Anyone may have written into the folder: a path must not lead out of it. */
function isFile({ path: place, bytes, sha256 }: Partial<BackupFile>): boolean {
  if (typeof place !== 'string' || typeof sha256 !== 'string' || !Number.isSafeInteger(bytes)) return false;
  return place.split('/').every((part) => part !== '' && part !== '.' && part !== '..' && !/[\\:\0]/.test(part));
}
