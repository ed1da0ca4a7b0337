import type { Hit } from '../api/responses.ts';

export type Scored = Required<Pick<Hit, 'score' | 'scores'>> & Pick<Hit, 'explanation'>;

/** The scores of a hit; undefined for a listed entry. */
export const scoredOf = ({ score, scores, explanation }: Hit): Scored | undefined =>
  score === undefined || scores === undefined ? undefined : { score, scores, ...(explanation !== undefined && { explanation }) };

const SOURCES = ['meaning', 'words', 'other'] as const;
export type Source = (typeof SOURCES)[number];

/** A part of the score in hundredths; the parts add up to the shown score. */
export interface Part {
  readonly name: string;
  readonly source: Source;
  readonly hundredths: number;
}

/** Parts of a rank that come from words of the query. */
const OF_WORDS: ReadonlySet<string> = new Set(['equal', 'phrase', 'bm25', 'proximity', 'order', 'early', 'negation', 'tag']);
const sourceOf = (name: string): Source => (name === 'vector' || name === 'meaning' ? 'meaning' : OF_WORDS.has(name) ? 'words' : 'other');

/** Rounds `values`, whose sum is about `whole`, to integers with the exact sum. */
function rounded(values: readonly number[], whole: number): readonly number[] {
  const floors = values.map(Math.floor);
  const missing = whole - floors.reduce((sum, value) => sum + value, 0);
  const byRest = values.map((value, at) => ({ at, rest: value - floors[at]! })).toSorted((a, b) => b.rest - a.rest);
  const raised = new Set(byRest.slice(0, missing).map(({ at }) => at));
  return floors.map((value, at) => (raised.has(at) ? value + 1 : value));
}

/** The parts of the score, largest first: in the proportion of the explanation, else of the scores per source. */
export function partsOf({ score, scores: { vector = 0, keyword = 0 }, explanation }: Scored): readonly Part[] {
  const ranked = explanation !== undefined && explanation.rankValue > 0 ? explanation.parts : { vector, bm25: keyword };
  const entries = Object.entries(ranked);
  const sum = entries.reduce((total, [, part]) => total + part, 0);
  if (sum <= 0) return [];
  const whole = Math.round(score * 100);
  const hundredths = rounded(
    entries.map(([, part]) => (part / sum) * whole),
    whole,
  );
  return entries
    .map(([name], at): Part => ({ name, source: sourceOf(name), hundredths: hundredths[at]! }))
    .filter((part) => part.hundredths !== 0)
    .toSorted((a, b) => Math.abs(b.hundredths) - Math.abs(a.hundredths));
}

/** The parts added up by source. */
export const sourcesOf = (parts: readonly Part[]): readonly Part[] =>
  SOURCES.flatMap((source) => {
    const own = parts.filter((part) => part.source === source);
    return own.length === 0 ? [] : [{ name: source, source, hundredths: own.reduce((sum, { hundredths }) => sum + hundredths, 0) }];
  });
