/** Growth and use of a store. */
import { z } from 'zod';
import { SOURCES } from '../memory/entry.ts';
import {
  ActivityRequest,
  GROWTH_RANGES,
  GROWTH_STEPS,
  GrowthRequest,
  type StatisticsOperations,
} from '../memory/operations/statistics-operations.ts';
import type { Definitions } from './operation.ts';
import { Time } from './wire.ts';

const count = z.int().min(0);
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

export const statistics = {
  growth: {
    route: 'GET /api/stats/growth',
    id: 'growth',
    summary: 'Get the growth of the store',
    answer: 'Counts by day, week or month.',
    request: GrowthRequest,
    result: z.object({
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
    }),
    access: 'read',
    reaches: { namespace: true },
  },
  activity: {
    route: 'GET /api/stats/activity',
    id: 'activity',
    summary: 'Get the activity: recalls and latency',
    answer: 'Since the server started; latency over the last hour.',
    request: ActivityRequest,
    result: z.object({
      since: Time.meta({ description: 'Start of the count; requests to earlier processes are not included.' }),
      latency: Latency.meta({ description: 'Latency of recalls, searches and context requests, through any interface.' }),
      today: z
        .object({ ...recalled, bySource: z.partialRecord(z.enum(SOURCES), z.object(recalled)) })
        .meta({ description: 'Recalls, searches and context requests of today, by interface.' }),
      requests: Latency.exactOptional().meta({
        description: 'Latency of all requests to `/api`; absent if the statistics are for one namespace.',
      }),
    }),
    access: 'read',
    reaches: { namespace: true },
  },
} as const satisfies Definitions<StatisticsOperations>;
