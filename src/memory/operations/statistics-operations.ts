/** How a store grew and how it is used, as requests and results. */
import { z } from 'zod';
import { Namespace, type Source } from '../entry.ts';
import type { LatencyReport } from '../latency-history.ts';
import type { CallOptions } from './operations.ts';
import { TimeZone } from '../time-zone.ts';

export const GROWTH_RANGES = ['30d', '12m', 'all'] as const;
export type GrowthRange = (typeof GROWTH_RANGES)[number];
export const GROWTH_STEPS = ['day', 'week', 'month'] as const;
export type GrowthStep = (typeof GROWTH_STEPS)[number];

const OneNamespace = Namespace.optional().meta({ description: 'Only this namespace; default all.' });

export const StatsRequest = z.strictObject({ namespace: OneNamespace }).meta({ id: 'StatsRequest' });
export type StatsRequest = z.output<typeof StatsRequest>;

export const GrowthRequest = z
  .strictObject({
    range: z.enum(GROWTH_RANGES).optional().meta({ description: 'Default `12m`, or `30d` if the oldest entry is younger than that.' }),
    namespace: OneNamespace,
    timeZone: TimeZone.optional(),
  })
  .meta({ id: 'GrowthRequest' });
export type GrowthRequest = z.output<typeof GrowthRequest>;

export const ActivityRequest = z.strictObject({ namespace: OneNamespace, timeZone: TimeZone.optional() }).meta({ id: 'ActivityRequest' });
export type ActivityRequest = z.output<typeof ActivityRequest>;

/** How the entries that are there now came to be so many. */
export interface Growth {
  readonly range: GrowthRange;
  readonly step: GrowthStep;
  /** Oldest first, without a gap. A week begins on Monday. */
  readonly points: readonly {
    /** The first day of the step, as `2026-01-31`. */
    readonly day: string;
    /** Entries created within it. */
    readonly saved: number;
    /** Entries created until its end. */
    readonly total: number;
  }[];
}

/** What was asked, as far as this process answered it. */
export interface Activity {
  /** When counting began, epoch milliseconds. */
  readonly since: number;
  /** Recalls, searches and prompts that context was asked for, of the last hour. */
  readonly latency: LatencyReport;
  /** The same of today. */
  readonly today: {
    readonly recalls: number;
    /** Those that found something. */
    readonly answered: number;
    readonly bySource: Readonly<Partial<Record<Source, { readonly recalls: number; readonly answered: number }>>>;
  };
}

/** All methods reject with LoreError. */
export interface StatisticsOperations {
  growth(request: GrowthRequest, options?: CallOptions): Promise<Growth>;
  activity(request: ActivityRequest, options?: CallOptions): Promise<Activity>;
}
