import { describe, expect, it } from 'vitest';
import { DAY_MS } from '../../src/memory/durations.ts';
import { Calendar, dayName } from '../../src/memory/time-zone.ts';

const iso = (moment: number): string => new Date(moment).toISOString();
/** Clocks that change at midnight, at other times, by half an hour, by a whole day, and never. */
const ZONES = [
  'America/Santiago',
  'Asia/Beirut',
  'Africa/Cairo',
  'Europe/Berlin',
  'Australia/Lord_Howe',
  'Pacific/Apia',
  'Asia/Kathmandu',
  'UTC',
];

describe('a calendar', () => {
  it.each([
    ['America/Santiago', '2026-09-06', '2026-09-06T04:00:00.000Z'],
    ['America/Santiago', '2026-04-05', '2026-04-05T04:00:00.000Z'],
    ['Asia/Beirut', '2026-03-29', '2026-03-28T22:00:00.000Z'],
    ['Asia/Beirut', '2026-10-25', '2026-10-24T22:00:00.000Z'],
    ['Europe/Berlin', '2026-03-29', '2026-03-28T23:00:00.000Z'],
    ['Europe/Berlin', '2026-03-30', '2026-03-29T22:00:00.000Z'],
    ['Pacific/Apia', '2011-12-30', '2011-12-30T10:00:00.000Z'],
    ['Pacific/Apia', '2011-12-31', '2011-12-30T10:00:00.000Z'],
  ])('knows the start of a day with a clock change: %s %s', (zone, day, begins) => {
    expect(iso(new Calendar(zone).startOf(Date.parse(day)))).toBe(begins);
  });

  it.each(ZONES)('starts every day at its first moment: %s', (zone) => {
    const calendar = new Calendar(zone);
    const wrong: string[] = [];
    for (const year of [2011, 2026]) {
      for (let day = Date.UTC(year, 0, 1); day < Date.UTC(year + 1, 0, 1); day += DAY_MS) {
        const start = calendar.startOf(day);
        if (calendar.dayOf(start) < day || calendar.dayOf(start - 1) >= day) wrong.push(dayName(day));
      }
    }
    expect(wrong).toEqual([]);
  });

  it('knows days of the first centuries', () => {
    const calendar = new Calendar('UTC');
    expect(['0001-01-01', '0044-03-15', '1969-12-31'].map((day) => dayName(calendar.dayOf(Date.parse(`${day}T23:59:59Z`))))).toEqual([
      '0001-01-01',
      '0044-03-15',
      '1969-12-31',
    ]);
  });
});
