/** How a store grew and how it is used. */
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
  p50: milliseconds.meta({ description: 'Milliseconds: half of the answers were as fast or faster. Within 5 %.' }),
  p95: milliseconds.meta({ description: 'Milliseconds: 19 of 20 answers were as fast or faster. Within 5 %.' }),
};
const Latency = z
  .object({
    ...figures,
    minutes: z
      .array(z.object({ at: Time, ...figures }))
      .meta({ description: 'Minutes of the last hour in which there were answers, oldest first.' }),
  })
  .meta({ id: 'Latency', description: 'How long answers took within the last hour.' });
const recalled = { recalls: count, answered: count.meta({ description: 'Those that found something.' }) };

export const statistics = {
  growth: {
    route: 'GET /api/stats/growth',
    id: 'growth',
    summary: 'How the entries that are there came to be so many',
    answer: 'Step by step.',
    request: GrowthRequest,
    result: z.object({
      range: z.enum(GROWTH_RANGES),
      step: z.enum(GROWTH_STEPS),
      points: z
        .array(
          z.object({
            day: z.string().meta({ description: 'The first day of the step.', examples: ['2026-01-31'] }),
            saved: count.meta({ description: 'Entries created within it that are there now.' }),
            total: count.meta({ description: 'Entries created until its end that are there now.' }),
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
    summary: 'How much was asked, and how long the answers took',
    answer: 'Since the server started; latency over the last hour.',
    request: ActivityRequest,
    result: z.object({
      since: Time.meta({ description: 'When counting began: what earlier processes answered is not in it.' }),
      latency: Latency.meta({ description: 'Of recalls, searches and prompts that context was asked for, by whatever way they came.' }),
      today: z
        .object({ ...recalled, bySource: z.partialRecord(z.enum(SOURCES), z.object(recalled)) })
        .meta({ description: 'Recalls, searches and prompts that context was asked for today, and who asked.' }),
      requests: Latency.exactOptional().meta({
        description: 'Of all requests to `/api`; absent where the figures are of one namespace.',
      }),
    }),
    access: 'read',
    reaches: { namespace: true },
  },
} as const satisfies Definitions<StatisticsOperations>;
