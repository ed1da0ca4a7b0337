/** Weights of query-independent priors; 0 turns one off. */
export interface PriorWeights {
  /** Bonus of the newest result over the oldest. */
  readonly recency: number;
  /** Bonus of an entry of importance 1 over one of 0. */
  readonly importance: number;
}

/** The parts of the rank value; absent for a weight of 0. */
export interface Priors {
  readonly recency?: number;
  readonly importance?: number;
}

interface Weighed {
  /** Undefined if creation time is meaningless: all passages of a project are from one run. */
  readonly createdAt: number | undefined;
  readonly importance: number;
  /** Share 0..1 of the query that the entry answers. */
  readonly coverage: number;
}

/**
 * Small tie-breakers between entries that match about equally well, each in proportion to the share of the query in the entry, because
 * being new is no answer. Recency is the place of an entry among the results, oldest 0, newest 1, so that a store of one day and one of ten
 * years behave alike. Entries of the same time have the same place.
 */
export function priorsOf(found: readonly Weighed[], weights: PriorWeights): Priors[] {
  const times = found.flatMap(({ createdAt }) => createdAt ?? []).toSorted((a, b) => a - b);
  const places = new Map<number, number>();
  for (const [place, time] of times.entries()) if (!places.has(time)) places.set(time, place);
  const newest = Math.max(1, ...places.values());
  const recency = found.map(({ createdAt }) => (createdAt === undefined ? 0 : places.get(createdAt)! / newest));
  const ofRecency = (at: number, coverage: number): number => weights.recency * recency[at]! * coverage;
  return found.map(({ importance, coverage }, at): Priors => {
    if (weights.importance === 0) return weights.recency === 0 ? {} : { recency: ofRecency(at, coverage) };
    const byImportance = weights.importance * importance * coverage;
    return weights.recency === 0 ? { importance: byImportance } : { recency: ofRecency(at, coverage), importance: byImportance };
  });
}
