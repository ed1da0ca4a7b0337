import { tellingShare, type Asking } from '../../memory/words/asking.ts';
import { idf } from '../../memory/words/query-words.ts';
import type { ScoredEntry } from '../../memory/entry.ts';
import type { MatchedTerm } from '../../memory/operations/explanation.ts';

/** A result with as much said for it, of which words are not nearly nothing, answers, whatever the prompt is for. */
const SURE_SCORE = 0.3;
const SURE_EVIDENCE = 0.4;
/** What a word says for an entry, by the way it was met; times its rarity. */
const KINDS: Readonly<Record<MatchedTerm['kind'], number>> = { exact: 1, equivalent: 0.9, category: 0.4, spelling: 0.5, related: 0.25 };
/** Least evidence, in words that only one entry holds. */
const LEAST: Readonly<Record<Exclude<Asking, 'chatter'>, number>> = { own: 0.25, question: 0.5, task: 0.75 };
/** Against the best of a search. */
const MARGIN: Readonly<Record<Exclude<Asking, 'chatter'>, number>> = { own: 0.3, question: 0.4, task: 0.35 };
/** In a memory this small, what comes next is worth a line where somebody asks what holds here and no more than a word was met. */
const SMALL_ROWS = 60;
const UNSURE = 1.2;
const NEAREST: Readonly<Record<Exclude<Asking, 'chatter'>, number>> = { own: 5, question: 2, task: 0 };

/** Somebody who wants something done and names no more than this of what an entry is about may do so by chance: few are told. */
const CLEAR = 1.5;
const NEARLY_ALL = 0.9;
const MOST_BY_CHANCE = 2;

/** What a search says for one entry. */
export interface Weighed {
  readonly result: ScoredEntry;
  readonly evidence: number;
}

/**
 * Of the results of a search with explanations, best first, those worth telling before a prompt that is for `asking`: those that score high, and those
 * with enough evidence by itself and against the best. `rows`: entries of the store.
 */
export function worthTelling(
  results: readonly ScoredEntry[],
  { asking, rows, here }: { asking: Asking; rows: number; here: number },
): ScoredEntry[] {
  if (asking === 'chatter') return [];
  const weighed = results.map((result): Weighed => ({ result, evidence: evidenceOf(result, rows) }));
  const most = Math.max(0, ...weighed.map(({ evidence }) => evidence));
  const least = Math.max(LEAST[asking], MARGIN[asking] * most);
  const isClear =
    asking !== 'task' || most >= CLEAR || results.some(({ explanation }) => (explanation?.keyword?.coverage ?? 0) >= NEARLY_ALL);
  const told = new Set(
    weighed.filter(({ result, evidence }) => (isClear && evidence >= least) || isSure(result, evidence)).map(({ result }) => result),
  );
  if (here <= SMALL_ROWS && most < UNSURE) for (const result of results) if (told.size < NEAREST[asking]) told.add(result);
  return isClear ? [...told] : [...told].slice(0, MOST_BY_CHANCE);
}

/** By its words, by meaning alone, or because it holds nearly all of the prompt, however common its words are. */
function isSure({ score, scores, explanation }: ScoredEntry, evidence: number): boolean {
  if (score >= SURE_SCORE && (evidence >= SURE_EVIDENCE || score > (scores.keyword ?? 0))) return true;
  const { coverage = 0, terms = [] } = explanation?.keyword ?? {};
  return coverage >= NEARLY_ALL && terms.some(({ term }) => tellingShare(term) === 1);
}

/** The sum of its words, each by the way it was met and by how rare it is: 1 for a word that no other entry holds. */
function evidenceOf({ explanation }: ScoredEntry, rows: number): number {
  const rarest = idf(1, Math.max(2, rows));
  let sum = 0;
  for (const term of explanation?.keyword?.terms ?? []) {
    sum += KINDS[term.kind] * Math.min(1, term.idf / rarest) * tellingShare(term.term);
  }
  return sum;
}
