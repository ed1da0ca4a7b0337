import { z } from 'zod';
import type { Result } from '../result.ts';

/** Maximum number of ids of each kind in a report. */
export const MAX_VERIFIED_IDS = 10_000;

const count = z.int().min(0);
const ids = z.array(z.string()).readonly();

/** A file of the store that differs from what was written. */
const WrongFile = z.object({
  path: z.string().meta({ description: 'Path relative to the folder of the store.' }),
  table: z.string(),
  kind: z.enum(['data', 'index', 'description']).meta({
    description: 'Contents: rows; an index, which can be rebuilt from the rows; or the list of rows.',
  }),
  entries: ids.meta({ description: 'Ids of the entries in it, any field of which may be wrong; at most 10,000.' }),
});
export type WrongFile = Result<typeof WrongFile>;

/** Result of comparing the files of the store with their checksums. */
const VerifiedFiles = z.object({
  checked: count.meta({ description: 'Files compared with their checksums.' }),
  withoutChecksum: count.meta({
    description: 'Files without a checksum, from an earlier version of Lore. They get one after a check in which every entry was as saved.',
  }),
  wrong: z.array(WrongFile).readonly(),
});
export type VerifiedFiles = Result<typeof VerifiedFiles>;

/** Result of verifying the store. */
export const VerifyReport = z.object({
  checked: count.meta({ description: 'Entries read and compared, including archived ones.' }),
  altered: ids.meta({ description: 'Ids of entries that differ from the saved version; at most 10,000.' }),
  unreadable: ids.meta({ description: 'Ids of entries that cannot be read; at most 10,000.' }),
  archiveUnreadable: z.literal(true).exactOptional().meta({ description: 'The archive could not be read.' }),
  // Servers of earlier versions do not report it.
  files: VerifiedFiles.exactOptional().meta({ description: 'The files of the store. Only for a store in a folder.' }),
  ms: count,
});
export type VerifyReport = Result<typeof VerifyReport>;
