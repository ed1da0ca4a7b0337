/** Requests and results of sync between two stores. Times are epoch milliseconds with fractions, because they decide which version wins. */
import { z } from 'zod';
import { MAX_ENTITIES, MAX_ENTITY_CHARS } from '../entities/entity-kinds.ts';
import { optionalShape } from '../entry-fields.ts';
import { Container, Content, EntryId, Namespace, PRIORITIES, SOURCES, Tags, Text } from '../entry.ts';
import { Ratio } from './entry-conditions.ts';
import type { CallOptions, MemoryOperations } from './operations.ts';
import { RelationType, type Relation } from '../relation.ts';
import type { Result } from '../result.ts';
import type { VersionStamp } from '../sync-order.ts';

const MAX_SYNC_BUCKETS = 65_536;
/** Maximum number of buckets listed in one request. */
const MAX_OPENED_BUCKETS = 1024;
const MAX_SYNC_IDS = 1000;
/** Maximum number of entries, and of relations, in one request. */
const MAX_SYNC_ENTRIES = 1000;

/** End of the year 9999, the limit of imports too: a later valid date must exist for every time. */
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

/** One version of an entry; the request has its namespace. */
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

/** A relation as stores exchange it. */
export const SyncRelation = z
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
/** The deletion of a manual relation, with its time. */
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

const count = z.int().min(0);
const Moment = z.number().meta({ description: 'Epoch milliseconds, with fractions.' });

/** Summary of a namespace for comparison. */
export const SyncDigests = z.object({
  entries: count,
  digests: z.array(z.string()).readonly().meta({ description: 'By number of the bucket; an empty text for an empty bucket.' }),
  embedder: z.string().meta({ description: 'Fingerprint of the active model.' }),
  maxBytes: count.meta({ description: 'Largest accepted request.' }),
  tombstones: z.array(z.string()).readonly().optional().meta({
    description: 'Digests of the tombstones, in the same buckets; an empty text for none. Absent in earlier versions.',
  }),
  tombstonesSince: Moment.optional().meta({
    description: 'Tombstones before this time are no longer kept.',
  }),
  oldest: Moment.optional().meta({ description: 'When the oldest entry arrived here.' }),
});
export type SyncDigests = Result<typeof SyncDigests>;

export interface SyncStamp extends VersionStamp {
  readonly id: string;
  /** Equal for entries with the same text in the same container. */
  readonly text: string;
  /** If requested: when the earlier versions were written, as far as known. */
  readonly past?: readonly number[] | undefined;
}

export interface SyncStamps {
  readonly stamps: readonly SyncStamp[];
  /** Manual relations whose source is in these buckets. */
  readonly relations: readonly Relation[];
  /** Deleted manual relations, if `tombstones` was requested. */
  readonly unrelated?: readonly SyncUnrelation[] | undefined;
}

export interface SyncEntries {
  /** In request order, without missing ones. */
  readonly entries: readonly SyncEntry[];
  /** Automatic relations of these entries. */
  readonly relations: readonly Relation[];
  /** Ids that did not fit: request them again. */
  readonly rest: readonly string[];
}

/** Result of an apply. */
export const SyncApplied = z.object({
  stored: count,
  changed: count,
  restored: count,
  forgotten: count,
  removed: count.meta({ description: 'Deleted for good.' }),
  tombstones: count.meta({ description: 'Stored tombstones of entries that were not in this store.' }),
  related: count,
  unrelated: count.meta({ description: 'Deleted manual relations.' }),
  putAway: count.meta({ description: 'Archived, because their exact text exists under another id.' }),
  kept: count.meta({ description: 'Not applied: the existing version is as new or newer, or the key has no access to it.' }),
  twins: z
    .array(z.string())
    .readonly()
    .meta({ description: 'Not stored, because their exact text exists under another id: send them again with `settle`.' }),
});
export type SyncApplied = Result<typeof SyncApplied>;

/** All methods reject with LoreError. Sync leaves out file passages (`index`, `ingest`): each store reads its own files. */
export interface SyncOperations {
  digests(request: SyncDigestsRequest, options?: CallOptions): Promise<SyncDigests>;
  stamps(request: SyncStampsRequest, options?: CallOptions): Promise<SyncStamps>;
  entries(request: SyncEntriesRequest, options?: CallOptions): Promise<SyncEntries>;
  /** Takes over versions that are later than the stored ones, which go to the history. Safe to repeat. */
  apply(request: SyncApplyRequest, options?: CallOptions): Promise<SyncApplied>;
}

/** All operations of the process that has the store open; client libraries have no `sync`. */
export interface StoreOperations extends MemoryOperations {
  readonly sync: SyncOperations;
}
