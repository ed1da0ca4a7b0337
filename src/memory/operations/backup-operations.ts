/** Requests and results for backups. */
import { z } from 'zod';
import type { Result } from '../result.ts';
import { Time } from '../timestamp.ts';
import type { CallOptions } from './operations.ts';

export const BackupRequest = z.strictObject({}).meta({ id: 'BackupRequest' });

export const VerifyBackupRequest = z
  .strictObject({
    name: z
      .string()
      .regex(/^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.\d{3}Z$/, 'must be the name of a backup, such as 2026-01-31T12-00-00.000Z')
      .meta({ description: 'Name of a backup.', examples: ['2026-01-31T12-00-00.000Z'] }),
  })
  .meta({ id: 'VerifyBackupRequest' });
export type VerifyBackupRequest = z.output<typeof VerifyBackupRequest>;

const count = z.int().min(0);

export const Backup = z
  .object({
    name: z.string().meta({ description: 'The time of the backup.' }),
    createdAt: Time,
    entries: count,
    bytes: count.meta({ description: 'Size of what is stored; on a disk including files shared with other backups and with the store.' }),
    compressed: z.boolean(),
    kind: z.enum(['scheduled', 'manual']).meta({ description: '`manual` backups are never removed by age.' }),
  })
  .meta({ id: 'Backup' });
export type Backup = Result<typeof Backup>;

export const BackupCheck = z.object({
  name: z.string(),
  whole: z.boolean(),
  problems: z.array(z.string()).meta({ description: 'Missing or damaged files; empty if the backup is whole.' }),
  entries: count,
});
export type BackupCheck = Result<typeof BackupCheck>;

/** All methods reject with LoreError; an unknown name is `not_found`. Restoring is a command: the store must be closed. */
export interface BackupOperations {
  create(options?: CallOptions): Promise<Backup>;
  /** Newest first. */
  list(options?: CallOptions): Promise<readonly Backup[]>;
  verify(request: VerifyBackupRequest, options?: CallOptions): Promise<BackupCheck>;
}
