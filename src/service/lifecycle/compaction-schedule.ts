import { Cron } from 'croner';
import type { Log } from '../../memory/log.ts';

/** A run that was missed while no server ran follows this long after the start. */
const CATCH_UP_MS = 10 * 60_000;

interface Parts {
  /** Five cron fields, local time. */
  readonly schedule: string;
  readonly run: () => Promise<unknown>;
  /** When compaction ran last, or what is in the store began: epoch milliseconds; undefined for an empty store. */
  readonly since: () => Promise<number | undefined>;
  readonly log: Log;
}

/** Runs compaction by the clock. Keeps no process alive; a run that is due while another one goes on is left out. */
export class CompactionSchedule {
  readonly #parts: Parts;
  readonly #job: Cron;
  #catchUp: NodeJS.Timeout | undefined;

  constructor(parts: Parts) {
    this.#parts = parts;
    // Our own check lets pass what other crons do (`5/10`), which is called sloppy here.
    const options = { unref: true, protect: true, mode: '5-part', sloppyRanges: true } as const;
    this.#job = new Cron(parts.schedule, options, () => this.#run());
  }

  /** When it runs next; undefined where the schedule never comes. */
  get next(): Date | undefined {
    return this.#job.nextRun() ?? undefined;
  }

  /** Makes up for the last run where that was missed. */
  async catchUp(): Promise<void> {
    const [due] = this.#job.previousRuns(1);
    const since = await this.#parts.since();
    if (due === undefined || since === undefined || since >= due.getTime() || this.#job.isStopped()) return;
    this.#parts.log.info({ due: due.toISOString() }, 'the last compaction was missed; it follows in ten minutes');
    this.#catchUp = setTimeout(() => void this.#run(), CATCH_UP_MS).unref();
  }

  stop(): void {
    this.#job.stop();
    clearTimeout(this.#catchUp);
  }

  async #run(): Promise<void> {
    try {
      await this.#parts.run();
    } catch (error) {
      this.#parts.log.warn({ error: String(error) }, 'compaction stopped; it runs again when it is due');
    }
  }
}
