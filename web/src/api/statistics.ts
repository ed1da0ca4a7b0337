/** Data of the statistics view. Times are ISO 8601 on the wire. */
import type { z } from 'zod';
import type { GrowthRange } from '../../../src/memory/operations/statistics-operations.ts';
import type { statistics } from '../../../src/operations/statistics.ts';
import type { CaptureStats } from './administration.ts';
import { call } from './client.ts';
import type { HealthResponse, Stats } from './responses.ts';
import { ownTimeZone } from './time-zone.ts';

export type { CaptureStats, GrowthRange };

type Results = typeof statistics;
export type Growth = z.input<Results['growth']['result']>;
export type Activity = z.input<Results['activity']['result']>;
export type Latency = Activity['latency'];

export interface Figures {
  readonly stats: Stats;
  readonly growth: Growth;
  /** Per day, for any range. */
  readonly lately: Growth;
  readonly activity: Activity;
  readonly capture: CaptureStats;
  readonly health: HealthResponse;
  /** Time of the request, epoch milliseconds. */
  readonly at: number;
}

/** In steps of one day. */
const DAILY = '30d' satisfies GrowthRange;

interface FiguresQuery {
  /** Empty for the server's default. */
  readonly range: GrowthRange | '';
  /** Empty for all. */
  readonly namespace: string;
}

/** Loads all statistics. In the background it never asks for a key. */
export async function figures(
  { range, namespace }: FiguresQuery,
  { background, signal }: { background: boolean; signal: AbortSignal },
): Promise<Figures> {
  const options = { signal, askForKey: !background };
  const of = (fields: Readonly<Record<string, string>> = {}): URLSearchParams => {
    const given = Object.entries({ namespace, ...fields }).filter(([, value]) => value !== '');
    return new URLSearchParams(given);
  };
  const growthIn = (wanted: string): Promise<Growth> =>
    call('stats/growth', { ...options, query: of({ range: wanted, ...ownTimeZone() }) });
  const at = Date.now();
  const [stats, growth, lately, activity, capture, health] = await Promise.all([
    call<Stats>('stats', { ...options, query: of() }),
    growthIn(range),
    range === DAILY ? undefined : growthIn(DAILY),
    call<Activity>('stats/activity', { ...options, query: of({ ...ownTimeZone() }) }),
    call<CaptureStats>('capture/stats', { ...options, query: of() }),
    call<HealthResponse>('health', options),
  ]);
  return { stats, growth, lately: lately ?? growth, activity, capture, health, at };
}
