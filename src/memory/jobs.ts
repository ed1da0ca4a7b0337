/**
 * Work in the background, in the order in which it ends: what an earlier one changes at its end is seen by the later ones. `capture` judges what hooks
 * told, `relations` links what was saved, `embedding` makes missing vectors, `compaction` archives by its schedule, `usage` writes how often entries were
 * recalled, `scrub` compares entries with their checksums, `backup` copies the store, `contexts` keeps what a session begins with for hooks.
 */
export const JOB_NAMES = ['capture', 'relations', 'embedding', 'compaction', 'usage', 'scrub', 'backup', 'contexts'] as const;
export type JobName = (typeof JOB_NAMES)[number];

export const JOB_STATES = ['idle', 'waiting', 'running'] as const;

/** How a job is. Times are epoch milliseconds. */
export interface JobReport {
  readonly name: JobName;
  /** `waiting`: its next run has a time. */
  readonly state: (typeof JOB_STATES)[number];
  /** Since the start of the process. */
  readonly runs: number;
  readonly failures: number;
  /** How many of the last runs failed one after the other; 0 after one that did not. */
  readonly failedInARow: number;
  /** Why the last run failed; absent where it did not. */
  readonly error?: string;
  readonly lastRun?: { readonly at: number; readonly ms: number };
  readonly nextRunAt?: number;
  /** Entries or events that wait for it, where that is known. */
  readonly waiting?: number;
  /** Of the run that goes on, where that is known. */
  readonly done?: number;
  readonly total?: number;
}
