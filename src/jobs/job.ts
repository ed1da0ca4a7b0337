import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { LoreError } from '../memory/errors.ts';
import type { JobName, JobReport } from '../memory/jobs.ts';
import type { Log } from '../memory/log.ts';
import { runInScope } from '../memory/request-scope.ts';
import type { Telemetry } from '../memory/telemetry.ts';
import type { JobClock } from './job-clock.ts';
import { withoutUndefined } from '../memory/without-undefined.ts';

/** Longer waits are split into steps of this length: the clock may be set meanwhile, or the machine may sleep. */
const LONGEST_STEP_MS = 30_000;
/** No request for this long: no client waits for a response. */
const QUIET_MS = 50;

/** Passed to each run. */
export interface JobRun {
  /** Aborted with `unavailable` when the job closes. */
  readonly signal: AbortSignal;
  /** Yields to the event loop. Rejects when the job closes. */
  readonly pause: () => Promise<void>;
  /** Sleeps. Rejects when the job closes. */
  readonly rest: (ms: number) => Promise<void>;
  /** Waits for a moment without requests, as long as `isPatient` returns true. Rejects when the job closes. */
  readonly whenQuiet: (isPatient: (waitedMs: number) => boolean) => Promise<void>;
}

/** The work of a job. */
export interface Work {
  readonly name: JobName;
  /** One run. Resolves to the milliseconds until the next run, or to undefined to wait for the next `wake`. */
  readonly run: (run: JobRun) => Promise<number | undefined>;
  /** Milliseconds until the retry after a failure. Left out: no retry until the next `wake`. */
  readonly retryAfter?: () => number | undefined;
  /** Log message of a failure. */
  readonly failure: string;
  /** Number of entries or events that wait for this job. */
  readonly waiting?: () => number;
  /** Progress of the current run. */
  readonly progress?: () => { readonly done: number; readonly total: number } | undefined;
  /** Replaces the default close, which only calls `stop`. `stop` waits for the current run. */
  readonly close?: (stop: () => Promise<void>) => Promise<void>;
}

interface Parts {
  readonly clock: JobClock;
  /** Whether jobs run on their own, and not only through `runNow`. */
  readonly background: boolean;
  /** When the last request came, milliseconds of `performance.now`. */
  readonly lastRequestAt: () => number;
  readonly log: Log;
  readonly telemetry: Telemetry;
}

/** A background job: at most one run at a time; failures are counted and logged. */
export class Job {
  readonly #work: Work;
  readonly #parts: Parts;
  readonly #ending = new AbortController();
  /** When the next run is due, epoch milliseconds. */
  #due: number | undefined;
  #cancel: () => void = () => undefined;
  #tail: Promise<unknown> = Promise.resolve();
  /** Runs that have started or wait for the current one. */
  #underWay = 0;
  #runs = 0;
  #failures = 0;
  #failedInARow = 0;
  #error: string | undefined;
  #last: { readonly at: number; readonly ms: number } | undefined;

  constructor(work: Work, parts: Parts) {
    this.#work = work;
    this.#parts = parts;
  }

  get report(): JobReport {
    const { name, waiting, progress } = this.#work;
    const isRunning = this.#underWay > 0;
    const part = isRunning ? progress?.() : undefined;
    return {
      name,
      state: isRunning ? 'running' : this.#due === undefined ? 'idle' : 'waiting',
      runs: this.#runs,
      failures: this.#failures,
      failedInARow: this.#failedInARow,
      ...withoutUndefined({ error: this.#error, lastRun: this.#last, nextRunAt: this.#due }),
      ...(waiting !== undefined && { waiting: waiting() }),
      ...part,
    };
  }

  /** Whether scheduled runs still happen. */
  get runsAutomatically(): boolean {
    return this.#parts.background && !this.isEnding;
  }

  get isEnding(): boolean {
    return this.#ending.signal.aborted;
  }

  /** Schedules a run after `afterMs` milliseconds, unless an earlier one is due. During a run the new run follows it. */
  wake(afterMs = 0): void {
    if (!this.runsAutomatically) return;
    const due = this.#parts.clock.now() + afterMs;
    if (this.#due !== undefined && this.#due <= due) return;
    this.#due = due;
    if (this.#underWay === 0) this.#arm(afterMs);
  }

  /** Runs now, or after the current run. Rejects with the error of the work. */
  runNow(): Promise<void> {
    return this.alone(async () => {
      const next = await this.#run();
      if (next !== undefined) this.wake(next);
    });
  }

  /** Like `runNow`, but a failure is only logged. */
  tryNow(): Promise<void> {
    return this.alone(() => this.#tryToRun());
  }

  /** Runs other work after the current run; no run starts meanwhile. */
  async alone<Result>(work: () => Promise<Result>): Promise<Result> {
    this.#cancel();
    this.#underWay += 1;
    const turn = this.#tail.then(work);
    this.#tail = turn.catch(() => undefined);
    try {
      return await turn;
    } finally {
      this.#underWay -= 1;
      if (this.#underWay === 0 && this.#due !== undefined && !this.isEnding) this.#arm(this.#due - this.#parts.clock.now());
    }
  }

  /** Ends the job: no new run begins, and the current one has ended. Safe to repeat. */
  async close(): Promise<void> {
    const { close } = this.#work;
    await (close === undefined ? this.#stop() : close(() => this.#stop()));
  }

  async #stop(): Promise<void> {
    this.#ending.abort(new LoreError('unavailable', 'The store is closing.'));
    this.#cancel();
    this.#due = undefined;
    await this.#tail;
  }

  #arm(ms: number): void {
    this.#cancel();
    const { clock } = this.#parts;
    const step = Math.min(Math.max(0, ms), LONGEST_STEP_MS);
    this.#cancel = clock.after(step, () => {
      const left = step < ms ? (this.#due ?? 0) - clock.now() : 0;
      if (left > 0) this.#arm(left);
      // Outside the scope of the request that woke it: the run serves all of them.
      else void runInScope(undefined, () => this.alone(() => this.#runIfDue()));
    });
  }

  async #runIfDue(): Promise<void> {
    // Both may have changed while this run waited for another.
    if (!this.isEnding && this.#due !== undefined) await this.#tryToRun();
  }

  async #tryToRun(): Promise<void> {
    this.#due = undefined;
    const { log } = this.#parts;
    const { failure, retryAfter } = this.#work;
    try {
      const next = await this.#run();
      if (next !== undefined) this.wake(next);
    } catch (error) {
      if (error === this.#ending.signal.reason) return;
      log.warn({ job: this.#work.name, err: error, failures: this.#failedInARow }, failure);
      const next = retryAfter?.();
      if (next !== undefined) this.wake(next);
    }
  }

  async #run(): Promise<number | undefined> {
    const { clock, telemetry } = this.#parts;
    const [at, started] = [clock.now(), performance.now()];
    try {
      const next = await this.#work.run(this.#given);
      this.#failedInARow = 0;
      this.#error = undefined;
      telemetry.count('job run', this.#work.name, 'done');
      return next;
    } catch (error) {
      if (error !== this.#ending.signal.reason) {
        this.#failures += 1;
        this.#failedInARow += 1;
        this.#error = error instanceof Error ? error.message : String(error);
        telemetry.count('job run', this.#work.name, 'failed');
      }
      throw error;
    } finally {
      this.#runs += 1;
      this.#last = { at, ms: Math.round(performance.now() - started) };
    }
  }

  get #given(): JobRun {
    const { signal } = this.#ending;
    const { lastRequestAt } = this.#parts;
    const rest = async (ms: number): Promise<void> => {
      await sleep(ms, undefined, { signal, ref: false }).catch(() => signal.throwIfAborted());
    };
    return {
      signal,
      rest,
      pause: async () => {
        await nextTurn();
        signal.throwIfAborted();
      },
      whenQuiet: async (isPatient) => {
        signal.throwIfAborted();
        const begun = performance.now();
        while (performance.now() < lastRequestAt() + QUIET_MS && isPatient(performance.now() - begun)) await rest(QUIET_MS);
      },
    };
  }
}
