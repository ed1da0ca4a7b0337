import { useState } from 'preact/hooks';
import { WEAK_SCORE } from '../../../src/memory/vocabulary.ts';
import type { Hit } from '../api/forms.ts';
import type { Results } from './use-results.ts';

/** Share of the words of a query, by weight, with which a result is about it whatever its score: words that stand in many memories score low. */
const MOST_WORDS = 0.5;

/** Whether a hit is about what was asked, and not only the nearest that there is. */
export const isAbout = ({ score = 1, explanation }: Hit): boolean =>
  score >= WEAK_SCORE || (explanation?.keyword?.coverage ?? 0) >= MOST_WORDS;

/** Whether it holds a word of the query, in any form. */
export const holdsWord = ({ explanation }: Hit): boolean => explanation?.keyword?.terms.some(({ kind }) => kind !== 'related') ?? false;

/** Hits of which none is about what was asked. */
export interface Weak {
  readonly isFolded: boolean;
  readonly count: number;
  readonly unfold: () => void;
}

/** Undefined where any of the results is about what was asked. */
export function useWeak({ hits, query }: Results): Weak | undefined {
  const [unfolded, setUnfolded] = useState('');
  if (hits.length === 0 || hits.some(isAbout)) return undefined;
  // A query that is being typed ends in a part of a word: what holds the others stays in view.
  const isFolded = unfolded !== query && !hits.some(holdsWord);
  const unfold = (): void => {
    setUnfolded(query);
    // The button goes, and the focus with it: to what it brought.
    requestAnimationFrame(() => document.querySelector<HTMLElement>('.pane ol a')?.focus());
  };
  return { isFolded, count: hits.length, unfold };
}
