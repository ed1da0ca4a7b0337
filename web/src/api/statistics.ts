/** The figures of the statistics. Times are ISO 8601 on the wire. */
import type { Growth, GrowthRange, Activity as AllActivity } from '../../../src/memory/operations/statistics-operations.ts';
import type { LatencyFigures, LatencyReport } from '../../../src/memory/latency-history.ts';
import type { CaptureStats } from './administration.ts';
import { call } from './client.ts';
import type { HealthAnswer, Stats } from './forms.ts';
import { ownTimeZone } from './time-zone.ts';

export type { CaptureStats, Growth, GrowthRange };

export interface Latency extends LatencyFigures {
  readonly minutes: readonly (Omit<LatencyReport['minutes'][number], 'at'> & { readonly at: string })[];
}

export interface Activity extends Omit<AllActivity, 'since' | 'latency'> {
  readonly since: string;
  readonly latency: Latency;
  /** Of all requests; absent for a key that sees one namespace. */
  readonly requests?: Latency;
}

export interface Figures {
  readonly stats: Stats;
  readonly growth: Growth;
  /** Day by day, whatever the range is. */
  readonly lately: Growth;
  readonly activity: Activity;
  readonly capture: CaptureStats;
  readonly health: HealthAnswer;
  /** When they were asked for, epoch milliseconds. */
  readonly at: number;
}

/** In steps of one day. */
const DAILY = '30d' satisfies GrowthRange;

interface Wish {
  /** Empty for what the server finds fitting. */
  readonly range: GrowthRange | '';
  /** Empty for all. */
  readonly namespace: string;
}

/** Everything that the statistics show. In the background it never asks for a key. */
export async function figures(
  { range, namespace }: Wish,
  { background, signal }: { background: boolean; signal: AbortSignal },
): Promise<Figures> {
  const options = { signal, askForKey: !background };
  const of = (fields: Readonly<Record<string, string>> = {}): URLSearchParams => {
    const given = Object.entries({ namespace, ...fields }).filter(([, value]) => value !== '');
    return new URLSearchParams(given);
  };
  const timeZone = ownTimeZone();
  const growthIn = (wanted: string): Promise<Growth> => call('/api/stats/growth', { ...options, query: of({ range: wanted, timeZone }) });
  const at = Date.now();
  const [stats, growth, lately, activity, capture, health] = await Promise.all([
    call<Stats>('/api/stats', { ...options, query: of() }),
    growthIn(range),
    range === DAILY ? undefined : growthIn(DAILY),
    call<Activity>('/api/stats/activity', { ...options, query: of({ timeZone }) }),
    call<CaptureStats>('/api/capture/stats', { ...options, query: of() }),
    call<HealthAnswer>('/api/health', options),
  ]);
  return { stats, growth, lately: lately ?? growth, activity, capture, health, at };
}
