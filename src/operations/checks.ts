/** Statistics and checks of a store. */
import { z } from 'zod';
import { JOB_NAMES, JOB_STATES } from '../memory/jobs.ts';
import { DiagnoseRequest, type MemoryOperations } from '../memory/operations/operations.ts';
import { StatsRequest } from '../memory/operations/statistics-operations.ts';
import { UPKEEP_KINDS } from '../memory/upkeep.ts';
import { NamespaceResult } from './memories.ts';
import { NoRequest, ofNamespace, type Definitions } from './operation.ts';
import { Time } from './wire.ts';

const count = z.int().min(0);
const ratio = z.number().min(0).max(1);

export const EmbedderResult = z
  .object({
    provider: z.string(),
    model: z.string(),
    dimensions: z.int(),
    state: z.enum(['ready', 'idle', 'loading', 'downloading', 'failed']),
    progress: ratio.exactOptional().meta({ description: 'Progress of the download of the configured model.' }),
    standsInFor: z.string().exactOptional().meta({ description: 'The configured provider, if the builtin embedder replaces it for now.' }),
    next: z.string().exactOptional().meta({ description: 'The model that becomes active once every entry has its vectors.' }),
  })
  .meta({ id: 'Embedder' });

export const CompactionResult = z
  .object({
    at: Time,
    run: z.string().meta({ description: 'Name of the run, for `restore`.' }),
    archived: count,
    purged: count,
    ms: count,
  })
  .meta({ id: 'CompactionSummary', description: 'Result of the last compaction of all namespaces; absent before the first.' });

const UpkeepRun = z
  .object({
    kind: z.enum(UPKEEP_KINDS),
    at: Time,
    ms: count.exactOptional().meta({ description: 'Duration; absent for a run before a restart if only its result is known.' }),
    state: z.enum(['done', 'failed']),
    error: z.string().exactOptional(),
    result: z.object({
      entries: count.exactOptional().meta({ description: 'For a backup: entries in it. For a migration: entries re-embedded.' }),
      bytes: count.exactOptional(),
      archived: count.exactOptional(),
      purged: count.exactOptional(),
      rows: count.exactOptional().meta({ description: 'For an optimization: new rows written to the table.' }),
      fragmentsMerged: count.exactOptional(),
      fragmentsMade: count.exactOptional(),
    }),
  })
  .meta({ id: 'UpkeepRun' });

const Job = z
  .object({
    name: z.enum(JOB_NAMES),
    state: z.enum(JOB_STATES).meta({ description: '`waiting`: the next run is scheduled.' }),
    runs: count.meta({ description: 'Since the server started.' }),
    failures: count,
    failedInARow: count.meta({ description: '0 after a successful run.' }),
    error: z.string().exactOptional().meta({ description: 'Why the last run failed; absent if it succeeded.' }),
    lastRun: z.object({ at: Time, ms: count }).exactOptional(),
    nextRunAt: Time.exactOptional(),
    waiting: count.exactOptional().meta({ description: 'Entries or events waiting for it, if known.' }),
    done: count.exactOptional().meta({ description: 'Items done by the current run, if known.' }),
    total: count.exactOptional(),
  })
  .meta({ id: 'Job', description: 'Background work.' });

const StatsResult = z.object({
  total: count,
  namespaces: z.array(NamespaceResult).readonly(),
  byPriority: z.record(z.string(), count),
  bySource: z.record(z.string(), count),
  tags: count.meta({ description: 'Number of different tags.' }),
  topTags: z.array(z.object({ tag: z.string(), entries: count })).readonly(),
  perDay: z.array(z.object({ day: z.string(), entries: count })).readonly(),
  vectors: z.array(z.object({ embedder: z.string(), entries: count })).readonly(),
  pendingVectors: count.meta({ description: 'Entries without a vector, found by keyword only.' }),
  storage: z
    .object({ bytes: count, fragments: count, indexedRows: count, unindexedRows: count, tableVersion: count })
    .exactOptional()
    .meta({ description: 'For the whole store; absent if the statistics are for one namespace.' }),
  runs: z.array(UpkeepRun).readonly().exactOptional().meta({
    description:
      'The latest ten backups, compactions, optimizations and migrations each, latest first; absent if the statistics are for one namespace.',
  }),
  jobs: z
    .array(Job)
    .readonly()
    .exactOptional()
    .meta({ description: 'Background work of the process that has the store open. Only for the whole store.' }),
  embedder: EmbedderResult,
  autoCapture: z.boolean().meta({ description: 'Whether automatic capture is on.' }),
  lastCompaction: CompactionResult.exactOptional(),
});

const ProbeFigures = z
  .object({
    first: ratio.meta({ description: 'Share of the probes whose entry comes first.' }),
    firstFive: ratio,
    meanReciprocalRank: ratio.meta({ description: 'Mean of 1 / rank within the first ten; 0 for an entry that is not found.' }),
  })
  .meta({ id: 'ProbeFigures' });

const DiagnosisResult = z.object({
  rows: count,
  freshRows: count.meta({ description: 'Rows that are only in the log and in memory, searched exactly.' }),
  unindexedRows: z
    .object({ keyword: count, vector: count })
    .meta({ description: 'Rows of the table that are not in an index yet, searched exactly.' }),
  vectorIndex: z.object({ kind: z.enum(['none', 'ivf_rq', 'hnsw_sq']), builtAt: Time.exactOptional() }),
  recall: z.object({ probes: count, all: ratio, oneNamespace: ratio, worst: ratio }).meta({
    description:
      'Share of the ten true nearest neighbours that a search finds: over all rows, within one namespace, and for the worst probe.',
  }),
  drift: ratio.meta({ description: 'Share of rows written or removed since the vector index was last built whole.' }),
  disagreements: count.meta({ description: 'Rows that are in an index but not in the table, or vice versa.' }),
  search: z
    .object({
      probes: count,
      keyword: ProbeFigures,
      hybrid: ProbeFigures,
      better: count.meta({ description: 'Probes that rank higher in hybrid mode than by words alone.' }),
      worse: count.meta({ description: 'Probes that rank lower.' }),
      finding: z
        .object({ problem: z.string(), fix: z.string() })
        .exactOptional()
        .meta({ description: 'Present only if hybrid search is the default and clearly worse than words alone.' }),
    })
    .meta({ description: 'Entries searched for by a few words of one of their sentences, by words alone and in hybrid mode.' }),
  findings: z.array(z.string()).readonly().meta({ description: 'Problems of the indexes, one sentence each; empty if there are none.' }),
});

const ids = z.array(z.string()).readonly();

export const checks = {
  stats: {
    route: 'GET /api/stats',
    id: 'stats',
    summary: 'Get statistics of the store or a namespace',
    answer: 'The counts.',
    request: StatsRequest,
    result: StatsResult,
    access: 'read',
    reaches: { namespace: true },
    audited: 'read',
    notes: ofNamespace,
  },
  diagnose: {
    route: 'POST /api/diagnose',
    id: 'diagnose',
    summary: 'Check the indexes against exact search',
    answer: 'The results.',
    request: DiagnoseRequest,
    result: DiagnosisResult,
    access: 'read',
    // It concerns the whole store, and costs as much as many searches.
    reaches: { everything: true, why: 'A diagnosis needs a key with full access to every namespace.' },
    unlimited: true,
    audited: 'administer',
  },
  verify: {
    route: 'POST /api/verify',
    id: 'verify',
    summary: 'Verify every entry and file',
    description: 'Reads every entry from the disk, and for a store in a folder every file, and compares checksums.',
    answer: 'Entries and files read, and those that are altered.',
    request: NoRequest,
    result: z.object({
      checked: count.meta({ description: 'Entries read and compared, including archived ones.' }),
      altered: ids.meta({ description: 'Ids of entries that differ from the saved version; at most 10,000.' }),
      unreadable: ids.meta({ description: 'Ids of entries that cannot be read; at most 10,000.' }),
      archiveUnreadable: z.literal(true).exactOptional().meta({ description: 'The archive could not be read.' }),
      files: z
        .object({
          checked: count.meta({ description: 'Files compared with their checksums.' }),
          withoutChecksum: count.meta({
            description:
              'Files without a checksum, from an earlier version of Lore. They get one after a check in which every entry was as saved.',
          }),
          wrong: z
            .array(
              z.object({
                path: z.string().meta({ description: 'Path relative to the folder of the store.' }),
                table: z.string(),
                kind: z.enum(['data', 'index', 'description']).meta({
                  description: 'Contents: rows; an index, which can be rebuilt from the rows; or the list of rows.',
                }),
                entries: ids.meta({ description: 'Ids of the entries in it, any field of which may be wrong; at most 10,000.' }),
              }),
            )
            .readonly(),
        })
        .exactOptional()
        .meta({ description: 'The files of the store. Only for a store in a folder.' }),
      ms: count,
    }),
    access: 'read',
    reaches: { everything: true, why: 'Comparing every entry with its checksum needs a key with full access to every namespace.' },
    unlimited: true,
    audited: 'administer',
  },
} as const satisfies Definitions<Pick<MemoryOperations, 'stats' | 'diagnose' | 'verify'>>;
