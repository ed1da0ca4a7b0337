import { useState } from 'preact/hooks';
import { WEAK_SCORE } from '../../../src/memory/vocabulary.ts';
import type { Hit } from '../api/responses.ts';
import type { Results } from './use-results.ts';

/** Share of the query's words, by weight, from which a result counts as relevant despite a low score: frequent words score low. */
const MOST_WORDS = 0.5;

/** Whether a hit is relevant, and not only the nearest one. */
export const isRelevant = ({ score = 1, explanation }: Hit): boolean =>
  score >= WEAK_SCORE || (explanation?.keyword?.coverage ?? 0) >= MOST_WORDS;

/** Whether it contains a word of the query in any form. */
export const containsQueryWord = ({ explanation }: Hit): boolean =>
  explanation?.keyword?.terms.some(({ kind }) => kind !== 'related') ?? false;

/** Hits of which none is relevant. */
export interface WeakHits {
  readonly isFolded: boolean;
  readonly count: number;
  readonly unfold: () => void;
}

/** Undefined if any result is relevant. */
export function useWeakHits({ hits, query }: Results): WeakHits | undefined {
  const [unfolded, setUnfolded] = useState('');
  if (hits.length === 0 || hits.some(isRelevant)) return undefined;
  // An unfinished query ends in a partial word: hits for the other words stay visible.
  const isFolded = unfolded !== query && !hits.some(containsQueryWord);
  const unfold = (): void => {
    setUnfolded(query);
    // The button disappears, so the focus moves to the new results.
    requestAnimationFrame(() => document.querySelector<HTMLElement>('.pane ol a')?.focus());
  };
  return { isFolded, count: hits.length, unfold };
}
