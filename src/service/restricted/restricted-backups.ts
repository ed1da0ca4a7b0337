import type { Backup, BackupCheck, BackupOperations } from '../../memory/operations/backup-operations.ts';
import { LoreError } from '../../memory/errors.ts';

/** A backup is of every namespace: a key that may not read and change all of them is refused. */
export class NoBackups implements BackupOperations {
  create(): Promise<Backup> {
    return refuse();
  }

  list(): Promise<readonly Backup[]> {
    return refuse();
  }

  verify(): Promise<BackupCheck> {
    return refuse();
  }
}

function refuse(): Promise<never> {
  return Promise.reject(new LoreError('forbidden', 'Backups need a key with full access to every namespace.'));
}
