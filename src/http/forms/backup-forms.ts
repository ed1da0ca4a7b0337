/** Backups as both response forms print them. */
import { z } from 'zod';
import type { Backup, BackupCheck } from '../../memory/operations/backup-operations.ts';
import { Timestamp } from './shared-schemas.ts';

export const BACKUP_ANSWERS = ['backup', 'backups', 'backupCheck'] as const;

const count = z.int().min(0);
const BackupSchema = z
  .object({
    name: z.string().meta({ description: 'The instant it shows.' }),
    createdAt: Timestamp,
    entries: count,
    bytes: count.meta({ description: 'On disk; with what it shares with other backups and with the store.' }),
    compressed: z.boolean(),
    kind: z.enum(['scheduled', 'manual']).meta({ description: '`manual` ones are never removed by age.' }),
  })
  .meta({ id: 'Backup' });

export const backupSchemas = {
  backup: z.object({ backup: BackupSchema }),
  backups: z.object({ count, backups: z.array(BackupSchema).meta({ description: 'Newest first.' }) }),
  backupCheck: z.object({
    name: z.string(),
    whole: z.boolean(),
    problems: z.array(z.string()).meta({ description: 'What is missing or damaged; empty where it is whole.' }),
    entries: count,
  }),
};

type Forms = { readonly [A in keyof typeof backupSchemas]: z.output<(typeof backupSchemas)[A]> };

function backupForm(backup: Backup): z.output<typeof BackupSchema> {
  return { ...backup, createdAt: new Date(backup.createdAt).toISOString() };
}

export const backupForms = {
  backup: (backup: Backup): Forms['backup'] => ({ backup: backupForm(backup) }),
  backups: (backups: readonly Backup[]): Forms['backups'] => ({ count: backups.length, backups: backups.map(backupForm) }),
  backupCheck: (check: BackupCheck): Forms['backupCheck'] => ({ ...check, problems: [...check.problems] }),
};
