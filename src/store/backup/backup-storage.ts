import type { BackupFile, BackupManifest, StoredBackup } from './backup-manifest.ts';
import { DAY_MS } from '../../memory/durations.ts';

/** The only file of a backup that is an export. */
export const EXPORT_FILE = 'export.jsonl';

/** Age from which an unfinished backup counts as abandoned; before that, another server may still be writing it. */
export const ABANDONED_AFTER_MS = DAY_MS;

/** A store as text, from which a new store can be made at any location. */
export interface ExportCopy {
  /** Start time, epoch milliseconds: the export has every change acknowledged before it. */
  readonly takenAt: number;
  /** Number of entries; known once the text was read to its end. */
  readonly entries: number;
  /** Can be read once. */
  text(): AsyncIterable<string>;
}

export interface ExportBackupRequest {
  readonly kind: BackupManifest['kind'];
  /** Version of Lore. */
  readonly version: string;
}

/** A location of backups. */
export interface BackupStorage {
  /** Complete backups, newest first, at most this many. Rejects with `unavailable` if that is unknown. */
  list(most?: number): Promise<StoredBackup[]>;
  /** Rejects with `not_found`, also for an invalid name; with `filesystem` if its manifest cannot be read. */
  get(name: string): Promise<StoredBackup>;
  /** When this resolves the backup is complete; if it rejects, none is listed. */
  writeExport(copy: ExportCopy, order: ExportBackupRequest): Promise<StoredBackup>;
  /** Missing or damaged parts, as sentences. Reads every byte. Rejects with `unavailable` if the storage cannot be read. */
  problems(backup: StoredBackup): Promise<string[]>;
  /** The contents of one of its files, as a stream. */
  read(backup: StoredBackup, file: BackupFile): AsyncIterable<Uint8Array>;
  remove(name: string): Promise<void>;
}

/** The file of a backup that is an export; undefined for a backup of files. */
export function exportIn({ manifest }: StoredBackup): BackupFile | undefined {
  return manifest.files.find(({ path }) => path === EXPORT_FILE);
}
