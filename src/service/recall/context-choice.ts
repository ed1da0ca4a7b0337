import { answerCues, holdsAnswer } from '../../memory/words/answer-cues.ts';
import { asksGeneral, namesSubject, speaksOfUs, tellingShare, wantsMaking, type Asking } from '../../memory/words/asking.ts';
import { tellingTokens } from '../../memory/relation-cues/relation-cues-evidence.ts';
import { tellsChange } from '../../memory/relation-cues/relation-cues.ts';
import { isLastingTag } from '../../memory/importance.ts';
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
/** In a memory this small, what comes next is worth a line where somebody asks what holds here and only a few words were met. */
export const SMALL_ROWS = 60;
const HARDLY = 1.2;
/** With as much evidence only where no entry holds most of the prompt. */
const UNSURE = 4;
const CLEARLY_MET = 0.75;
const NEAREST: Readonly<Record<Exclude<Asking, 'chatter'>, number>> = { own: 5, question: 3, task: 1 };

/** Somebody who wants something done and names no more than this of what an entry is about may do so by chance: few are told. */
const CLEAR = 1.5;
const NEARLY_ALL = 0.9;
const MOST_BY_CHANCE = 2;

/** Of those that hold a value of the kind that is asked for, and of the rules for what is to be made. */
const MOST_LIKELY = 3;
const MOST_RULES = 5;
const SHORTEST_SUBJECT = 4;
/** Words of a rule. */
const RULE =
  /(?<!\p{L})(?:always|never|must|mustn['’]t|only|don['’]?t|do not|no|prefer\w*|every|each|instead of|rather than|should|immer|nie|niemals|kein\p{L}*|nur|bitte|jede[rsnm]?|alle|müssen|statt|stets|bei uns|toujours|jamais|ne|doi(?:t|vent)|chaque|préfèr\p{L}*|pas de|chez nous|siempre|nunca|sin|cada|debe\p{L}*|prefer\p{L}*|solo|sólo)(?!\p{L})/iu;

/** What a search says for one entry. */
export interface Weighed {
  readonly result: ScoredEntry;
  readonly evidence: number;
}

/**
 * Of the results of a search with explanations, best first, those worth telling before a prompt that is for `asking`: those that score high, and those
 * with enough evidence by itself and against the best. `rows`: entries of the store, `here`: those that may be told.
 */
export function worthTelling(
  results: readonly ScoredEntry[],
  { asking, rows, here, prompt }: { asking: Asking; rows: number; here: number; prompt: string },
): ScoredEntry[] {
  if (asking === 'chatter') return [];
  const weighed = results.map((result): Weighed => ({ result, evidence: evidenceOf(result, rows) }));
  const most = Math.max(0, ...weighed.map(({ evidence }) => evidence));
  const least = Math.max(LEAST[asking], MARGIN[asking] * most);
  const isGeneral = asksGeneral(prompt);
  const isClear = !isGeneral && (asking !== 'task' || most >= CLEAR || mostCovered(results) >= NEARLY_ALL);
  const told = new Set(
    weighed.filter(({ result, evidence }) => (isClear && evidence >= least) || isSure(result, evidence)).map(({ result }) => result),
  );
  const isMaking = here <= SMALL_ROWS && wantsMaking(prompt) && namesSubject(prompt);
  const found = isClear || isMaking ? [...told] : [...told].slice(0, MOST_BY_CHANCE);
  if (here > SMALL_ROWS) return found;
  return withLater(isGeneral ? found : filled(found, results, { asking, prompt, most, isMaking }), results);
}

/** In a small memory, what else may answer: what holds a value of the kind that is asked for, what comes next, and the rules for what is to be made. */
function filled(
  found: readonly ScoredEntry[],
  results: readonly ScoredEntry[],
  { asking, prompt, most, isMaking }: { asking: Exclude<Asking, 'chatter'>; prompt: string; most: number; isMaking: boolean },
): ScoredEntry[] {
  const told = new Set(found);
  const fill = (others: readonly ScoredEntry[], room: number): void => {
    for (const other of others) if (told.size < room) told.add(other);
  };
  // What shares nothing with any entry is not about this project, unless it says so.
  const isOurs = (most > 0 || speaksOfUs(prompt)) && namesSubject(prompt);
  // For what is to be made, the rules come first.
  const room = isOurs && !(isMaking && asking === 'task') ? NEAREST[asking] : 0;
  const cues = asking === 'task' ? undefined : answerCues(prompt);
  if (cues !== undefined) fill(results.filter(({ entry }) => holdsAnswer(entry.content, cues)).slice(0, MOST_LIKELY), room);
  if (most < HARDLY || (most < UNSURE && mostCovered(results) < CLEARLY_MET)) fill(results, room);
  const rules = isMaking ? results.filter(({ entry }) => isRule(entry)) : [];
  fill(rules, MOST_RULES);
  return [...told];
}

/** Those to tell, each that a newer entry may have changed behind that one: a newer one on a subject of its own that speaks of a change. */
function withLater(told: readonly ScoredEntry[], results: readonly ScoredEntry[]): ScoredEntry[] {
  const changes = results.filter(({ entry }) => tellsChange(entry.content)).map((result) => ({ result, words: subjectOf(result) }));
  const found = new Set<ScoredEntry>();
  for (const each of told) {
    const words = subjectOf(each);
    for (const { result, words: newer } of changes) {
      if (result.entry.createdAt > each.entry.createdAt && [...newer].some((word) => words.has(word))) found.add(result);
    }
    found.add(each);
  }
  return [...found];
}

/** Share of the prompt that the best of them holds. */
const mostCovered = (results: readonly ScoredEntry[]): number =>
  Math.max(0, ...results.map(({ explanation }) => explanation?.keyword?.coverage ?? 0));

const subjectOf = ({ entry }: ScoredEntry): Set<string> =>
  new Set(
    tellingTokens(entry.content).filter((token) => token.length >= SHORTEST_SUBJECT && tellingShare(token) === 1 && !/^\p{N}/u.test(token)),
  );

/** Says how things are done here. */
const isRule = ({ content, tags }: ScoredEntry['entry']): boolean =>
  !tags.includes('fix') && (tags.some((tag) => isLastingTag(tag) && tag !== 'decision') || RULE.test(content));

/** By its words, by meaning alone, or because it holds nearly all of the prompt, however common its words are. */
function isSure({ score, scores, explanation }: ScoredEntry, evidence: number): boolean {
  if (score >= SURE_SCORE && (evidence >= SURE_EVIDENCE || (scores.vector ?? 0) > (scores.keyword ?? 0))) return true;
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
