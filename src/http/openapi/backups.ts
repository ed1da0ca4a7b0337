/** Copies of the whole store. */
import type { ZodOpenApiOperationObject, ZodOpenApiPathsObject } from 'zod-openapi';
import { BackupRequest, VerifyBackupRequest } from '../../memory/operations/backup-operations.ts';
import { answers, FormQuery, gets, ownProblem, posts, repeatable, WITH_BODY } from './answers.ts';

const NO_BACKUPS = 'The store lies in no folder of this machine, so Lore makes no backups of it';
const BUSY_KEY = 'or a request with this `Idempotency-Key` is being carried out: ask again after `Retry-After` seconds';

/** The same operation, where it can only be done with a store in a folder. */
function inFolders(operation: ZodOpenApiOperationObject, others = ''): ZodOpenApiOperationObject {
  return { ...operation, responses: { ...operation.responses, '409': ownProblem(`${NO_BACKUPS}${others}.`) } };
}

export const backupsPaths: ZodOpenApiPathsObject = {
  '/api/backups': {
    get: inFolders(gets(FormQuery, 'backups', 'The backups of the store', 'Newest first.')),
    post: inFolders(
      repeatable(posts(BackupRequest, 'backup', 'Back the whole store up now', 'The backup; it is whole and synced to the disk.')),
      `, ${BUSY_KEY}`,
    ),
  },
  '/api/backups/verify': {
    post: inFolders({
      ...posts(VerifyBackupRequest, 'backupCheck', 'Whether a backup is whole', 'What was found. Reads every byte of it.'),
      responses: answers('backupCheck', 'What was found. Reads every byte of it.', ['404', ...WITH_BODY]),
    }),
  },
};
