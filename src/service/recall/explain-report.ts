import type { Entry } from '../../memory/entry.ts';
import type { ExplainReport } from '../../memory/operations/operations.ts';
import { passes } from '../../store/format/predicates.ts';
import { conditionsOf, CURRENT, explanationOf } from './explaining.ts';
import { LEAST_SCORE, type Ranked } from './fusion.ts';
import type { Recall, RecallQuery } from './recall.ts';
import { withoutUndefined } from '../../memory/without-undefined.ts';

/** Places up to this number are reported; further ones are not counted. */
const DEPTH = 100;

/** Explains why an entry is in the results of a search or not. Runs the search, and ranks the entry in any case. */
export async function explainEntry(
  recall: Recall,
  entry: Entry,
  wanted: Omit<RecallQuery, 'explain' | 'collapse'>,
): Promise<ExplainReport> {
  const { query, mode, filter } = wanted;
  const results = await recall.find(wanted);
  const { ranked } = await recall.rank({ ...wanted, limit: DEPTH }, entry.id);
  const conditions = [...conditionsOf(filter), ...(entry.superseded === true && filter.current === true ? [CURRENT] : [])];
  const failed = conditions.find((condition) => !passes(condition.filter, entry));
  const at = ranked.findIndex(({ id }) => id === entry.id);
  const hit = ranked[at];
  const place = results.findIndex((result) => result.entry.id === entry.id);
  const matches = hit !== undefined && isMatch(hit, mode) && failed === undefined;
  // Near copies are moved down, so a place may be lower than the rank value suggests.
  const rank = place >= 0 ? place + 1 : matches ? (at < results.length ? undefined : at + 1) : undefined;
  const score = results[place]?.score ?? hit?.score;
  return {
    query,
    mode,
    id: entry.id,
    returned: place >= 0,
    ...withoutUndefined({ rank, score }),
    reason: failed?.unmet(entry) ?? reasonOf({ hit: matches ? hit : undefined, rank, returned: place >= 0, wanted }),
    filters: conditions.map(({ text, filter: alone }) => ({ filter: text, passed: passes(alone, entry) })),
    ...(hit === undefined ? {} : { explanation: explanationOf(hit, wanted) }),
  };
}

function isMatch({ features, cosine, sameness }: Ranked, mode: RecallQuery['mode']): boolean {
  return sameness !== undefined || (mode !== 'vector' && features.coverage > 0) || (mode !== 'keyword' && cosine !== undefined);
}

function reasonOf({
  hit,
  rank,
  returned,
  wanted: { mode, limit, minScore = 0 },
}: {
  hit: Ranked | undefined;
  rank: number | undefined;
  returned: boolean;
  wanted: Pick<RecallQuery, 'mode' | 'limit' | 'minScore'>;
}): string {
  if (hit === undefined) return UNFOUND[mode];
  if (returned) return `It is number ${rank} of the results.`;
  if (hit.score < LEAST_SCORE) return 'Its score is 0: it does not match the query.';
  if (hit.score < minScore) return `Its score is ${hit.score.toFixed(2)}; the search asked for ${minScore} or more.`;
  if (rank !== undefined && rank > limit) return `It is number ${rank}; the limit was ${limit}.`;
  return `Others that are nearly the same rank before it; the limit was ${limit}.`;
}

const UNFOUND = {
  keyword: 'No word of the query is in it, in any form.',
  vector: 'Its vector is not among the nearest.',
  hybrid: 'No word of the query is in it, in any form; its vector is not among the nearest.',
} satisfies Record<RecallQuery['mode'], string>;
