import type { Backup, BackupCheck, BackupOperations, VerifyBackupRequest } from '../../memory/operations/backup-operations.ts';
import { BackupFolder, type StoredBackup } from '../../store/backup/backup-folder.ts';

/** What can be said of the backups in a folder without the store that they are of. */
export class StoredBackups implements Pick<BackupOperations, 'list' | 'verify'> {
  readonly #folder: BackupFolder;

  constructor(folder: string) {
    this.#folder = new BackupFolder(folder);
  }

  async list(): Promise<readonly Backup[]> {
    return (await this.#folder.list()).map(backupOf);
  }

  async verify({ name }: VerifyBackupRequest): Promise<BackupCheck> {
    const stored = await this.#folder.get(name);
    const problems = await this.#folder.problems(stored);
    return { name, whole: problems.length === 0, problems, entries: stored.manifest.entries };
  }
}

/** Epoch milliseconds. */
export const createdAt = ({ manifest }: StoredBackup): number => Date.parse(manifest.createdAt);

/** A backup as requests see it. */
export function backupOf(stored: StoredBackup): Backup {
  const { entries, storedBytes: bytes, compressed, kind } = stored.manifest;
  return { name: stored.name, createdAt: createdAt(stored), entries, bytes, compressed, kind };
}
