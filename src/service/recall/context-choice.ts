import type { ScoredEntry } from '../../memory/entry.ts';
import type { Weighed } from './relevance.ts';

/** In a memory this small every entry is weighed, whether the search found it or not. */
export const SMALL_ROWS = 60;
/** A prompt is told something where the best entry is at least so likely to answer it, and then all that is not quite unlikely, as far as the tokens go. */
const LEAST_BEST = 0.1;
const LEAST = 0.02;
/** Against the likeliest. */
const MARGIN = 0.05;
/** Share of the words of a prompt that an entry holds which answers it, however many others do too. */
const NEARLY_ALL = 0.9;

/** Those worth telling before a prompt, the likeliest first. */
export function worthTelling(weighed: readonly Weighed[]): ScoredEntry[] {
  const best = Math.max(0, ...weighed.map(({ chance }) => chance));
  if (best < LEAST_BEST && !weighed.some(isSure)) return [];
  return weighed
    .filter((each) => each.chance >= Math.max(LEAST, MARGIN * best) || isSure(each))
    .toSorted((a, b) => b.chance - a.chance)
    .map(({ result }) => result);
}

const isSure = ({ features }: Weighed): boolean => features['words']! > 0 && features['coverage']! >= NEARLY_ALL;
