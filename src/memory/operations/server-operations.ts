import type { SettingOperations } from './administration.ts';
import type { BackupOperations } from './backup-operations.ts';
import type { KeyOperations } from './key-operations.ts';

/** What is done to the server and the whole store, not to single memories. */
export interface ServerOperations {
  readonly backups: BackupOperations;
  readonly keys: KeyOperations;
  readonly settings: SettingOperations;
}
