import { DAY_MS, HOUR_MS } from '../../memory/durations.ts';

/** Weeks begin on Mondays; the epoch began on a Thursday. */
const MONDAY_MS = 4 * DAY_MS;

/** How many of the latest hours, days and weeks (UTC) that have a backup keep the last one of each. */
const KEPT = [
  { count: 24, of: (at: number) => Math.floor(at / HOUR_MS) },
  { count: 7, of: (at: number) => Math.floor(at / DAY_MS) },
  { count: 4, of: (at: number) => Math.floor((at - MONDAY_MS) / (7 * DAY_MS)) },
] as const;

interface Dated {
  readonly kind: 'scheduled' | 'manual';
  /** Epoch milliseconds. */
  readonly createdAt: number;
}

/**
 * The scheduled backups to remove: all but the last of each of the latest 24 hours, 7 days and 4 weeks that have any. Hours without a
 * backup do not count, so an idle store loses none. Never includes the newest backup.
 */
export function outdatedBackups<B extends Dated>(backups: readonly B[]): B[] {
  const scheduled = backups.filter(({ kind }) => kind === 'scheduled').toSorted((a, b) => b.createdAt - a.createdAt);
  const kept = new Set(KEPT.flatMap(({ count, of }) => lastOfEach(scheduled, of).slice(0, count)));
  return scheduled.filter((backup) => !kept.has(backup));
}

/** The first backup of each period, from a list with the newest first. */
function lastOfEach<B extends Dated>(newestFirst: readonly B[], stretchOf: (at: number) => number): B[] {
  return newestFirst.filter(({ createdAt }, nth) => {
    const before = newestFirst[nth - 1];
    return before === undefined || stretchOf(before.createdAt) !== stretchOf(createdAt);
  });
}
