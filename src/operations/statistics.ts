/** Growth and use of a store. */
import { Activity, ActivityRequest, Growth, GrowthRequest, type StatisticsOperations } from '../memory/operations/statistics-operations.ts';
import type { Definitions } from './operation.ts';

export const statistics = {
  growth: {
    route: 'GET /api/stats/growth',
    id: 'growth',
    summary: 'Get the growth of the store',
    answer: 'Counts by day, week or month.',
    request: GrowthRequest,
    result: Growth,
    access: 'read',
    reaches: { namespace: true },
  },
  activity: {
    route: 'GET /api/stats/activity',
    id: 'activity',
    summary: 'Get the activity: recalls and latency',
    answer: 'Since the server started; latency over the last hour.',
    request: ActivityRequest,
    result: Activity,
    access: 'read',
    reaches: { namespace: true },
  },
} as const satisfies Definitions<StatisticsOperations>;
