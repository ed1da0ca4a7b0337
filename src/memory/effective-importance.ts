import type { Priority } from './entry.ts';

/** Days without use after which the importance of an entry halves. */
export const HALF_LIFE_DAYS = 90;
const DAY_MS = 86_400_000;
/** The most that use can add, as a part of what is missing to 1. */
const USE_SHARE = 0.3;
/** From this many recalls on, further ones add nothing. */
const FULL_USE = 63;

interface ImportanceFacts {
  /** As stored, 0..1. */
  readonly importance: number;
  readonly priority: Priority;
  /** All times in epoch milliseconds. */
  readonly createdAt: number;
  readonly updatedAt: number;
  /** Absent for what was saved here. */
  readonly arrivedAt?: number | undefined;
  /** Absent where it was never recalled. */
  readonly lastRecalledAt?: number | undefined;
  readonly recallCount: number;
  readonly now: number;
  /** More than 0; default 90. */
  readonly halfLifeDays?: number | undefined;
}

/** The latest of its creation, its last change, its arrival in this store, and its last recall: epoch milliseconds. */
export function lastTouch({
  createdAt,
  updatedAt,
  arrivedAt = createdAt,
  lastRecalledAt = createdAt,
}: Pick<ImportanceFacts, 'createdAt' | 'updatedAt' | 'arrivedAt' | 'lastRecalledAt'>): number {
  return Math.max(createdAt, updatedAt, arrivedAt, lastRecalledAt);
}

/**
 * How much an entry matters at `now`, 0..1, for compaction:
 *
 *     used      = i + (1 − i) · 0.3 · min(1, log2(1 + recalls) / 6)
 *     effective = used · 2^(−age / halfLife),     age = now − the last touch, in days, at least 0
 *
 * and never less than the stored importance i for an entry of high priority. Age: each half-life without a touch halves it, as in the
 * retrieval score of Park et al., "Generative Agents" (2023), where recency falls exponentially since the last access. Use: the logarithm
 * is how the base level of a memory grows with its uses in ACT-R (Anderson & Schooler 1991); the first recalls say most, the 63rd the last.
 * Use is inside the decay, so that what was popular once still fades. At the default half-life an entry of normal priority (0.5) that nobody
 * touches falls below the default threshold of 0.3 after 66 days, and one that was recalled seven times after 84.
 */
export function effectiveImportance(facts: ImportanceFacts): number {
  const { importance, priority, now, halfLifeDays = HALF_LIFE_DAYS } = facts;
  const age = Math.max(0, now - lastTouch(facts)) / DAY_MS;
  const use = Math.min(1, Math.log2(1 + Math.max(0, facts.recallCount)) / Math.log2(1 + FULL_USE));
  const used = importance + (1 - importance) * USE_SHARE * use;
  const effective = Math.min(1, used * 2 ** (-age / halfLifeDays));
  return priority === 'high' ? Math.max(importance, effective) : effective;
}
