/** Growth and activity as both response forms print them: they hold no ids and no entries, so the forms are the same. */
import { z } from 'zod';
import { SOURCES } from '../../memory/entry.ts';
import type { LatencyReport } from '../../memory/latency-history.ts';
import { GROWTH_RANGES, GROWTH_STEPS, type Activity, type Growth } from '../../memory/operations/statistics-operations.ts';
import { Timestamp } from './shared-schemas.ts';

export const STATISTICS_ANSWERS = ['growth', 'activity'] as const;

const count = z.int().min(0);
const figures = {
  requests: count,
  p50: z.number().min(0).optional().meta({ description: 'Milliseconds: half of the answers were as fast or faster. Within 5 %.' }),
  p95: z.number().min(0).optional().meta({ description: 'Milliseconds: 19 of 20 answers were as fast or faster. Within 5 %.' }),
};
const LatencySchema = z
  .object({
    ...figures,
    minutes: z
      .array(z.object({ at: Timestamp, ...figures }))
      .meta({ description: 'Minutes of the last hour in which there were answers, oldest first.' }),
  })
  .meta({ id: 'Latency', description: 'How long answers took within the last hour.' });
const recalled = { recalls: count, answered: count.meta({ description: 'Those that found something.' }) };

export const statisticsSchemas = {
  growth: z.object({
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
  activity: z.object({
    since: Timestamp.meta({ description: 'When counting began: what earlier processes answered is not in it.' }),
    latency: LatencySchema.meta({ description: 'Of recalls, searches and prompts that context was asked for, by whatever way they came.' }),
    today: z
      .object({ ...recalled, bySource: z.partialRecord(z.enum(SOURCES), z.object(recalled)) })
      .meta({ description: 'Recalls, searches and prompts that context was asked for today, and who asked.' }),
    requests: LatencySchema.optional().meta({ description: 'Of all requests to `/api`; absent where the figures are of one namespace.' }),
  }),
};

/** What only the server knows of how it is used. */
export interface ServerActivity {
  readonly requests?: LatencyReport | undefined;
}

const isoTime = (ms: number): string => new Date(ms).toISOString();
const latencyForm = ({ minutes, ...all }: LatencyReport): z.output<typeof LatencySchema> => ({
  ...all,
  minutes: minutes.map((minute) => ({ ...minute, at: isoTime(minute.at) })),
});

export const statisticsForms = {
  growth: ({ range, step, points }: Growth) => ({ range, step, points: [...points] }),
  activity: ({ since, latency, today }: Activity, { requests }: ServerActivity = {}) => ({
    since: isoTime(since),
    latency: latencyForm(latency),
    today: { ...today, bySource: { ...today.bySource } },
    ...(requests && { requests: latencyForm(requests) }),
  }),
};
