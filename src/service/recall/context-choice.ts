import type { ScoredEntry } from '../../memory/entry.ts';
import type { Weighed } from './relevance.ts';

/** In a memory this small every entry is weighed, whether the search found it or not. */
export const SMALL_ROWS = 60;
/**
 * A prompt is told something where its words may need something said earlier and the best entry is at least so likely to answer it, and then all that is not quite
 * unlikely, as far as the tokens go.
 */
const LEAST_NEED = 0.5;
const LEAST_BEST = 0.07;
const LEAST = 0.02;
/** Where there are more, so many are told, however likely the first one is. */
const AT_LEAST = 2;
/** Share of the words of a prompt that an entry holds which answers it, however many others do too. */
const NEARLY_ALL = 0.9;

/** How much is told. */
interface Measure {
  /** No more once the answer is among it with this chance. */
  readonly until: number;
  /** Against the likeliest. */
  readonly margin: number;
}
/** Before every prompt of a session, and where a caller has more room for it. */
export const SHORT: Measure = { until: 0.7, margin: 0.1 };
export const ROOMY: Measure = { until: 1, margin: 0.02 };

/** Those worth telling before a prompt, the likeliest first. */
export function worthTelling(weighed: readonly Weighed[], { until, margin }: Measure): ScoredEntry[] {
  const best = Math.max(0, ...weighed.map(({ chance }) => chance));
  const mayMatter = best >= LEAST_BEST && weighed.some(({ features }) => features['need']! >= LEAST_NEED);
  if (!mayMatter && !weighed.some(isSure)) return [];
  const told: ScoredEntry[] = [];
  let missed = 1;
  for (const each of weighed.toSorted((a, b) => b.chance - a.chance)) {
    if (told.length >= AT_LEAST && 1 - missed >= until) break;
    if (each.chance < Math.max(LEAST, margin * best) && !isSure(each)) continue;
    told.push(each.result);
    missed *= 1 - each.chance;
  }
  return told;
}

const isSure = ({ features }: Weighed): boolean => features['words']! > 0 && features['coverage']! >= NEARLY_ALL;
