import type { Backup, BackupCheck, BackupOperations, VerifyBackupRequest } from '../../memory/operations/backup-operations.ts';
import type { StoredBackup } from '../../store/backup/backup-manifest.ts';
import type { BackupStorage } from '../../store/backup/backup-storage.ts';

/** Access to backups without opening their store. */
export class StoredBackups implements Pick<BackupOperations, 'list' | 'verify'> {
  readonly #storage: BackupStorage;

  constructor(storage: BackupStorage) {
    this.#storage = storage;
  }

  async list(): Promise<readonly Backup[]> {
    return (await this.#storage.list()).map(asBackup);
  }

  async verify({ name }: VerifyBackupRequest): Promise<BackupCheck> {
    const stored = await this.#storage.get(name);
    const problems = await this.#storage.problems(stored);
    return { name, whole: problems.length === 0, problems, entries: stored.manifest.entries };
  }
}

/** Epoch milliseconds. */
export const createdAt = ({ manifest }: StoredBackup): number => Date.parse(manifest.createdAt);

/** A backup as shown in responses. */
export function asBackup(stored: StoredBackup): Backup {
  const { entries, storedBytes: bytes, compressed, kind } = stored.manifest;
  return { name: stored.name, createdAt: createdAt(stored), entries, bytes, compressed, kind };
}
