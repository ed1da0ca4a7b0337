import { Cron } from 'croner';
import type { Job } from '../../jobs/job.ts';
import type { Scheduler } from '../../jobs/scheduler.ts';
import type { Log } from '../../memory/log.ts';

/** Delay after the start for a run that was missed while no server ran. */
const CATCH_UP_MS = 10 * 60_000;
/** Delay after the time when a run was due. */
const PAST_MS = 1_000;

interface Parts {
  /** Five cron fields, local time. */
  readonly schedule: string;
  readonly run: () => Promise<void>;
  /** Time of the last compaction, or of the oldest entry: epoch milliseconds; undefined for an empty store. */
  readonly since: () => Promise<number | undefined>;
  readonly scheduler: Pick<Scheduler, 'add'>;
  readonly log: Log;
}

/** Runs compaction on schedule, and makes up for a missed run. */
export class CompactionSchedule {
  readonly #parts: Parts;
  readonly #cron: Cron;
  readonly #job: Job;

  constructor(parts: Parts) {
    this.#parts = parts;
    // Our own check accepts what other crons accept (`5/10`), which this library calls sloppy.
    this.#cron = new Cron(parts.schedule, { paused: true, mode: '5-part', sloppyRanges: true });
    this.#job = parts.scheduler.add({
      name: 'compaction',
      run: async () => {
        await parts.run();
        return this.#untilNext();
      },
      retryAfter: () => this.#untilNext(),
      failure: 'compaction stopped; it runs again when it is due',
    });
    const ms = this.#untilNext();
    if (ms !== undefined) this.#job.wake(ms);
  }

  /** Time of the next run; undefined if the schedule never matches. */
  get next(): Date | undefined {
    return this.#cron.nextRun() ?? undefined;
  }

  /** Starts a missed run. */
  async catchUp(): Promise<void> {
    const [due] = this.#cron.previousRuns(1);
    const since = await this.#parts.since();
    if (due === undefined || since === undefined || since >= due.getTime() || this.#job.isEnding) return;
    this.#parts.log.info({ due: due.toISOString() }, 'the last compaction was missed; it follows in ten minutes');
    this.#job.wake(CATCH_UP_MS);
  }

  #untilNext(): number | undefined {
    const next = this.#cron.nextRun(new Date(Date.now() + PAST_MS));
    return next === null ? undefined : next.getTime() - Date.now();
  }
}
