/** Names, help texts and labels of the metrics of Lore. docs/observability.md lists them. */
import type { Amount, CounterName, GaugeName, Timing } from '../memory/telemetry.ts';

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

export const COUNTERS = {
  request: family('lore_http_requests_total', 'Answered requests, except those for metrics.', 'route', 'method', 'status'),
  'request refused: rate': family('lore_http_requests_rate_limited_total', 'Requests refused by the rate limit.'),
  'request refused: key': family('lore_http_requests_unauthorized_total', 'Requests refused without a valid API key.'),
  'capture decision': family('lore_capture_decisions_total', 'Decisions on events of hooks.', 'decision', 'reason'),
  'capture assist': family('lore_capture_assist_total', 'Requests to agents to save, and entries saved afterwards.', 'event'),
  'relations skipped': family('lore_relations_skipped_total', 'Entries for which no relations were searched.', 'reason'),
  'job run': family('lore_job_runs_total', 'Runs of background jobs.', 'job', 'result'),
  'embedding cache lookup': family('lore_embed_cache_lookups_total', 'Lookups of query vectors in the cache.', 'result'),
  failure: family('lore_operation_failures_total', 'Failed operations.', 'operation'),
} as const satisfies Record<CounterName, Family>;

const timing = (name: string, help: string, buckets: readonly number[], ...labels: readonly string[]): HistogramFamily => ({
  ...family(name, help, ...labels),
  buckets,
});

export const TIMINGS = {
  commit: timing('lore_commit_duration_seconds', 'Time from submitting a change until it is durable.', QUICK),
  'journal append': timing('lore_journal_append_duration_seconds', 'Write of a commit to the write-ahead log, including fsync.', QUICK),
  optimize: timing('lore_optimize_duration_seconds', 'One run of flush, compaction and indexing.', SLOW),
  'vector search': timing('lore_vector_search_duration_seconds', 'Vector search in the store.', QUICK),
  'keyword search': timing('lore_keyword_search_duration_seconds', 'Keyword search in the store.', QUICK),
  recall: timing('lore_recall_duration_seconds', 'Complete searches: recall, search and context.', QUICK, 'mode'),
  embed: timing('lore_embed_duration_seconds', 'One call to an embedder.', QUICK, 'provider'),
  backup: timing('lore_backup_duration_seconds', 'Writing of one backup.', SLOW),
} as const satisfies Record<Timing, HistogramFamily>;

export const AMOUNTS = {
  'request seconds': timing('lore_http_request_duration_seconds', 'Response time, without event streams.', QUICK, 'route', 'method'),
  'commit changes': timing('lore_commit_changes', 'Changes per commit.', COUNTS),
  'embed texts': timing('lore_embed_batch_texts', 'Texts per call to an embedder.', COUNTS, 'provider'),
} as const satisfies Record<Amount, HistogramFamily>;

export const GAUGES = {
  'requests in flight': family('lore_http_requests_in_flight', 'Requests in progress, including event streams.'),
  'event streams': family('lore_event_streams', 'Open event streams.'),
  'embedding queue': family('lore_embed_queue_texts', 'Texts waiting for an embedder or being embedded.'),
  'write queue': family('lore_write_queue_changes', 'Changes waiting for the next commit.'),
  'journal bytes': family('lore_journal_bytes', 'Size of the write-ahead log.'),
  fragments: family('lore_store_fragments', 'Fragments of the table of entries.'),
  versions: family('lore_store_versions', 'Stored versions of the table of entries.'),
  'unindexed rows': family('lore_store_unindexed_rows', 'Rows not yet in the full-text index.'),
  'fresh rows': family('lore_store_fresh_rows', 'Rows in the write-ahead log and the memtable only.'),
  entries: family('lore_store_entries', 'Entries.'),
  maintaining: family('lore_store_maintaining', '1 where this server maintains the tables, else 0.'),
  servers: family('lore_store_servers', 'Servers that use a shared store, as this one knows; absent for other stores.'),
  'store bytes': family('lore_store_bytes', 'Size of the store.'),
  'disk free bytes': family('lore_disk_free_bytes', 'Free space on the disk of the store for this user.'),
  'seconds since backup': family('lore_backup_age_seconds', 'Age of the newest backup; absent if there is none.'),
  'seconds backup is overdue': family(
    'lore_backup_overdue_seconds',
    'How long a scheduled backup has been overdue; absent if this server makes none.',
  ),
  degraded: family('lore_degraded_reasons', 'Number of current problems; GET /api/health lists them.'),
} as const satisfies Record<GaugeName, Family>;

/** Constant 1; the labels hold the versions. */
export const BUILD_INFO = family('lore_build_info', 'The running version.', 'version', 'node');
