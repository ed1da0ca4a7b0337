import type { Backup, BackupCheck, BackupOperations } from '../memory/backup-operations.ts';
import { BackupFolder, type StoredBackup } from '../store/backup-folder.ts';

/** What can be said of the backups in a folder without the store that they are of. */
export class StoredBackups implements Pick<BackupOperations, 'list' | 'verify'> {
  readonly #folder: BackupFolder;

  constructor(folder: BackupFolder | string) {
    this.#folder = typeof folder === 'string' ? new BackupFolder(folder) : folder;
  }

  async list(): Promise<readonly Backup[]> {
    return (await this.#folder.list()).map(backupOf);
  }

  async verify(name: string): Promise<BackupCheck> {
    const stored = await this.#folder.get(name);
    const problems = await this.#folder.problems(stored);
    return { name, whole: problems.length === 0, problems, entries: stored.manifest.entries };
  }
}

/** A backup as requests see it. */
export function backupOf(stored: StoredBackup): Backup {
  const { entries, storedBytes: bytes, compressed, kind } = stored.manifest;
  return { name: stored.name, createdAt: Date.parse(stored.manifest.createdAt), entries, bytes, compressed, kind };
}
