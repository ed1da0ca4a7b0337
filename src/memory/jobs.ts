import { z } from 'zod';
import type { Result } from './result.ts';
import { Time } from './timestamp.ts';

/**
 * Background jobs, in shutdown order: later jobs see what earlier ones change at their end. `capture` processes events of hooks,
 * `relations` links saved entries, `embedding` computes missing vectors, `compaction` archives on schedule, `usage` writes recall counts,
 * `scrub` compares entries with their checksums, `backup` copies the store, `contexts` writes session-start contexts for hooks.
 */
export const JOB_NAMES = ['capture', 'relations', 'embedding', 'compaction', 'usage', 'scrub', 'backup', 'contexts'] as const;
export type JobName = (typeof JOB_NAMES)[number];

const JOB_STATES = ['idle', 'waiting', 'running'] as const;

const count = z.int().min(0);

/** The state of a job of this process. */
export const JobReport = z
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
export type JobReport = Result<typeof JobReport>;
