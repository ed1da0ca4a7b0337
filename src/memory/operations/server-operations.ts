import type { SettingOperations } from './administration.ts';
import type { BackupOperations } from './backup-operations.ts';
import type { KeyOperations } from './key-operations.ts';

/** Operations on the server and the whole store, not on single memories. */
export interface ServerOperations {
  readonly backups: BackupOperations;
  readonly keys: KeyOperations;
  readonly settings: SettingOperations;
}
