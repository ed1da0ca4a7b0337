/** Requests and results for backups. */
import { z } from 'zod';
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

export interface Backup {
  /** The time of the backup, as a file name. */
  readonly name: string;
  /** Epoch milliseconds. */
  readonly createdAt: number;
  readonly entries: number;
  /** Size on disk. */
  readonly bytes: number;
  readonly compressed: boolean;
  /** `manual` backups are never removed by age. */
  readonly kind: 'scheduled' | 'manual';
}

export interface BackupCheck {
  readonly name: string;
  readonly whole: boolean;
  /** What is missing or damaged, one sentence each; empty if it is whole. */
  readonly problems: readonly string[];
  readonly entries: number;
}

/** All methods reject with LoreError; an unknown name is `not_found`. Restoring is a command: the store must be closed. */
export interface BackupOperations {
  create(options?: CallOptions): Promise<Backup>;
  /** Newest first. */
  list(options?: CallOptions): Promise<readonly Backup[]>;
  verify(request: VerifyBackupRequest, options?: CallOptions): Promise<BackupCheck>;
}
