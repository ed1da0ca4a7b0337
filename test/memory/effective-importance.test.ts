import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { effectiveImportance } from '../../src/memory/effective-importance.ts';
import { PRIORITIES } from '../../src/memory/entry.ts';

const DAY = 86_400_000;
const NOW = Date.UTC(2026, 5, 1);
const entry = { importance: 0.5, priority: 'normal', createdAt: NOW, updatedAt: NOW, recallCount: 0, now: NOW } as const;
const daysLater = (days: number): number => NOW + days * DAY;

const days = fc.double({ min: -10, max: 5000, noNaN: true });
const facts = fc.record({
  importance: fc.double({ min: 0, max: 1, noNaN: true }),
  priority: fc.constantFrom(...PRIORITIES),
  createdAt: days.map((ago) => NOW - ago * DAY),
  updatedAt: days.map((ago) => NOW - ago * DAY),
  lastRecalledAt: fc.option(
    days.map((ago) => NOW - ago * DAY),
    { nil: undefined },
  ),
  recallCount: fc.nat({ max: 100_000 }),
  now: fc.constant(NOW),
});

describe('effective importance', () => {
  it('equals the stored one without any activity', () => {
    expect(effectiveImportance(entry)).toBe(0.5);
  });

  it('halves with each 90 days without activity', () => {
    expect(effectiveImportance({ ...entry, now: daysLater(90) })).toBeCloseTo(0.25, 10);
    expect(effectiveImportance({ ...entry, now: daysLater(180) })).toBeCloseTo(0.125, 10);
  });

  it('counts age from the latest of creation, change and recall', () => {
    const now = daysLater(200);
    expect(effectiveImportance({ ...entry, now, updatedAt: daysLater(110) })).toBeCloseTo(0.25, 10);
    expect(effectiveImportance({ ...entry, now, updatedAt: daysLater(50), lastRecalledAt: daysLater(110) })).toBeCloseTo(0.25, 10);
    expect(effectiveImportance({ ...entry, createdAt: daysLater(5), updatedAt: daysLater(5) })).toBe(0.5);
  });

  it('rises by the logarithm of use, by at most three tenths of the rest', () => {
    expect(effectiveImportance({ ...entry, recallCount: 1 })).toBeCloseTo(0.525, 10);
    expect(effectiveImportance({ ...entry, recallCount: 7 })).toBeCloseTo(0.575, 10);
    expect(effectiveImportance({ ...entry, recallCount: 63 })).toBeCloseTo(0.65, 10);
    expect(effectiveImportance({ ...entry, recallCount: 1_000_000 })).toBeCloseTo(0.65, 10);
  });

  it('reaches the default threshold of 0.3 as documented', () => {
    expect(effectiveImportance({ ...entry, now: daysLater(66) })).toBeGreaterThan(0.3);
    expect(effectiveImportance({ ...entry, now: daysLater(67) })).toBeLessThan(0.3);
    expect(effectiveImportance({ ...entry, recallCount: 7, now: daysLater(84) })).toBeGreaterThan(0.3);
    expect(effectiveImportance({ ...entry, recallCount: 7, now: daysLater(85) })).toBeLessThan(0.3);
  });

  it('of high priority never falls below the stored one, and may rise above it', () => {
    const high = { ...entry, importance: 0.8, priority: 'high' } as const;
    expect(effectiveImportance({ ...high, now: daysLater(3650) })).toBe(0.8);
    expect(effectiveImportance({ ...high, recallCount: 63 })).toBeCloseTo(0.86, 10);
    fc.assert(
      fc.property(facts, (any) => {
        expect(effectiveImportance({ ...any, priority: 'high' })).toBeGreaterThanOrEqual(any.importance);
      }),
    );
  });

  it('is always between 0 and 1', () => {
    fc.assert(
      fc.property(facts, (any) => {
        const value = effectiveImportance(any);
        expect(value).toBeGreaterThanOrEqual(0);
        expect(value).toBeLessThanOrEqual(1);
      }),
    );
  });

  it('is never higher for an older entry', () => {
    fc.assert(
      fc.property(facts, fc.double({ min: 0, max: 5000, noNaN: true }), (any, more) => {
        expect(effectiveImportance({ ...any, now: any.now + more * DAY })).toBeLessThanOrEqual(effectiveImportance(any));
      }),
    );
  });

  it('is never lower with more recalls, or later ones', () => {
    fc.assert(
      fc.property(facts, fc.nat({ max: 1000 }), days, (any, more, ago) => {
        const value = effectiveImportance(any);
        const lastRecalledAt = Math.max(any.lastRecalledAt ?? -Infinity, any.now - ago * DAY);
        expect(effectiveImportance({ ...any, recallCount: any.recallCount + more })).toBeGreaterThanOrEqual(value);
        expect(effectiveImportance({ ...any, recallCount: any.recallCount + more, lastRecalledAt })).toBeGreaterThanOrEqual(value);
      }),
    );
  });

  it('is never lower with a higher stored importance', () => {
    fc.assert(
      fc.property(facts, fc.double({ min: 0, max: 1, noNaN: true }), (any, other) => {
        const [less, more] = [Math.min(any.importance, other), Math.max(any.importance, other)];
        expect(effectiveImportance({ ...any, importance: less })).toBeLessThanOrEqual(
          effectiveImportance({ ...any, importance: more }) + 1e-12,
        );
      }),
    );
  });
});
