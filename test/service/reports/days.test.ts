import { describe, expect, it } from 'vitest';
import { countPerDay, countPerYear } from '../../../src/service/reports/days.ts';

const at = (...moments: string[]): number[] => moments.map((moment) => Date.parse(moment));
/** Clocks change at midnight, at other times, and by a whole day. */
const ZONES = [
  'Europe/Berlin',
  'America/New_York',
  'Australia/Lord_Howe',
  'Pacific/Apia',
  'America/Sao_Paulo',
  'Africa/Cairo',
  'America/Santiago',
  'Asia/Beirut',
];

describe('counting times by day', () => {
  it('returns days with entries, the last one first', () => {
    const moments = at('2026-01-01T00:00:00Z', '2026-01-01T23:59:59.999Z', '2026-01-02T00:00:00Z', '2026-03-01T12:00:00Z');
    expect(countPerDay(moments, 'UTC')).toEqual([
      { day: '2026-03-01', entries: 1 },
      { day: '2026-01-02', entries: 1 },
      { day: '2026-01-01', entries: 2 },
    ]);
    expect(countPerDay([], 'UTC')).toEqual([]);
  });

  it('starts a day by the time zone', () => {
    const moments = at('2026-06-30T14:59:59Z', '2026-06-30T15:00:00Z', '2026-07-01T14:59:59Z', '2026-07-01T15:00:00Z');
    expect(countPerDay(moments, 'Asia/Tokyo')).toEqual([
      { day: '2026-07-02', entries: 1 },
      { day: '2026-07-01', entries: 2 },
      { day: '2026-06-30', entries: 1 },
    ]);
    expect(countPerDay(at('2026-06-30T18:29:59Z', '2026-06-30T18:30:00Z'), 'Asia/Kolkata')).toHaveLength(2);
  });

  it('agrees with the calendar on every clock change and skipped day', () => {
    for (const zone of ZONES) {
      const day = new Intl.DateTimeFormat('en-CA', { timeZone: zone, year: 'numeric', month: '2-digit', day: '2-digit' });
      for (const year of [2011, 2026]) {
        const moments = Array.from({ length: 2 * 366 * 24 }, (_, half) => Date.UTC(year, 0, 1) + half * 1_800_000);
        const counted = new Map<string, number>();
        for (const moment of moments) counted.set(day.format(moment), (counted.get(day.format(moment)) ?? 0) + 1);
        expect(countPerDay(moments, zone)).toEqual([...counted].map(([name, entries]) => ({ day: name, entries })).toReversed());
      }
    }
  });
});

describe('counting moments by years', () => {
  it('agrees with the days of the zone, also before the year 100', () => {
    const moments = [
      ...at('0099-12-31T23:59:59Z', '0100-01-01T00:00:00Z'),
      ...Array.from({ length: 3 * 366 * 24 }, (_, hour) => Date.UTC(2009, 11, 30) + hour * 3_600_000),
    ];
    for (const zone of ['UTC', ...ZONES]) {
      const counted = new Map<string, number>();
      for (const { day, entries } of countPerDay(moments, zone))
        counted.set(day.slice(0, 4), (counted.get(day.slice(0, 4)) ?? 0) + entries);
      expect(countPerYear(moments, zone)).toEqual([...counted].map(([value, entries]) => ({ value, entries })));
    }
    expect(countPerYear([], 'UTC')).toEqual([]);
  });
});
