/** Backups of the whole store. A restore needs the store to be closed, so only the command line does it. */
import { z } from 'zod';
import { Backup, BackupCheck, BackupRequest, VerifyBackupRequest, type BackupOperations } from '../memory/operations/backup-operations.ts';
import { NoRequest, type Definitions } from './operation.ts';

const common = {
  reaches: { everything: true, why: 'Backups need a key with full access to every namespace.' },
  conflict: 'The store is not in a folder of this machine and `storage.backupPath` is not set, so it has no backups',
  audited: 'administer',
} as const;
const entriesOf = (_request: unknown, backup: Pick<Backup, 'entries'> | undefined) => ({ count: backup?.entries });

export const backups = {
  list: {
    ...common,
    route: 'GET /api/backups',
    id: 'backups',
    summary: 'List backups',
    answer: 'Newest first.',
    request: NoRequest,
    result: z.array(Backup).meta({ description: 'Newest first.' }),
    as: 'backups',
    counts: 'backups',
    access: 'read',
  },
  create: {
    ...common,
    route: 'POST /api/backups',
    id: 'backup',
    summary: 'Back up the store now',
    answer: 'The backup, complete and stored safely.',
    request: BackupRequest,
    result: Backup,
    as: 'backup',
    access: 'write',
    repeatable: true,
    unlimited: true,
    notes: entriesOf,
  },
  verify: {
    ...common,
    route: 'POST /api/backups/verify',
    id: 'backupCheck',
    summary: 'Verify a backup',
    answer: 'The result. Reads every byte of the backup.',
    request: VerifyBackupRequest,
    result: BackupCheck,
    access: 'read',
    unlimited: true,
    problems: ['404'],
    notes: entriesOf,
  },
} as const satisfies Definitions<BackupOperations>;
