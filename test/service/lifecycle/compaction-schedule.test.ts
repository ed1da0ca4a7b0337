import { describe, expect, it } from 'vitest';
import { Scheduler } from '../../../src/jobs/scheduler.ts';
import { noTelemetry } from '../../../src/memory/telemetry.ts';
import { CompactionSchedule } from '../../../src/service/lifecycle/compaction-schedule.ts';
import { isCron } from '../../../src/config/formats.ts';
import { recordedLog } from '../../helpers/recorded-log.ts';

const NEVER = (): Promise<undefined> => Promise.resolve(undefined);
const schedulerOf = (): Scheduler => new Scheduler({ background: true, log: recordedLog(), telemetry: noTelemetry });

describe('the schedule of compaction', () => {
  it.each(['0 2 * * 0', '*/15 * * * *', '5/10 1-3 1,15 * 7', '0 0 29 2 *'])('parses configured values, such as %s', (schedule) => {
    expect(isCron(schedule)).toBe(true);
    const scheduler = schedulerOf();
    const plan = new CompactionSchedule({ schedule, run: NEVER, since: NEVER, scheduler, log: recordedLog() });
    expect(plan.next).toBeInstanceOf(Date);
    return scheduler.close();
  });

  it('is in local time', async () => {
    const scheduler = schedulerOf();
    const plan = new CompactionSchedule({ schedule: '30 12 * * *', run: NEVER, since: NEVER, scheduler, log: recordedLog() });
    expect([plan.next?.getHours(), plan.next?.getMinutes()]).toEqual([12, 30]);
    await scheduler.close();
  });

  it('catches up on a missed run only', async () => {
    for (const [since, missed] of [
      [0, true],
      [Date.now(), false],
      [undefined, false],
    ] as const) {
      const log = recordedLog();
      const scheduler = schedulerOf();
      const plan = new CompactionSchedule({ schedule: '0 2 * * 0', run: NEVER, since: () => Promise.resolve(since), scheduler, log });
      await plan.catchUp();
      await scheduler.close();
      expect(JSON.stringify(log.lines).includes('missed')).toBe(missed);
    }
  });
});
