/** What two stores tell each other, as both response forms print it: ids are bare in either, since only stores read it. */
import { z } from 'zod';
import { RelationType } from '../../memory/relation.ts';
import {
  SyncEntry,
  type SyncApplied,
  type SyncDigests,
  type SyncEntries,
  type SyncStamps,
} from '../../memory/operations/sync-operations.ts';
import { SYNC_STATES } from '../../memory/sync-order.ts';

export const SYNC_ANSWERS = ['syncDigests', 'syncStamps', 'syncEntries', 'syncApplied'] as const;

const count = z.int().min(0);
const id = z.string();
const When = z.number().meta({ description: 'Epoch milliseconds, with fractions.' });
const relations = z.array(
  z.object({
    sourceId: id,
    targetId: id,
    type: RelationType,
    strength: z.number(),
    createdAt: When,
    origin: z.enum(['auto', 'manual']),
  }),
);

export const syncSchemas = {
  syncDigests: z.object({
    entries: count,
    digests: z.array(z.string()).meta({ description: 'By number of the bucket; empty where nothing is in it.' }),
    embedder: z.string().meta({ description: 'Fingerprint of the model in service.' }),
    maxBytes: count.meta({ description: 'Largest request that is taken.' }),
  }),
  syncStamps: z.object({
    stamps: z.array(
      z.object({
        id,
        state: z.enum(SYNC_STATES),
        at: When.meta({ description: 'When it was changed last, or forgotten.' }),
        version: z.string(),
        text: z.string().meta({ description: 'The same for entries with the same text in the same container.' }),
      }),
    ),
    relations,
  }),
  syncEntries: z.object({
    entries: z.array(z.object({ ...SyncEntry.shape, id })),
    relations,
    rest: z.array(id).meta({ description: 'Ids for which there was no room: ask for them again.' }),
  }),
  syncApplied: z.object({
    stored: count,
    changed: count,
    restored: count,
    forgotten: count,
    related: count,
    putAway: count.meta({ description: 'Put into the archive, as their exact text is there under another id.' }),
    kept: count.meta({ description: 'What is there stays: it is as new or newer, or is not in reach of the key.' }),
    twins: z.array(id).meta({ description: 'Left out, as their exact text is there under another id: send them again with `settle`.' }),
  }),
} as const;

type Forms = { [A in keyof typeof syncSchemas]: z.output<(typeof syncSchemas)[A]> };

export const syncForms = {
  syncDigests: ({ digests, ...rest }: SyncDigests): Forms['syncDigests'] => ({ ...rest, digests: [...digests] }),
  syncStamps: ({ stamps, relations: between }: SyncStamps): Forms['syncStamps'] => ({ stamps: [...stamps], relations: [...between] }),
  syncEntries: ({ entries, relations: between, rest }: SyncEntries): Forms['syncEntries'] => ({
    entries: [...entries],
    relations: [...between],
    rest: [...rest],
  }),
  syncApplied: ({ twins, ...counts }: SyncApplied): Forms['syncApplied'] => ({ ...counts, twins: [...twins] }),
};
