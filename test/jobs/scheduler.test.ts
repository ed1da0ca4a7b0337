import { describe, expect, it } from 'vitest';
import type { JobClock } from '../../src/jobs/job-clock.ts';
import { Scheduler } from '../../src/jobs/scheduler.ts';
import { JOB_NAMES } from '../../src/memory/jobs.ts';
import { failureOf } from '../helpers/failure.ts';
import { recordedLog, type RecordedLog } from '../helpers/recorded-log.ts';
import { recordedTelemetry, type RecordedTelemetry } from '../helpers/recorded-telemetry.ts';

/** A clock that goes on only when it is told to. */
class HandClock implements JobClock {
  #now = 1_000_000;
  #waiting: { readonly at: number; readonly call: () => void }[] = [];

  now(): number {
    return this.#now;
  }

  after(ms: number, call: () => void): () => void {
    const one = { at: this.#now + ms, call };
    this.#waiting.push(one);
    return () => {
      this.#waiting = this.#waiting.filter((other) => other !== one);
    };
  }

  /** Goes on by so much, calling what is due on the way, and lets what that began come to its end. */
  async pass(ms: number): Promise<void> {
    const end = this.#now + ms;
    for (;;) {
      const [next] = this.#waiting.toSorted((a, b) => a.at - b.at);
      if (next === undefined || next.at > end) break;
      this.#waiting = this.#waiting.filter((other) => other !== next);
      this.#now = Math.max(this.#now, next.at);
      next.call();
      await settled();
    }
    this.#now = end;
  }

  /** As when the machine sleeps, or someone sets the clock: nothing is called on the way. */
  jump(ms: number): void {
    this.#now += ms;
  }
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

interface Setup {
  readonly clock: HandClock;
  readonly scheduler: Scheduler;
  readonly log: RecordedLog;
  readonly telemetry: RecordedTelemetry;
}

function setUp(background = true): Setup {
  const [clock, log, telemetry] = [new HandClock(), recordedLog(), recordedTelemetry()];
  return { clock, log, telemetry, scheduler: new Scheduler({ clock, log, telemetry, background }) };
}

describe('a job', () => {
  it('runs at the earliest of the requested times, once for all of them', async () => {
    const { clock, scheduler } = setUp();
    const at: number[] = [];
    const job = scheduler.add({ name: 'usage', failure: 'failed', run: () => Promise.resolve(void at.push(clock.now())) });
    const start = clock.now();
    for (const ms of [500, 100, 300]) job.wake(ms);
    expect(job.report).toMatchObject({ state: 'waiting', nextRunAt: start + 100 });
    await clock.pass(1000);
    expect(at).toEqual([start + 100]);
    expect(job.report).toMatchObject({ name: 'usage', state: 'idle', runs: 1, failures: 0, lastRun: { at: start + 100 } });
  });

  it('runs again after the delay that its run returns', async () => {
    const { clock, scheduler } = setUp();
    let runs = 0;
    scheduler.add({ name: 'scrub', failure: 'failed', run: () => Promise.resolve(++runs < 3 ? 50 : undefined) }).wake();
    await clock.pass(10_000);
    expect(runs).toBe(3);
  });

  it('that is woken while it runs runs once more afterwards', async () => {
    const { clock, scheduler } = setUp();
    const ends: (() => void)[] = [];
    const job = scheduler.add({
      name: 'relations',
      failure: 'failed',
      run: () => new Promise((resolve) => void ends.push(() => resolve(undefined))),
    });
    job.wake();
    await clock.pass(1);
    job.wake(5);
    job.wake();
    await clock.pass(1000);
    expect([ends.length, job.report.state]).toEqual([1, 'running']);
    ends[0]!();
    await settled();
    await clock.pass(1);
    expect(ends).toHaveLength(2);
    ends[1]!();
    await settled();
    await clock.pass(1000);
    expect(ends).toHaveLength(2);
  });

  it('that fails is logged, counted and retried, and healthy again after a success', async () => {
    const { clock, scheduler, log, telemetry } = setUp();
    let runs = 0;
    const job = scheduler.add({
      name: 'capture',
      failure: 'events wait',
      retryAfter: () => 10,
      run: () => (++runs < 3 ? Promise.reject(new Error('no room')) : Promise.resolve(undefined)),
    });
    job.wake();
    await clock.pass(15);
    expect(job.report).toMatchObject({ runs: 2, failures: 2, failedInARow: 2, error: 'no room', state: 'waiting' });
    expect(log.lines.map(({ level, message }) => [level, message])).toEqual([
      ['warn', 'events wait'],
      ['warn', 'events wait'],
    ]);
    await clock.pass(15);
    const { report } = job;
    expect(report).toMatchObject({ runs: 3, failures: 2, failedInARow: 0 });
    expect(report).not.toHaveProperty('error');
    expect(telemetry.counted).toEqual(['job run capture failed', 'job run capture failed', 'job run capture done']);
  });

  it('runs by the wall clock after a sleep, and not early after the clock was set back', async () => {
    const { clock, scheduler } = setUp();
    const at: number[] = [];
    const job = scheduler.add({ name: 'backup', failure: 'failed', run: () => Promise.resolve(void at.push(clock.now())) });
    const due = clock.now() + 3_600_000;
    job.wake(3_600_000);
    await clock.pass(10_000);
    clock.jump(3_595_000);
    await clock.pass(30_000);
    expect(at).toHaveLength(1);
    expect(at[0]).toBeGreaterThanOrEqual(due);
    job.wake(3_600_000);
    clock.jump(-7_200_000);
    await clock.pass(3_600_000);
    expect(at).toHaveLength(1);
  });

  it('that a caller requests rejects like its work, and exclusive work has no concurrent run', async () => {
    const { clock, scheduler } = setUp();
    const said: string[] = [];
    const job = scheduler.add({
      name: 'backup',
      failure: 'failed',
      run: () => Promise.resolve(void said.push('run')),
    });
    let end = (): void => undefined;
    const alone = job.alone(async () => {
      said.push('alone');
      await new Promise<void>((resolve) => (end = resolve));
      said.push('over');
    });
    job.wake();
    await clock.pass(100);
    expect(said).toEqual(['alone']);
    end();
    await alone;
    await clock.pass(1);
    expect(said).toEqual(['alone', 'over', 'run']);
    expect(await failureOf(job.alone(() => Promise.reject(new Error('no'))))).toMatchObject({ message: 'no' });
    await job.runNow();
    expect(said.at(-1)).toBe('run');
  });

  it('of a process without automatic jobs runs only on request', async () => {
    const { clock, scheduler } = setUp(false);
    let runs = 0;
    const job = scheduler.add({ name: 'usage', failure: 'failed', run: () => Promise.resolve(void (runs += 1)) });
    job.wake();
    await clock.pass(100_000);
    expect([runs, job.report.state]).toEqual([0, 'idle']);
    await job.runNow();
    expect(runs).toBe(1);
  });
});

describe('a job with low priority', () => {
  it('waits while there are requests, up to its limit', async () => {
    const { scheduler } = setUp();
    const asked: string[] = [];
    const job = scheduler.add({
      name: 'relations',
      failure: 'failed',
      run: async ({ whenQuiet }) => {
        await whenQuiet(() => asked.push('without') < 0);
        scheduler.noteRequest();
        await whenQuiet(() => asked.push('with') < 0);
        return undefined;
      },
    });
    await job.runNow();
    expect(asked).toEqual(['with']);
  });
});

describe('the end of a process', () => {
  it('stops jobs in the order of their names, each after its current run', async () => {
    const { clock, scheduler, log } = setUp();
    const ended: string[] = [];
    const jobs = JOB_NAMES.toReversed().map((name) =>
      scheduler.add({
        name,
        failure: 'failed',
        run: async ({ rest }) => {
          await rest(60_000).finally(() => void ended.push(name));
          return undefined;
        },
      }),
    );
    for (const job of jobs) job.wake();
    await clock.pass(1);
    await scheduler.close();
    expect(ended).toEqual(JOB_NAMES);
    for (const job of jobs) job.wake();
    await clock.pass(100_000);
    expect(ended).toHaveLength(JOB_NAMES.length);
    // To be ended is no failure.
    expect(log.lines).toEqual([]);
    expect(scheduler.reports().every(({ state, failures }) => state === 'idle' && failures === 0)).toBe(true);
  });

  it('lets a job finish its last work', async () => {
    const { scheduler } = setUp();
    const said: string[] = [];
    const job = scheduler.add({
      name: 'usage',
      failure: 'failed',
      run: () => Promise.resolve(void said.push('written')),
      close: async (stop) => {
        await stop();
        await job.tryNow();
      },
    });
    await scheduler.close();
    expect(said).toEqual(['written']);
  });
});
