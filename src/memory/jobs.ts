/**
 * Work in the background, in the order in which it ends: what an earlier one changes at its end is seen by the later ones. `capture` judges what hooks
 * told, `relations` links what was saved, `embedding` makes missing vectors, `compaction` archives by its schedule, `usage` writes how often entries were
 * recalled, `scrub` compares entries with their checksums, `backup` copies the store, `contexts` keeps what a session begins with for hooks.
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
  /** Why the last run failed; absent where it did not. */
  readonly error?: string;
  readonly lastRun?: { readonly at: number; readonly ms: number };
  readonly nextRunAt?: number;
  /** Entries or events waiting for it, if known. */
  readonly waiting?: number;
  /** Items done by the current run, if known. */
  readonly done?: number;
  readonly total?: number;
}
