import { describe, expect, it } from 'vitest';
import { duration } from '../../web/src/parts/formats.ts';
import { scheduleInWords } from '../../web/src/admin/schedule.ts';

it('shows a schedule in words, or its cron expression', () => {
  expect(scheduleInWords('0 2 * * 0')).toBe('on Sundays at 02:00');
  expect(scheduleInWords('5 14 * * 7')).toBe('on Sundays at 14:05');
  expect(scheduleInWords('30 3 * * *')).toBe('daily at 03:30');
  expect(scheduleInWords('*/5 * * * *')).toBe('on the cron schedule `*/5 * * * *`');
});

describe('a duration among the settings', () => {
  it.each([
    [86_400_000, '24 hours'],
    [3_600_000, '1 hour'],
    [90_000, '90 seconds'],
    [1_500, '1,500 ms'],
  ])('of %d ms is shown as %s', (ms, said) => {
    expect(duration(ms)).toBe(said);
  });
});
