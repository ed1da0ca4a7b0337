/** How two stores become the same: `lore push` and `lore pull` ask these of a server, in this order. Ids and times are as stores have them. */
import { z } from 'zod';
import {
  SyncApplyRequest,
  SyncDigestsRequest,
  SyncEntriesRequest,
  SyncEntry,
  SyncStampsRequest,
  type SyncOperations,
} from '../memory/operations/sync-operations.ts';
import { RelationType } from '../memory/relation.ts';
import { SYNC_STATES } from '../memory/sync-order.ts';
import type { Definitions } from './operation.ts';

const count = z.int().min(0);
const id = z.string();
const When = z.number().meta({ description: 'Epoch milliseconds, with fractions.' });
const relations = z
  .array(
    z.object({
      sourceId: id,
      targetId: id,
      type: RelationType,
      strength: z.number(),
      createdAt: When,
      origin: z.enum(['auto', 'manual']),
    }),
  )
  .readonly();

/** What was applied may be applied again. Embedding takes as long as it takes. */
const common = { reaches: { namespace: true, hidden: true }, safe: true, unlimited: true } as const;

export const sync = {
  digests: {
    ...common,
    route: 'POST /api/sync/digests',
    id: 'syncDigests',
    summary: 'What a namespace holds, in brief',
    description: 'Where two stores have the same digest of a bucket, they have the same entries in it. Passages of files are left out.',
    answer: 'A digest of each bucket of entries.',
    request: SyncDigestsRequest,
    result: z.object({
      entries: count,
      digests: z.array(z.string()).readonly().meta({ description: 'By number of the bucket; empty where nothing is in it.' }),
      embedder: z.string().meta({ description: 'Fingerprint of the model in service.' }),
      maxBytes: count.meta({ description: 'Largest request that is taken.' }),
      tombstones: z.array(z.string()).readonly().optional().meta({
        description: 'Of what was deleted for good, in the same buckets; empty where there is none. Earlier versions leave it out.',
      }),
      tombstonesSince: When.optional().meta({
        description: 'Deletions for good before this time are not known any more.',
      }),
      oldest: When.optional().meta({ description: 'When the oldest of the entries came here.' }),
    }),
    access: 'read',
    audited: 'read',
    notes: ({ namespace }, digests) => ({ namespaces: [namespace], count: digests?.entries }),
  },
  stamps: {
    ...common,
    route: 'POST /api/sync/stamps',
    id: 'syncStamps',
    summary: 'Which versions are there',
    description:
      'Of entries that are there, and of those in the archive: `away` was put there by upkeep, `forgotten` by a person or an agent. `removed` was deleted for good.',
    answer: 'The versions, without their texts.',
    request: SyncStampsRequest,
    result: z.object({
      stamps: z
        .array(
          z.object({
            id,
            state: z.enum(SYNC_STATES),
            at: When.meta({ description: 'When it was changed last, or forgotten.' }),
            version: z.string(),
            text: z.string().meta({ description: 'The same for entries with the same text in the same container.' }),
            past: z
              .array(When)
              .readonly()
              .optional()
              .meta({ description: 'Where `past` was asked for: when the versions before this one were written.' }),
          }),
        )
        .readonly(),
      relations,
      unrelated: z
        .array(z.object({ sourceId: id, targetId: id, type: RelationType, at: When }))
        .readonly()
        .optional()
        .meta({ description: 'Relations made by hand that were deleted, where `tombstones` was asked for.' }),
    }),
    access: 'read',
    audited: 'read',
    notes: ({ namespace, ids = [] }) => ({ namespaces: [namespace], ids }),
  },
  entries: {
    ...common,
    route: 'POST /api/sync/entries',
    id: 'syncEntries',
    summary: 'Entries as another store takes them over',
    description: 'About 8 MB at a time. Ids that name nothing in this namespace, or what was forgotten, are left out.',
    answer: 'The entries.',
    request: SyncEntriesRequest,
    result: z.object({
      entries: z.array(z.object({ ...SyncEntry.shape, id })).readonly(),
      relations,
      rest: z.array(id).readonly().meta({ description: 'Ids for which there was no room: ask for them again.' }),
    }),
    access: 'read',
    audited: 'export',
    notes: ({ namespace, ids }, found) => ({ namespaces: [namespace], ids, count: found?.entries.length }),
  },
  apply: {
    ...common,
    route: 'POST /api/sync/apply',
    id: 'syncApplied',
    summary: 'Take over what is later than what is there',
    description: 'The last writer wins, entry by entry; the version that goes is kept in the history. Safe to repeat.',
    answer: 'What became of it.',
    request: SyncApplyRequest,
    result: z.object({
      stored: count,
      changed: count,
      restored: count,
      forgotten: count,
      removed: count.meta({ description: 'Removed for good.' }),
      tombstones: count.meta({ description: 'Tombstones that were kept of what was not there.' }),
      related: count,
      unrelated: count.meta({ description: 'Relations made by hand that were deleted.' }),
      putAway: count.meta({ description: 'Put into the archive, as their exact text is there under another id.' }),
      kept: count.meta({ description: 'What is there stays: it is as new or newer, or is not in reach of the key.' }),
      twins: z
        .array(id)
        .readonly()
        .meta({ description: 'Left out, as their exact text is there under another id: send them again with `settle`.' }),
    }),
    access: 'write',
    audited: 'import',
    notes: ({ namespace }, done) => ({
      namespaces: [namespace],
      count: done && done.stored + done.changed + done.restored + done.forgotten + done.removed,
    }),
  },
} as const satisfies Definitions<SyncOperations>;
