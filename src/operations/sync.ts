/** Sync of two stores: `lore push` and `lore pull` send these requests to a server, in this order. Ids and times are as in the stores. */
import { z } from 'zod';
import {
  SyncApplied,
  SyncApplyRequest,
  SyncDigests,
  SyncDigestsRequest,
  SyncEntriesRequest,
  SyncEntry,
  SyncStampsRequest,
  type SyncOperations,
} from '../memory/operations/sync-operations.ts';
import { RelationType } from '../memory/relation.ts';
import { SYNC_STATES } from '../memory/sync-order.ts';
import type { Definitions } from './operation.ts';

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

/** Safe to repeat. No time limit, because embedding may take long. */
const common = { reaches: { namespace: true, hidden: true }, safe: true, unlimited: true } as const;

export const sync = {
  digests: {
    ...common,
    route: 'POST /api/sync/digests',
    id: 'syncDigests',
    summary: 'Get digests of a namespace',
    description: 'If two stores have the same digest of a bucket, they have the same entries in it. Passages of files are not included.',
    answer: 'One digest per bucket of entries.',
    request: SyncDigestsRequest,
    result: SyncDigests,
    access: 'read',
    audited: 'read',
    notes: ({ namespace }, digests) => ({ namespaces: [namespace], count: digests?.entries }),
  },
  stamps: {
    ...common,
    route: 'POST /api/sync/stamps',
    id: 'syncStamps',
    summary: 'Get the versions of entries',
    description:
      'Includes archived entries: `away` means archived automatically, `forgotten` by a person or an agent. `removed` means deleted for good.',
    answer: 'The versions, without their texts.',
    request: SyncStampsRequest,
    result: z.object({
      stamps: z
        .array(
          z.object({
            id,
            state: z.enum(SYNC_STATES),
            at: When.meta({ description: 'Time of the last change, or of the forgetting.' }),
            version: z.string(),
            text: z.string().meta({ description: 'Equal for entries with the same text in the same container.' }),
            past: z.array(When).readonly().optional().meta({ description: 'Only with `past`: when the earlier versions were written.' }),
          }),
        )
        .readonly(),
      relations,
      unrelated: z
        .array(z.object({ sourceId: id, targetId: id, type: RelationType, at: When }))
        .readonly()
        .optional()
        .meta({ description: 'Deleted manual relations; only with `tombstones`.' }),
    }),
    access: 'read',
    audited: 'read',
    notes: ({ namespace, ids = [] }) => ({ namespaces: [namespace], ids }),
  },
  entries: {
    ...common,
    route: 'POST /api/sync/entries',
    id: 'syncEntries',
    summary: 'Get entries for another store',
    description: 'About 8 MB at a time. Unknown ids of this namespace and ids of forgotten entries are ignored.',
    answer: 'The entries.',
    request: SyncEntriesRequest,
    result: z.object({
      entries: z.array(z.object({ ...SyncEntry.shape, id })).readonly(),
      relations,
      rest: z.array(id).readonly().meta({ description: 'Ids that did not fit: request them again.' }),
    }),
    access: 'read',
    audited: 'export',
    notes: ({ namespace, ids }, found) => ({ namespaces: [namespace], ids, count: found?.entries.length }),
  },
  apply: {
    ...common,
    route: 'POST /api/sync/apply',
    id: 'syncApplied',
    summary: 'Apply newer versions from another store',
    description: 'The last writer wins, entry by entry; the replaced version is kept in the history. Safe to repeat.',
    answer: 'The result.',
    request: SyncApplyRequest,
    result: SyncApplied,
    access: 'write',
    audited: 'import',
    notes: ({ namespace }, done) => ({
      namespaces: [namespace],
      count: done && done.stored + done.changed + done.restored + done.forgotten + done.removed,
    }),
  },
} as const satisfies Definitions<SyncOperations>;
