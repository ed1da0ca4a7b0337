import { afterAll, describe, expect, it, vi } from 'vitest';

const zone = process.env['TZ'];
process.env['TZ'] = 'Europe/Berlin';
// The formats take the zone that there is when they are made, and another file of this process may have made them.
vi.resetModules();
const { momentText } = await import('../../web/src/stats/calendar.ts');
afterAll(() => {
  if (zone === undefined) delete process.env['TZ'];
  else process.env['TZ'] = zone;
});

/** In the language of this process, as the page has it in that of the browser. */
const DAY = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short' });
const WORDS = { today: 'Today', yesterday: 'Yesterday' };
const text = (iso: string, now: string): string => momentText(iso, WORDS, new Date(now));

describe('the time of a run', () => {
  it('is shown by calendar days, also with a 25-hour day', () => {
    expect(text('2026-10-25T00:30:00+02:00', '2026-10-26T12:00:00+01:00')).toBe('Yesterday, 00:30');
    expect(text('2026-10-24T23:30:00+02:00', '2026-10-26T12:00:00+01:00')).toBe('Saturday, 23:30');
    expect(text('2026-10-26T00:30:00+01:00', '2026-10-26T12:00:00+01:00')).toBe('Today, 00:30');
  });

  it('is shown by calendar days, also with a 23-hour day', () => {
    expect(text('2026-03-28T23:30:00+01:00', '2026-03-30T00:30:00+02:00')).toBe('Saturday, 23:30');
    expect(text('2026-03-29T03:30:00+02:00', '2026-03-30T00:30:00+02:00')).toBe('Yesterday, 03:30');
    expect(text('2026-03-23T03:30:00+01:00', '2026-03-30T00:30:00+02:00')).toBe(`${DAY.format(new Date('2026-03-23T12:00:00Z'))}, 03:30`);
  });
});
