import { useState } from 'preact/hooks';
import { WEAK_SCORE } from '../../../src/memory/vocabulary.ts';
import type { Hit } from '../api/forms.ts';
import type { Results } from './use-results.ts';

/** Share of the query's words, by weight, from which a result counts as relevant despite a low score: frequent words score low. */
const MOST_WORDS = 0.5;

/** Whether a hit is relevant, and not only the nearest one. */
export const isAbout = ({ score = 1, explanation }: Hit): boolean =>
  score >= WEAK_SCORE || (explanation?.keyword?.coverage ?? 0) >= MOST_WORDS;

/** Whether it contains a word of the query in any form. */
export const holdsWord = ({ explanation }: Hit): boolean => explanation?.keyword?.terms.some(({ kind }) => kind !== 'related') ?? false;

/** Hits of which none is relevant. */
export interface Weak {
  readonly isFolded: boolean;
  readonly count: number;
  readonly unfold: () => void;
}

/** Undefined if any result is relevant. */
export function useWeak({ hits, query }: Results): Weak | undefined {
  const [unfolded, setUnfolded] = useState('');
  if (hits.length === 0 || hits.some(isAbout)) return undefined;
  // An unfinished query ends in a partial word: hits for the other words stay visible.
  const isFolded = unfolded !== query && !hits.some(holdsWord);
  const unfold = (): void => {
    setUnfolded(query);
    // The button disappears, so the focus moves to the new results.
    requestAnimationFrame(() => document.querySelector<HTMLElement>('.pane ol a')?.focus());
  };
  return { isFolded, count: hits.length, unfold };
}
