/** Names, help texts and labels of the metrics of Lore. docs/observability.md lists them. */
import type { Amount, Happening, Level, Timing } from '../memory/telemetry.ts';

export interface Family {
  readonly name: string;
  readonly help: string;
  readonly labels: readonly string[];
}

interface HistogramFamily extends Family {
  /** Upper bounds, ascending. */
  readonly buckets: readonly number[];
}

const QUICK = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const SLOW = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300];
const COUNTS = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024];

const family = (name: string, help: string, ...labels: readonly string[]): Family => ({ name, help, labels });

export const HAPPENINGS = {
  request: family('lore_http_requests_total', 'Answered requests, without the ones of this page.', 'route', 'method', 'status'),
  'request refused: rate': family('lore_http_requests_rate_limited_total', 'Requests refused because a client made too many.'),
  'request refused: key': family('lore_http_requests_unauthorized_total', 'Requests refused for want of a valid key.'),
  'capture decision': family('lore_capture_decisions_total', 'Events of hooks that were judged.', 'decision', 'reason'),
  'capture assist': family('lore_capture_assist_total', 'Agents that were asked to save, and entries saved after that.', 'event'),
  'relations skipped': family('lore_relations_skipped_total', 'Entries whose relations were not looked for.', 'reason'),
  'job run': family('lore_job_runs_total', 'Runs of background work.', 'job', 'result'),
  'embedding cache lookup': family('lore_embed_cache_lookups_total', 'Query vectors asked of the cache.', 'result'),
  failure: family('lore_operation_failures_total', 'Work that failed.', 'operation'),
} as const satisfies Record<Happening, Family>;

const timing = (name: string, help: string, buckets: readonly number[], ...labels: readonly string[]): HistogramFamily => ({
  ...family(name, help, ...labels),
  buckets,
});

export const TIMINGS = {
  commit: timing('lore_commit_duration_seconds', 'From a change being given to the store until it is safe.', QUICK),
  'journal append': timing('lore_journal_append_duration_seconds', 'Append to the journal, with the sync.', QUICK),
  optimize: timing('lore_optimize_duration_seconds', 'One run that writes fresh rows to the table, merges and indexes.', SLOW),
  'vector search': timing('lore_vector_search_duration_seconds', 'Search by vector in the store.', QUICK),
  'keyword search': timing('lore_keyword_search_duration_seconds', 'Search by words in the store.', QUICK),
  recall: timing('lore_recall_duration_seconds', 'Whole searches: recall, search and context.', QUICK, 'mode'),
  embed: timing('lore_embed_duration_seconds', 'One call to an embedder.', QUICK, 'provider'),
  backup: timing('lore_backup_duration_seconds', 'Writing of one backup.', SLOW),
} as const satisfies Record<Timing, HistogramFamily>;

export const AMOUNTS = {
  'request seconds': timing(
    'lore_http_request_duration_seconds',
    'How long answers took; event streams are left out.',
    QUICK,
    'route',
    'method',
  ),
  'commit changes': timing('lore_commit_changes', 'Changes that one append to the journal made safe.', COUNTS),
  'embed texts': timing('lore_embed_batch_texts', 'Texts in one call to an embedder.', COUNTS, 'provider'),
} as const satisfies Record<Amount, HistogramFamily>;

export const LEVELS = {
  'requests in flight': family('lore_http_requests_in_flight', 'Requests that are being answered, event streams included.'),
  'event streams': family('lore_event_streams', 'Clients that listen to events.'),
  'embedding queue': family('lore_embed_queue_texts', 'Texts that wait for an embedder or are with it.'),
  'write queue': family('lore_write_queue_changes', 'Changes that wait for the next commit.'),
  'journal bytes': family('lore_journal_bytes', 'Size of the journal.'),
  fragments: family('lore_store_fragments', 'Fragments of the table of entries.'),
  versions: family('lore_store_versions', 'Versions of the table of entries that are kept.'),
  'unindexed rows': family('lore_store_unindexed_rows', 'Rows that the full-text index does not hold yet.'),
  'fresh rows': family('lore_store_fresh_rows', 'Rows that are in the journal and in memory only.'),
  entries: family('lore_store_entries', 'Entries.'),
  'store bytes': family('lore_store_bytes', 'Size of the store folder.'),
  'disk free bytes': family('lore_disk_free_bytes', 'Space that the disk of the store has left for this user.'),
  'seconds since backup': family('lore_backup_age_seconds', 'Age of the newest backup; absent where there is none.'),
  degraded: family('lore_degraded_reasons', 'How many things are not as they should be; GET /api/health says which.'),
} as const satisfies Record<Level, Family>;

/** Constant 1; the labels hold the versions. */
export const BUILD_INFO = family('lore_build_info', 'The version that runs.', 'version', 'node');
