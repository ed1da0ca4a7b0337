import type { ScoredEntry } from '../../memory/entry.ts';
import type { Weighed } from './relevance.ts';

/** Up to this number of entries, all are scored, even if the search did not find them. */
export const SCORE_ALL_UP_TO = 60;
/** Nothing is shown before a prompt that needs memory with a lower probability (feature `need`). */
const LEAST_NEED = 0.5;
/** Number of entries that are shown before `until` may stop the choice. */
const AT_LEAST = 2;
/** An entry with this share of the words of the prompt is shown, however many others match too. */
const NEARLY_ALL = 0.9;

/** Limits of a choice, as probabilities. */
interface Measure {
  /** Nothing is shown if the most likely entry is below this. */
  readonly leastBest: number;
  readonly least: number;
  /** Least probability, relative to the most likely entry. */
  readonly margin: number;
  /** Stops once the answer is among the shown entries with this probability. */
  readonly until: number;
}
/** The limits before each prompt of a session, and for callers with more room. */
export const PROMPT_LIMITS: Measure = { leastBest: 0.05, least: 0.015, margin: 0.08, until: 0.75 };
export const LENIENT_LIMITS: Measure = { leastBest: 0.03, least: 0.01, margin: 0.02, until: 1 };

/** The entries to show before a prompt, most likely first. */
export function chooseForContext(weighed: readonly Weighed[], { leastBest, least, margin, until }: Measure): ScoredEntry[] {
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
