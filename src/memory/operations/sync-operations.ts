/** What two stores tell each other to become the same, as requests and results. Times are epoch milliseconds with fractions: they decide. */
import { z } from 'zod';
import { MAX_ENTITIES, MAX_ENTITY_CHARS } from '../entities/entity-kinds.ts';
import { optionalShape } from '../entry-fields.ts';
import { Container, Content, EntryId, Namespace, PRIORITIES, SOURCES, Tags, Text } from '../entry.ts';
import { Ratio } from './entry-conditions.ts';
import type { CallOptions, MemoryOperations } from './operations.ts';
import { RelationType, type Relation } from '../relation.ts';
import type { Standing } from '../sync-order.ts';

const MAX_SYNC_BUCKETS = 65_536;
/** Buckets that are opened in one request. */
const MAX_OPENED_BUCKETS = 1024;
const MAX_SYNC_IDS = 1000;
/** Entries, and relations, in one request. */
const MAX_SYNC_ENTRIES = 1000;

/** The end of the year 9999, as far as an import goes too: after any time there is a later one that is a date. */
const LATEST = Date.UTC(9999, 11, 31, 23, 59, 59, 999);
const When = z.number().min(0).max(LATEST).meta({ description: 'Epoch milliseconds, with fractions.' });
const Buckets = z.int().min(1).max(MAX_SYNC_BUCKETS).meta({ description: 'Number of buckets; ids determine the bucket of an entry.' });

export const SyncDigestsRequest = z.strictObject({ namespace: Namespace, buckets: Buckets }).meta({ id: 'SyncDigestsRequest' });
export type SyncDigestsRequest = z.output<typeof SyncDigestsRequest>;

export const SyncStampsRequest = z
  .strictObject({
    namespace: Namespace,
    buckets: Buckets.optional(),
    of: z
      .array(
        z
          .int()
          .min(0)
          .max(MAX_SYNC_BUCKETS - 1),
      )
      .max(MAX_OPENED_BUCKETS)
      .optional()
      .meta({ description: 'All entries in these buckets.' }),
    ids: z.array(EntryId).max(MAX_SYNC_IDS).optional().meta({ description: 'These entries, even if they are in another namespace.' }),
    tombstones: z.boolean().optional().meta({
      description:
        'Report entries deleted for good as `removed`. Without it they are `forgotten`, which earlier versions of Lore understand.',
    }),
    past: z.boolean().optional().meta({ description: 'For `ids`, also return when the earlier versions were written.' }),
  })
  .meta({ id: 'SyncStampsRequest' });
export type SyncStampsRequest = z.output<typeof SyncStampsRequest>;

export const SyncEntriesRequest = z
  .strictObject({
    namespace: Namespace,
    ids: z.array(EntryId).min(1).max(MAX_SYNC_IDS),
    vectorsOf: Text.max(1000).optional().meta({ description: 'Fingerprint of the model whose vectors to return; default none.' }),
  })
  .meta({ id: 'SyncEntriesRequest' });
export type SyncEntriesRequest = z.output<typeof SyncEntriesRequest>;

const Numbers = z.base64().meta({ description: '32-bit floats, little-endian, in base64.' });

const { sourceRef: _anything, entities: _bounded, ...carried } = optionalShape({ carried: true });

/** One version of an entry; its namespace is that of the request. */
export const SyncEntry = z
  .strictObject({
    id: EntryId,
    content: Content,
    container: Container,
    tags: Tags,
    priority: z.enum(PRIORITIES),
    importance: Ratio,
    source: z.enum(SOURCES),
    sourceRef: z.record(z.string(), z.unknown()).optional(),
    entities: z.array(Text.min(1).max(MAX_ENTITY_CHARS)).max(MAX_ENTITIES).optional(),
    ...carried,
    createdAt: When,
    updatedAt: When,
    vectors: z
      .strictObject({ embedder: Text, first: Numbers, further: z.array(Numbers) })
      .optional()
      .meta({ description: 'Vectors of the passages; computed again if they belong to another model.' }),
  })
  .meta({ id: 'SyncEntry' });
export type SyncEntry = z.output<typeof SyncEntry>;

const SyncRelation = z
  .strictObject({
    sourceId: EntryId,
    targetId: EntryId,
    type: RelationType,
    strength: Ratio,
    createdAt: When,
    origin: z.enum(['auto', 'manual']),
  })
  .meta({ id: 'SyncRelation' });

const SyncUnrelation = SyncRelation.pick({ sourceId: true, targetId: true, type: true }).extend({ at: When });
/** That a relation made by hand was deleted, and when. */
export type SyncUnrelation = z.output<typeof SyncUnrelation>;

export const SyncApplyRequest = z
  .strictObject({
    namespace: Namespace,
    entries: z.array(SyncEntry).max(MAX_SYNC_ENTRIES).optional(),
    forgotten: z
      .array(z.strictObject({ id: EntryId, at: When }))
      .max(MAX_SYNC_ENTRIES)
      .optional()
      .meta({ description: 'Entries forgotten in the other store, with the time.' }),
    tombstones: z
      .array(z.strictObject({ id: EntryId, at: When }))
      .max(MAX_SYNC_ENTRIES)
      .optional()
      .meta({ description: 'Entries deleted for good in the other store, with the time.' }),
    unrelated: z
      .array(SyncUnrelation)
      .max(MAX_SYNC_ENTRIES)
      .optional()
      .meta({ description: 'Manual relations deleted in the other store, with the time.' }),
    relations: z.array(SyncRelation).max(MAX_SYNC_ENTRIES).optional(),
    settle: z.boolean().optional().meta({
      description: 'Archive entries whose exact text exists under another id, instead of listing them. Default false.',
    }),
  })
  .meta({ id: 'SyncApplyRequest' });
export type SyncApplyRequest = z.output<typeof SyncApplyRequest>;

/** What a store has in a namespace, as far as a comparison needs it. */
export interface SyncDigests {
  readonly entries: number;
  /** By number; of a bucket without anything it is empty. */
  readonly digests: readonly string[];
  /** Fingerprint of the model in service. */
  readonly embedder: string;
  /** Largest request that is taken. */
  readonly maxBytes: number;
  /** Of the tombstones, in the same buckets; empty where there are none. Undefined in the answer of an earlier Lore, which keeps none. */
  readonly tombstones?: readonly string[] | undefined;
  /** Deletions for good before this time are not known any more. */
  readonly tombstonesSince?: number | undefined;
  /** When the oldest of the entries came here. */
  readonly oldest?: number | undefined;
}

export interface SyncStamp extends Standing {
  readonly id: string;
  /** The same for entries with the same text in the same container. */
  readonly text: string;
  /** Where that was asked for: when the versions before this one were written, as far as is known. */
  readonly past?: readonly number[] | undefined;
}

export interface SyncStamps {
  readonly stamps: readonly SyncStamp[];
  /** Those made by hand of which these buckets have the source. */
  readonly relations: readonly Relation[];
  /** Those made by hand that were deleted; where `tombstones` was asked for. */
  readonly unrelated?: readonly SyncUnrelation[] | undefined;
}

export interface SyncEntries {
  /** In the order asked for; without what is gone. */
  readonly entries: readonly SyncEntry[];
  /** Those of these entries that Lore has found. */
  readonly relations: readonly Relation[];
  /** Ids for which there was no room: ask for them again. */
  readonly rest: readonly string[];
}

/** What became of what was sent. */
export interface SyncApplied {
  readonly stored: number;
  readonly changed: number;
  readonly restored: number;
  readonly forgotten: number;
  /** Removed for good. */
  readonly removed: number;
  /** Tombstones that were kept of what was not there. */
  readonly tombstones: number;
  readonly related: number;
  /** Relations made by hand that were deleted. */
  readonly unrelated: number;
  /** Put into the archive, as their exact text is there under another id. */
  readonly putAway: number;
  /** What is there stays: it is as new or newer, or is not in reach of the key. */
  readonly kept: number;
  /** Without `settle`: entries whose exact text is there under another id, which were left out. */
  readonly twins: readonly string[];
}

/** All methods reject with LoreError. What was read from files (`index`, `ingest`) is none of theirs: it goes with its files. */
export interface SyncOperations {
  digests(request: SyncDigestsRequest, options?: CallOptions): Promise<SyncDigests>;
  stamps(request: SyncStampsRequest, options?: CallOptions): Promise<SyncStamps>;
  entries(request: SyncEntriesRequest, options?: CallOptions): Promise<SyncEntries>;
  /** Takes versions over where they are later than what is there, which goes to the history. Safe to repeat. */
  apply(request: SyncApplyRequest, options?: CallOptions): Promise<SyncApplied>;
}

/** Everything that can be done with a store by who has it open, and by no client library. */
export interface StoreOperations extends MemoryOperations {
  readonly sync: SyncOperations;
}
