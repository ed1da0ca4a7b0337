/**
 * Background jobs, in shutdown order: later jobs see what earlier ones change at their end. `capture` processes events of hooks,
 * `relations` links saved entries, `embedding` computes missing vectors, `compaction` archives on schedule, `usage` writes recall counts,
 * `scrub` compares entries with their checksums, `backup` copies the store, `contexts` writes session-start contexts for hooks.
 */
export const JOB_NAMES = ['capture', 'relations', 'embedding', 'compaction', 'usage', 'scrub', 'backup', 'contexts'] as const;
export type JobName = (typeof JOB_NAMES)[number];

export const JOB_STATES = ['idle', 'waiting', 'running'] as const;

/** The state of a job. Times are epoch milliseconds. */
export interface JobReport {
  readonly name: JobName;
  /** `waiting`: the next run is scheduled. */
  readonly state: (typeof JOB_STATES)[number];
  /** Since the start of the process. */
  readonly runs: number;
  readonly failures: number;
  /** Number of consecutive failures; 0 after a success. */
  readonly failedInARow: number;
  /** Error of the last run; absent if it succeeded. */
  readonly error?: string;
  readonly lastRun?: { readonly at: number; readonly ms: number };
  readonly nextRunAt?: number;
  /** Entries or events waiting for it, if known. */
  readonly waiting?: number;
  /** Items done by the current run, if known. */
  readonly done?: number;
  readonly total?: number;
}
