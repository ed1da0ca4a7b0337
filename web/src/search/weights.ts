import type { Hit, Scores } from '../api/forms.ts';

const TOLERANCE = 0.005;
/** A smaller similarity says too little about its weight. */
const TELLING = 0.05;

/** What a search says about one hit. */
export type Scored = Required<Pick<Hit, 'score' | 'scores'>>;

/** The scores of a hit that was searched for; undefined for one that was listed. */
export const scoredOf = ({ score, scores }: Hit): Scored | undefined =>
  score === undefined || scores === undefined ? undefined : { score, scores };

/**
 * The weight of the vector leg in these hits, 0..1; undefined where it cannot be told. The server does not send its weights, and a page that
 * shows a sum must not show a wrong one. What it adds up is `w · vector + (1 − w) · keyword / best keyword`, so a hit of the vector leg
 * alone gives w at once, and else the best hit of the keyword leg does: there the second term is 1 − w. Every other hit must then agree.
 */
export function vectorWeight(hits: readonly Hit[]): number | undefined {
  const scored = hits.map(scoredOf).filter((hit) => hit !== undefined);
  const weight = alone(scored) ?? best(scored);
  if (weight === undefined || weight < 0 || weight > 1 + TOLERANCE) return undefined;
  const agrees = scored.every(({ score, scores }) => {
    const rest = score - weight * (scores.vector ?? 0);
    return rest > -TOLERANCE && rest < (scores.keyword === undefined ? 0 : 1 - weight) + TOLERANCE;
  });
  return agrees ? Math.min(weight, 1) : undefined;
}

function alone(hits: readonly Scored[]): number | undefined {
  const hit = hits.find(({ scores }) => scores.keyword === undefined && (scores.vector ?? 0) > TELLING);
  return hit === undefined ? undefined : hit.score / (hit.scores.vector ?? 1);
}

function best(hits: readonly Scored[]): number | undefined {
  if (hits.every(({ scores }) => scores.vector === undefined)) return 0;
  const [top] = hits.toSorted((a, b) => (b.scores.keyword ?? 0) - (a.scores.keyword ?? 0));
  const vector = top?.scores.vector ?? 0;
  return top === undefined || vector > 1 - TELLING ? undefined : (1 - top.score) / (1 - vector);
}

/** How much of a score each leg gave: lengths that add up to the score. Shares of the legs' own scores where the weight is not known. */
export function partsOf({ score, scores }: Scored, weight: number | undefined): Required<Scores> {
  const whole = (scores.vector ?? 0) + (scores.keyword ?? 0);
  const share = whole === 0 ? 0 : (scores.vector ?? 0) / whole;
  const vector = Math.min(weight === undefined ? score * share : weight * (scores.vector ?? 0), score);
  return { vector, keyword: score - vector };
}
