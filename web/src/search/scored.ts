import type { Hit } from '../api/forms.ts';

/** What a search says about one hit. */
export type Scored = Required<Pick<Hit, 'score' | 'scores'>> & Pick<Hit, 'explanation'>;

/** The scores of a hit that was searched for; undefined for one that was listed. */
export const scoredOf = ({ score, scores, explanation }: Hit): Scored | undefined =>
  score === undefined || scores === undefined ? undefined : { score, scores, ...(explanation !== undefined && { explanation }) };

/** The score as two lengths that add up to it, one for each leg of the search, in the proportion of what the legs gave. */
export function lengthsOf({ score, scores: { vector = 0, keyword = 0 } }: Scored): { readonly vector: number; readonly keyword: number } {
  const whole = vector + keyword;
  const share = whole === 0 ? 0 : vector / whole;
  return { vector: score * share, keyword: score * (1 - share) };
}

/** A smaller part of a rank rounds to nothing. */
const SHOWN_PART = 0.005;

/** The parts of a rank that can be seen, the largest first. */
export function shownParts({ parts }: NonNullable<Hit['explanation']>): readonly (readonly [name: string, part: number])[] {
  return Object.entries(parts)
    .filter(([, part]) => Math.abs(part) >= SHOWN_PART)
    .toSorted(([, a], [, b]) => Math.abs(b) - Math.abs(a));
}
