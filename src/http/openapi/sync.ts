/** How two stores become the same: `lore push` and `lore pull` ask these of a server, in this order. */
import type { ZodOpenApiPathsObject } from 'zod-openapi';
import { SyncApplyRequest, SyncDigestsRequest, SyncEntriesRequest, SyncStampsRequest } from '../../memory/operations/sync-operations.ts';
import { posts } from './answers.ts';

export const syncPaths: ZodOpenApiPathsObject = {
  '/api/sync/digests': {
    post: {
      ...posts(SyncDigestsRequest, 'syncDigests', 'What a namespace holds, in brief', 'A digest of each bucket of entries.'),
      description: 'Where two stores have the same digest of a bucket, they have the same entries in it. Passages of files are left out.',
    },
  },
  '/api/sync/stamps': {
    post: {
      ...posts(SyncStampsRequest, 'syncStamps', 'Which versions are there', 'The versions, without their texts.'),
      description: 'Of entries that are there, and of those in the archive: `away` was put there by upkeep, `forgotten` by somebody.',
    },
  },
  '/api/sync/entries': {
    post: {
      ...posts(SyncEntriesRequest, 'syncEntries', 'Entries as another store takes them over', 'The entries.'),
      description: 'About 8 MB at a time. Ids that name nothing in this namespace, or what was forgotten, are left out.',
    },
  },
  '/api/sync/apply': {
    post: {
      ...posts(SyncApplyRequest, 'syncApplied', 'Take over what is later than what is there', 'What became of it.'),
      description: 'The last writer wins, entry by entry; the version that goes is kept in the history. Safe to repeat.',
    },
  },
};
