/** Copies of the whole store. */
import type { ZodOpenApiPathsObject } from 'zod-openapi';
import { BackupRequest, VerifyBackupRequest } from '../../memory/backup-operations.ts';
import { answers, FormQuery, gets, posts, repeatable, WITH_BODY } from './answers.ts';

export const backupsPaths: ZodOpenApiPathsObject = {
  '/api/backups': {
    get: gets(FormQuery, 'backups', 'The backups of the store', 'Newest first.'),
    post: repeatable(posts(BackupRequest, 'backup', 'Back the whole store up now', 'The backup; it is whole and synced to the disk.')),
  },
  '/api/backups/verify': {
    post: {
      ...posts(VerifyBackupRequest, 'backupCheck', 'Whether a backup is whole', 'What was found. Reads every byte of it.'),
      responses: answers('backupCheck', 'What was found. Reads every byte of it.', ['404', ...WITH_BODY]),
    },
  },
};
