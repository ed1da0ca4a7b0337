import { describe, expect, it } from 'vitest';
import { growthOf } from '../../../src/service/reports/growth.ts';

const NOW = Date.parse('2026-06-17T10:00:00Z');
const created = (...times: readonly string[]) => times.map((time) => ({ createdAt: Date.parse(time) }));
const growth = (entries: readonly { createdAt: number }[], wish: Partial<Parameters<typeof growthOf>[1]> = {}) =>
  growthOf(entries, { range: undefined, timeZone: 'UTC', now: NOW, ...wish });

describe('growth', () => {
  it('of an empty store is flat', () => {
    const { range, step, points } = growth([]);
    expect({ range, step, points: points.length }).toEqual({ range: '30d', step: 'day', points: 30 });
    expect(points.at(-1)).toEqual({ day: '2026-06-17', saved: 0, total: 0 });
    expect(growth([], { range: 'all' }).points.map(({ day }) => day)).toEqual(['2026-06-16', '2026-06-17']);
  });

  it('counts each day and its total at the end', () => {
    const { points } = growth(created('2026-06-14T08:00Z', '2026-06-16T23:59Z', '2026-06-17T00:00Z', '2026-06-17T09:00Z'));
    expect(points.slice(-4)).toEqual([
      { day: '2026-06-14', saved: 1, total: 1 },
      { day: '2026-06-15', saved: 0, total: 1 },
      { day: '2026-06-16', saved: 1, total: 2 },
      { day: '2026-06-17', saved: 2, total: 4 },
    ]);
  });

  it('uses the time zone of the person', () => {
    const entries = created('2026-06-16T23:30Z');
    const dayOf = (timeZone: string) => growth(entries, { timeZone }).points.find(({ saved }) => saved > 0)?.day;
    expect([dayOf('UTC'), dayOf('Europe/Berlin'), dayOf('America/Los_Angeles')]).toEqual(['2026-06-16', '2026-06-17', '2026-06-16']);
  });

  it('loses and doubles nothing on days with a clock change', () => {
    const hours = Array.from({ length: 72 }, (_, hour) => ({ createdAt: Date.parse('2026-03-28T00:00:00+01:00') + hour * 3_600_000 }));
    const { points } = growth(hours, { timeZone: 'Europe/Berlin', now: Date.parse('2026-04-02T10:00:00Z') });
    expect(points.filter(({ saved }) => saved > 0)).toEqual([
      { day: '2026-03-28', saved: 24, total: 24 },
      { day: '2026-03-29', saved: 23, total: 47 },
      { day: '2026-03-30', saved: 24, total: 71 },
      { day: '2026-03-31', saved: 1, total: 72 },
    ]);
  });

  it('assigns a late save to its day if the clock skips midnight', () => {
    const entries = created('2026-09-06T03:30:00Z', '2026-09-06T04:00:00Z');
    const { points } = growth(entries, { timeZone: 'America/Santiago', now: Date.parse('2026-09-07T12:00:00Z') });
    expect(points.slice(-3).map(({ day, saved }) => [day, saved])).toEqual([
      ['2026-09-05', 1],
      ['2026-09-06', 1],
      ['2026-09-07', 0],
    ]);
  });

  it('steps by weeks from Monday over twelve months, with older entries in the total', () => {
    const { range, step, points } = growth(created('2020-01-01', '2026-06-08', '2026-06-14T23:59Z', '2026-06-15'));
    expect({ range, step, points: points.length }).toEqual({ range: '12m', step: 'week', points: 53 });
    expect(points[0]).toEqual({ day: '2025-06-16', saved: 0, total: 1 });
    expect(points.slice(-2)).toEqual([
      { day: '2026-06-08', saved: 2, total: 3 },
      { day: '2026-06-15', saved: 1, total: 4 },
    ]);
  });

  it('steps by days, weeks or months over all, by span', () => {
    const since = (time: string) => {
      const { step, points } = growth(created(time), { range: 'all' });
      return [step, points.length, points[0]?.day, points.reduce((sum, { saved }) => sum + saved, 0)];
    };
    expect(since('2026-06-10')).toEqual(['day', 8, '2026-06-10', 1]);
    expect(since('2025-06-10')).toEqual(['week', 54, '2025-06-09', 1]);
    expect(since('2020-05-10')).toEqual(['month', 74, '2020-05-01', 1]);
  });

  it('stays small for any dates', () => {
    const { points } = growth(created('0001-01-01', '2026-06-17T09:00Z', '2999-01-01'), { range: 'all' });
    expect(points).toHaveLength(600);
    expect(points.at(-1)).toEqual({ day: '2026-06-01', saved: 2, total: 3 });
  });
});
