import type { Priority } from './entry.ts';
import { DAY_MS } from './durations.ts';

/** Days without use after which the importance of an entry halves. */
const HALF_LIFE_DAYS = 90;
/** Maximum share of the distance to 1 that use adds. */
const USE_SHARE = 0.3;
/** Further recalls add nothing. */
const FULL_USE = 63;

interface ImportanceFacts {
  /** As stored, 0..1. */
  readonly importance: number;
  readonly priority: Priority;
  /** All times in epoch milliseconds. */
  readonly createdAt: number;
  readonly updatedAt: number;
  /** Absent for entries saved in this store. */
  readonly arrivedAt?: number | undefined;
  /** Absent if it was never recalled. */
  readonly lastRecalledAt?: number | undefined;
  readonly recallCount: number;
  readonly now: number;
}

/** Time of the last creation, change, arrival in this store or recall: epoch milliseconds. */
export function lastActivity({
  createdAt,
  updatedAt,
  arrivedAt = createdAt,
  lastRecalledAt = createdAt,
}: Pick<ImportanceFacts, 'createdAt' | 'updatedAt' | 'arrivedAt' | 'lastRecalledAt'>): number {
  return Math.max(createdAt, updatedAt, arrivedAt, lastRecalledAt);
}

/**
 * Importance of an entry at `now`, 0..1, for compaction:
 *
 *     used      = i + (1 − i) · 0.3 · min(1, log2(1 + recalls) / 6)
 *     effective = used · 2^(−age / halfLife),     age = now − last touch, in days, at least 0
 *
 * An entry of high priority never falls below its stored importance i. Age: each half-life without a touch halves the value, as in the
 * retrieval score of Park et al., "Generative Agents" (2023), where recency decays exponentially since the last access. Use: the logarithm
 * follows the base-level activation of ACT-R (Anderson & Schooler 1991): the first recalls count most, none counts after the 63rd. Use is
 * inside the decay, so formerly popular entries still fade. An entry of normal priority (0.5) without a touch
 * falls below the default threshold of 0.3 after 66 days, and one that was recalled seven times after 84.
 */
export function effectiveImportance(facts: ImportanceFacts): number {
  const { importance, priority, now } = facts;
  const age = Math.max(0, now - lastActivity(facts)) / DAY_MS;
  const use = Math.min(1, Math.log2(1 + Math.max(0, facts.recallCount)) / Math.log2(1 + FULL_USE));
  const used = importance + (1 - importance) * USE_SHARE * use;
  const effective = Math.min(1, used * 2 ** (-age / HALF_LIFE_DAYS));
  return priority === 'high' ? Math.max(importance, effective) : effective;
}
