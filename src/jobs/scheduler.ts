import { JOB_NAMES, type JobName, type JobReport } from '../memory/jobs.ts';
import type { Log } from '../memory/log.ts';
import type { Telemetry } from '../memory/telemetry.ts';
import { Job, type Work } from './job.ts';
import { systemClock, type JobClock } from './job-clock.ts';

interface Parts {
  readonly log: Log;
  readonly telemetry: Telemetry;
  /** Whether jobs run on their own. False for a command that ends soon. */
  readonly background: boolean;
  /** Default: the clock of the machine. */
  readonly clock?: JobClock;
}

/** The background jobs of a process: their state and next run, their failures, and the order in which they close. */
export class Scheduler {
  readonly #parts: Parts;
  readonly #jobs = new Map<JobName, Job>();
  #lastRequestAt = -Infinity;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Whether jobs run on their own. */
  get background(): boolean {
    return this.#parts.background;
  }

  /** Adds a job. Throws if its name is taken. */
  add(work: Work): Job {
    const { clock = systemClock, ...parts } = this.#parts;
    if (this.#jobs.has(work.name)) throw new Error(`a second job is called ${work.name}`);
    const job = new Job(work, { ...parts, clock, lastRequestAt: () => this.#lastRequestAt });
    this.#jobs.set(work.name, job);
    return job;
  }

  /** Call for every request: jobs that can wait run in a moment without requests. */
  noteRequest(): void {
    this.#lastRequestAt = performance.now();
  }

  /** A report of each job, ordered by name. */
  reports(): JobReport[] {
    return JOB_NAMES.flatMap((name) => this.#jobs.get(name)?.report ?? []);
  }

  /** Ends all jobs one after the other, ordered by name. */
  async close(): Promise<void> {
    for (const name of JOB_NAMES) await this.#jobs.get(name)?.close();
  }
}
