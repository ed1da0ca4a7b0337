/** Counts over a store, and whether it is as it should be. */
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
    progress: ratio.exactOptional().meta({ description: 'Of the configured model, while it is on its way.' }),
    standsInFor: z.string().exactOptional().meta({ description: 'The configured provider, where another one serves in its place.' }),
    next: z.string().exactOptional().meta({ description: 'The model that takes over once every entry has its vectors.' }),
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
  .meta({ id: 'CompactionSummary', description: 'What the last compaction of all namespaces did; absent before the first.' });

const UpkeepRun = z
  .object({
    kind: z.enum(UPKEEP_KINDS),
    at: Time,
    ms: count.exactOptional().meta({ description: 'How long it took; absent where only its result outlived a restart.' }),
    state: z.enum(['done', 'failed']),
    error: z.string().exactOptional(),
    result: z.object({
      entries: count.exactOptional().meta({ description: 'Of a backup: that it holds. Of a migration: that were embedded.' }),
      bytes: count.exactOptional(),
      archived: count.exactOptional(),
      purged: count.exactOptional(),
      rows: count.exactOptional().meta({ description: 'Of an optimization: new rows that went into the table.' }),
      fragmentsMerged: count.exactOptional(),
      fragmentsMade: count.exactOptional(),
    }),
  })
  .meta({ id: 'UpkeepRun' });

const Job = z
  .object({
    name: z.enum(JOB_NAMES),
    state: z.enum(JOB_STATES).meta({ description: '`waiting`: its next run has a time.' }),
    runs: count.meta({ description: 'Since the server started.' }),
    failures: count,
    failedInARow: count.meta({ description: '0 once a run has succeeded.' }),
    error: z.string().exactOptional().meta({ description: 'Why the last run failed; absent where it did not.' }),
    lastRun: z.object({ at: Time, ms: count }).exactOptional(),
    nextRunAt: Time.exactOptional(),
    waiting: count.exactOptional().meta({ description: 'Entries or events that wait for it, where that is known.' }),
    done: count.exactOptional().meta({ description: 'Of the run that goes on, where that is known.' }),
    total: count.exactOptional(),
  })
  .meta({ id: 'Job', description: 'Background work.' });

const StatsResult = z.object({
  total: count,
  namespaces: z.array(NamespaceResult).readonly(),
  byPriority: z.record(z.string(), count),
  bySource: z.record(z.string(), count),
  tags: count.meta({ description: 'How many different ones there are.' }),
  topTags: z.array(z.object({ tag: z.string(), entries: count })).readonly(),
  perDay: z.array(z.object({ day: z.string(), entries: count })).readonly(),
  vectors: z.array(z.object({ embedder: z.string(), entries: count })).readonly(),
  pendingVectors: count.meta({ description: 'Entries that have no vector of any model yet: found by keyword only.' }),
  storage: z
    .object({ bytes: count, fragments: count, indexedRows: count, unindexedRows: count, tableVersion: count })
    .exactOptional()
    .meta({ description: 'Of the whole store; absent where the figures are of one namespace.' }),
  runs: z.array(UpkeepRun).readonly().exactOptional().meta({
    description:
      'The latest ten backups, compactions, optimizations and migrations each, latest first; absent where the figures are of one namespace.',
  }),
  jobs: z
    .array(Job)
    .readonly()
    .exactOptional()
    .meta({ description: 'Background work of the process that has the store open. Of the whole store only.' }),
  embedder: EmbedderResult,
  autoCapture: z.boolean().meta({ description: 'Whether what hooks tell of is captured.' }),
  lastCompaction: CompactionResult.exactOptional(),
});

const ProbeFigures = z
  .object({
    first: ratio.meta({ description: 'Share of the probes whose entry comes first.' }),
    firstFive: ratio,
    meanReciprocalRank: ratio.meta({ description: 'Mean of 1 / place within the first ten; 0 for an entry that does not come.' }),
  })
  .meta({ id: 'ProbeFigures' });

const DiagnosisResult = z.object({
  rows: count,
  freshRows: count.meta({ description: 'Rows that are in the journal and in memory only, searched exactly.' }),
  unindexedRows: z
    .object({ keyword: count, vector: count })
    .meta({ description: 'Rows of the table that an index does not hold yet, searched exactly.' }),
  vectorIndex: z.object({ kind: z.enum(['none', 'ivf_rq', 'hnsw_sq']), builtAt: Time.exactOptional() }),
  recall: z.object({ probes: count, all: ratio, oneNamespace: ratio, worst: ratio }).meta({
    description: 'Share of the true ten nearest that a search finds: over all rows, within one namespace, and of the worst probe.',
  }),
  drift: ratio.meta({ description: 'Share of rows written or removed since the vector index was last built whole.' }),
  disagreements: count.meta({ description: 'Rows that an index knows and the table does not, or the other way round.' }),
  search: z
    .object({
      probes: count,
      keyword: ProbeFigures,
      hybrid: ProbeFigures,
      better: count.meta({ description: 'Probes that come earlier in hybrid mode than by words alone.' }),
      worse: count.meta({ description: 'Probes that come later.' }),
      finding: z
        .object({ problem: z.string(), fix: z.string() })
        .exactOptional()
        .meta({ description: 'Only where hybrid search is the default and clearly worse than words alone.' }),
    })
    .meta({ description: 'Entries searched for by a few words of one of their sentences, by words alone and in hybrid mode.' }),
  findings: z
    .array(z.string())
    .readonly()
    .meta({ description: 'What is not as it should be with the indexes, in plain words; empty when all is well.' }),
});

const ids = z.array(z.string()).readonly();

export const checks = {
  stats: {
    route: 'GET /api/stats',
    id: 'stats',
    summary: 'Counts over the whole store, or one namespace',
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
    summary: 'Whether the indexes agree with the rows, and find what is there',
    answer: 'What was found.',
    request: DiagnoseRequest,
    result: DiagnosisResult,
    access: 'read',
    // It is about the whole store, and costs as much as many searches.
    reaches: { everything: true, why: 'A diagnosis needs a key with full access to every namespace.' },
    unlimited: true,
    audited: 'administer',
  },
  verify: {
    route: 'POST /api/verify',
    id: 'verify',
    summary: 'Whether every entry is what was saved',
    description: 'Reads every entry from the disk, and every file of a store in a folder.',
    answer: 'What was read, and what is not as it was.',
    request: NoRequest,
    result: z.object({
      checked: count.meta({ description: 'Entries that were read and compared, those in the archive included.' }),
      altered: ids.meta({ description: 'Ids of those that are not what was saved; at most 10,000.' }),
      unreadable: ids.meta({ description: 'Ids of those that cannot be read; at most 10,000.' }),
      archiveUnreadable: z.literal(true).exactOptional().meta({ description: 'Nothing in the archive could be looked at.' }),
      files: z
        .object({
          checked: count.meta({ description: 'Files that were compared with their checksums.' }),
          withoutChecksum: count.meta({
            description: 'Files of a store of an earlier version: they get one once all entries are as they were saved.',
          }),
          wrong: z
            .array(
              z.object({
                path: z.string().meta({ description: 'Below the folder of the store.' }),
                table: z.string(),
                kind: z.enum(['data', 'index', 'description']).meta({
                  description: 'What lies in it: rows; an index, which is built again from the rows; or what says which rows there are.',
                }),
                entries: ids.meta({ description: 'Ids of the entries that lie in it, of which any field may be wrong; at most 10,000.' }),
              }),
            )
            .readonly(),
        })
        .exactOptional()
        .meta({ description: 'The files of the store. Only where it lies in a folder.' }),
      ms: count,
    }),
    access: 'read',
    reaches: { everything: true, why: 'Comparing every entry with its checksum needs a key with full access to every namespace.' },
    unlimited: true,
    audited: 'administer',
  },
} as const satisfies Definitions<Pick<MemoryOperations, 'stats' | 'diagnose' | 'verify'>>;
