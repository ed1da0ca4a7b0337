/** Requests and results for growth and use of a store. */
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

/** Growth of the current entries over time. */
export interface Growth {
  readonly range: GrowthRange;
  readonly step: GrowthStep;
  /** Oldest first, without a gap. A week begins on Monday. */
  readonly points: readonly {
    /** First day of the step, such as `2026-01-31`. */
    readonly day: string;
    /** Entries created within it. */
    readonly saved: number;
    /** Entries created up to its end. */
    readonly total: number;
  }[];
}

/** Recall statistics of this process. */
export interface Activity {
  /** When counting began, epoch milliseconds. */
  readonly since: number;
  /** Latency of recalls, searches and context requests in the last hour. */
  readonly latency: LatencyReport;
  /** Counts of the same requests today. */
  readonly today: {
    readonly recalls: number;
    /** Requests with at least one result. */
    readonly answered: number;
    readonly bySource: Readonly<Partial<Record<Source, { readonly recalls: number; readonly answered: number }>>>;
  };
}

/** All methods reject with LoreError. */
export interface StatisticsOperations {
  growth(request: GrowthRequest, options?: CallOptions): Promise<Growth>;
  activity(request: ActivityRequest, options?: CallOptions): Promise<Activity>;
}
