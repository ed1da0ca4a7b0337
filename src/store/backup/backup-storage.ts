import type { BackupFile, BackupManifest, StoredBackup } from './backup-manifest.ts';

/** The one file of a backup that is an export. */
export const EXPORT_FILE = 'export.jsonl';

/** What many servers may write is taken for abandoned after this time, and not before: another one may be at it. */
export const ABANDONED_AFTER_MS = 86_400_000;

/** A store as text, of which another store can be made wherever that lies. */
export interface ExportCopy {
  /** When it was begun, epoch milliseconds: it has all that was acknowledged before. */
  readonly takenAt: number;
  /** In the text; known once that was read to its end. */
  readonly entries: number;
  /** To be read once. */
  text(): AsyncIterable<string>;
}

export interface ExportOrder {
  readonly kind: BackupManifest['kind'];
  /** Version of Lore. */
  readonly version: string;
}

/** Where backups are. */
export interface BackupStorage {
  /** Those that are whole, newest first, at most so many. Rejects with `unavailable` where nobody can tell. */
  list(most?: number): Promise<StoredBackup[]>;
  /** Rejects with `not_found`, also for what could be no name; with `filesystem` where its manifest cannot be read. */
  get(name: string): Promise<StoredBackup>;
  /** It is there whole once this resolves; where it rejects nothing of it is listed. */
  writeExport(copy: ExportCopy, order: ExportOrder): Promise<StoredBackup>;
  /** What is missing or damaged, in plain words. Reads every byte. Rejects with `unavailable` where nobody can tell. */
  problems(backup: StoredBackup): Promise<string[]>;
  /** What a file of it holds, from its beginning. */
  read(backup: StoredBackup, file: BackupFile): AsyncIterable<Uint8Array>;
  remove(name: string): Promise<void>;
}

/** The file of a backup that is an export; undefined for one of the files of a store. */
export function exportIn({ manifest }: StoredBackup): BackupFile | undefined {
  return manifest.files.find(({ path }) => path === EXPORT_FILE);
}
