import type { ScoredEntry } from '../../memory/entry.ts';
import type { Weighed } from './relevance.ts';

/** Up to this number of entries, all are weighed, even if the search did not find them. */
export const SMALL_ROWS = 60;
/** A prompt whose words need less than this of what was said earlier is told nothing. */
const LEAST_NEED = 0.5;
/** Where there are more, so many are told, however likely the first one is. */
const AT_LEAST = 2;
/** Share of the words of a prompt that an entry holds which answers it, however many others do too. */
const NEARLY_ALL = 0.9;

/** How much is told, in chances to answer. */
interface Measure {
  /** Nothing where the likeliest has less. */
  readonly leastBest: number;
  readonly least: number;
  /** Share of the chance of the likeliest. */
  readonly margin: number;
  /** No more once the answer is among it with this chance. */
  readonly until: number;
}
/** Before every prompt of a session, and where a caller has more room for it. */
export const SHORT: Measure = { leastBest: 0.04, least: 0.015, margin: 0.08, until: 0.75 };
export const ROOMY: Measure = { leastBest: 0.03, least: 0.01, margin: 0.02, until: 1 };

/** The entries to show before a prompt, most likely first. */
export function worthTelling(weighed: readonly Weighed[], { leastBest, least, margin, until }: Measure): ScoredEntry[] {
  const best = Math.max(0, ...weighed.map(({ chance }) => chance));
  const mayMatter = best >= leastBest && weighed.some(({ features }) => features['need']! >= LEAST_NEED);
  if (!mayMatter && !weighed.some(isSure)) return [];
  const told: ScoredEntry[] = [];
  let missed = 1;
  for (const each of weighed.toSorted((a, b) => b.chance - a.chance)) {
    if (told.length >= AT_LEAST && 1 - missed >= until) break;
    if (each.chance < Math.max(least, margin * best) && !isSure(each)) continue;
    told.push(each.result);
    missed *= 1 - each.chance;
  }
  return told;
}

const isSure = ({ features }: Weighed): boolean => features['words']! > 0 && features['coverage']! >= NEARLY_ALL;
