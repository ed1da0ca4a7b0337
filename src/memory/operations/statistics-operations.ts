/** Requests and results for growth and use of a store. */
import { z } from 'zod';
import { Namespace, SOURCES } from '../entry.ts';
import type { CallOptions } from './operations.ts';
import type { Result } from '../result.ts';
import { TimeZone } from '../time-zone.ts';
import { Time } from '../timestamp.ts';

const GROWTH_RANGES = ['30d', '12m', 'all'] as const;
export type GrowthRange = (typeof GROWTH_RANGES)[number];
const GROWTH_STEPS = ['day', 'week', 'month'] as const;
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

const count = z.int().min(0);

/** Growth of the current entries over time. */
export const Growth = z.object({
  range: z.enum(GROWTH_RANGES),
  step: z.enum(GROWTH_STEPS),
  points: z
    .array(
      z.object({
        day: z.string().meta({ description: 'The first day of the step.', examples: ['2026-01-31'] }),
        saved: count.meta({ description: 'Entries created in this step that still exist.' }),
        total: count.meta({ description: 'Entries created until the end of this step that still exist.' }),
      }),
    )
    .meta({ description: 'Oldest first, without a gap; a week begins on Monday.' }),
});
export type Growth = Result<typeof Growth>;

const milliseconds = z.number().min(0).exactOptional();
const figures = {
  requests: count,
  p50: milliseconds.meta({ description: 'Median in milliseconds, within 5 %.' }),
  p95: milliseconds.meta({ description: '95th percentile in milliseconds, within 5 %.' }),
};
const Latency = z
  .object({
    ...figures,
    minutes: z.array(z.object({ at: Time, ...figures })).meta({ description: 'Minutes of the last hour with requests, oldest first.' }),
  })
  .meta({ id: 'Latency', description: 'Latency within the last hour.' });
const recalled = { recalls: count, answered: count.meta({ description: 'Number of them that found something.' }) };

/** Recall statistics of this process. */
export const Activity = z.object({
  since: Time.meta({ description: 'Start of the count; requests to earlier processes are not included.' }),
  latency: Latency.meta({ description: 'Latency of recalls, searches and context requests, through any interface.' }),
  today: z
    .object({ ...recalled, bySource: z.partialRecord(z.enum(SOURCES), z.object(recalled)) })
    .meta({ description: 'Recalls, searches and context requests of today, by interface.' }),
  requests: Latency.exactOptional().meta({
    description: 'Latency of all requests to `/api`; absent if the statistics are for one namespace.',
  }),
});
export type Activity = Result<typeof Activity>;

/** All methods reject with LoreError. */
export interface StatisticsOperations {
  growth(request: GrowthRequest, options?: CallOptions): Promise<Growth>;
  activity(request: ActivityRequest, options?: CallOptions): Promise<Activity>;
}
