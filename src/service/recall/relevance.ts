import { meaningOf } from '../../embeddings/word-meanings.ts';
import { dotProduct } from '../../memory/dot-product.ts';
import type { ScoredEntry } from '../../memory/entry.ts';
import type { MatchedTerm } from '../../memory/operations/explanation.ts';
import { answerCues, containsAnswer } from '../../memory/words/answer-cues.ts';
import { promptPurpose, asksGeneralKnowledge, namesSubject, subjectWeight, asksToWrite } from '../../memory/words/prompt-purpose.ts';
import { idf } from '../../memory/words/query-words.ts';
import { isStopWord, tokenize } from '../../memory/words/tokens.ts';
import type { Store } from '../../store/store.ts';
import { isRemedy, isRule, isSymptom } from './prompt-cues.ts';
import { memoryNeed } from './needs-memory.ts';
import type { Recall } from './recall.ts';
import { RELEVANCE } from './relevance-weights.ts';
import { predecessorsOf } from './succession.ts';

/** Value of a word match, by the way it matched; multiplied by its rarity. */
const KINDS: Readonly<Record<MatchedTerm['kind'], number>> = { exact: 1, equivalent: 0.9, category: 0.4, spelling: 0.5, related: 0.25 };
/** Further matches add nothing. */
const MOST = { exact: 3, near: 2, behind: 2, words: 8, entries: 250 };
const SHORTEST = 3;
/** In a memory with fewer entries, this feature is off. */
const FEWEST = 6;

/** An entry with the probability that it answers the prompt, 0..1. */
export interface Weighed {
  readonly result: ScoredEntry;
  readonly features: Readonly<Record<string, number>>;
  readonly chance: number;
}

interface Parts {
  readonly store: Store;
  readonly recall: Pick<Recall, 'isSemantic'>;
}

interface Asked {
  readonly prompt: string;
  /** Number of entries that were searched. */
  readonly entries: number;
  /** Number of entries in the store, for the rarity of words. */
  readonly rows: number;
  /** Id -> search text (tokens joined by blanks) of every entry that may be shown. */
  readonly streams: ReadonlyMap<string, string>;
  /** Id -> tokens that belong to an entry but are not in it: the answer to a captured statement, and the entries that it superseded. */
  readonly surroundings: ReadonlyMap<string, readonly string[]>;
  /** Whether the vectors are semantic. */
  readonly isSemantic: boolean;
}

/**
 * The probability that entries answer a prompt: a logistic regression over `featuresOf`, trained by test/eval/model/relevance.mjs on
 * scripted projects that are not held out
 * (docs/adr/0068).
 */
export class Relevance {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** `results` have explanations; entries that a search did not find have none. In the same order. */
  async weigh(results: readonly ScoredEntry[], { prompt, entries }: Pick<Asked, 'prompt' | 'entries'>): Promise<Weighed[]> {
    const { store, recall } = this.#parts;
    const replaced = new Map(results.map(({ entry }) => [entry.id, predecessorsOf(store, entry.id)]));
    const streams = await store.entries.searchTexts([...replaced].flat(2));
    const surroundings = new Map(
      results.map(({ entry }) => {
        const before = (replaced.get(entry.id) ?? []).flatMap((id) => streams.get(id)?.split(' ') ?? []);
        return [entry.id, [...tokenize(answerTo(entry)), ...before]];
      }),
    );
    const asked = { prompt, entries, rows: store.catalog.size, streams, surroundings, isSemantic: recall.isSemantic };
    return featuresOf(results, asked).map((features, at) => ({ result: results[at]!, features, chance: chanceOf(features) }));
  }
}

function chanceOf(features: Readonly<Record<string, number>>): number {
  let sum = RELEVANCE['bias'] ?? 0;
  for (const name in features) sum += (RELEVANCE[name] ?? 0) * features[name]!;
  return 1 / (1 + Math.exp(-sum));
}

/** The features of each entry besides those of the prompt, by name. Numbers of about 0..3. */
function featuresOf(results: readonly ScoredEntry[], asked: Asked): Record<string, number>[] {
  const { prompt, entries, rows } = asked;
  const rarest = idf(1, Math.max(2, rows));
  const met = results.map((result) => metWords(result, asked.streams, rarest));
  const most = Math.max(0, ...met.map(({ evidence }) => evidence));
  const bestCoverage = Math.max(0, ...met.map(({ coverage }) => coverage));
  const cosines = cosinesOf(results, asked);
  const nearness = standardised(cosines);
  const words = tokenize(prompt).filter((token) => !isStopWord(token) && subjectWeight(token) === 1);
  const asking = promptPurpose(prompt);
  const cues = asking === 'task' ? undefined : answerCues(prompt);
  const around = surroundingsOf(results, { ...asked, words, cosines });
  const days = results.map(({ entry }) => entry.createdAt).toSorted((one, other) => one - other);
  const [isMaking, hasSymptom] = [asksToWrite(prompt), isSymptom(prompt)];
  const need = memoryNeed(prompt);
  const about = {
    need,
    own: Number(asking === 'own'),
    task: Number(asking === 'task'),
    subject: Number(namesSubject(prompt)),
    general: Number(asksGeneralKnowledge(prompt)),
    words: Math.min(MOST.words, new Set(words).size) / MOST.words,
    bestCoverage,
    entries: Math.log(Math.min(MOST.entries, Math.max(FEWEST, entries))) / 4,
  };
  return results.map(({ entry, score }, at) => {
    const { exact, near, evidence, coverage, length } = met[at]!;
    const holds = cues !== undefined && containsAnswer(entry.content, cues);
    return {
      ...about,
      ...around[at]!,
      recency: days.length < 2 ? 1 : days.indexOf(entry.createdAt) / (days.length - 1),
      exact: Math.min(MOST.exact, exact),
      near: Math.min(MOST.near, near),
      coverage,
      score,
      share: Math.min(1, exact / Math.max(SHORTEST, length)),
      ofBest: most > 0 ? evidence / most : 0,
      behindBest: Math.min(MOST.behind, most - evidence),
      cosine: Math.max(0, cosines[at] ?? 0),
      nearness: nearness[at]!,
      length: Math.log(1 + length) / 4,
      answers: Number(holds),
      answersNot: Number(cues !== undefined && !holds),
      ruleToMake: Number(isMaking && isRule(entry)),
      otherToMake: Number(isMaking && !isRule(entry)),
      ruleForTask: Number(asking === 'task' && isRule(entry)),
      remedy: Number(hasSymptom && isRemedy(entry)),
    };
  });
}

/**
 * How a prompt meets entries together with their surroundings: the worth of its words that stand in the surroundings alone, and the meaning
 * of both (of the entry alone where a semantic model knows it). A short answer of a person often leaves out its subject.
 */
function surroundingsOf(
  results: readonly ScoredEntry[],
  {
    prompt,
    words,
    streams,
    surroundings,
    isSemantic,
    cosines,
  }: Asked & { readonly words: readonly string[]; readonly cosines: readonly (number | undefined)[] },
): Record<'around' | 'aroundCosine' | 'aroundNearness', number>[] {
  const own = results.map(({ entry }) => (streams.get(entry.id) ?? '').split(' '));
  const around = results.map(({ entry }) => surroundings.get(entry.id) ?? []);
  const holders = new Map<string, number>();
  for (const [at, tokens] of own.entries())
    for (const token of new Set([...tokens, ...around[at]!])) holders.set(token, (holders.get(token) ?? 0) + 1);
  const most = Math.max(2, results.length);
  const worthOf = (word: string): number => Math.min(1, idf(holders.get(word) ?? 1, most) / idf(1, most));
  const meant = meaningOf(tokenize(prompt).join(' '));
  const both = own.map((tokens, at) =>
    isSemantic || around[at]!.length === 0 ? cosines[at] : dotProduct(meant, meaningOf([...tokens, ...around[at]!].join(' '))),
  );
  const nearness = standardised(both);
  return own.map((tokens, at) => {
    const [inside, outside] = [new Set(tokens), new Set(around[at])];
    const met = [...new Set(words)].filter((word) => outside.has(word) && !inside.has(word));
    return {
      around: Math.min(
        MOST.exact,
        met.reduce((sum, word) => sum + worthOf(word), 0),
      ),
      aroundCosine: Math.max(0, both[at] ?? 0),
      aroundNearness: nearness[at]!,
    };
  });
}

/** The answer of the assistant to a captured statement. */
function answerTo({ source, sourceRef }: ScoredEntry['entry']): string {
  const answer = source === 'auto-capture' ? sourceRef?.['answer'] : undefined;
  return typeof answer === 'string' ? answer : '';
}

interface Met {
  readonly exact: number;
  readonly near: number;
  readonly evidence: number;
  readonly coverage: number;
  /** Distinct significant words. */
  readonly length: number;
}

function metWords({ entry, explanation }: ScoredEntry, streams: Asked['streams'], rarity: number): Met {
  const { terms = [], coverage = 0 } = explanation?.keyword ?? {};
  let [exact, near, evidence] = [0, 0, 0];
  for (const { term, kind, idf: own } of terms) {
    const worth = Math.min(1, own / rarity) * subjectWeight(term);
    evidence += KINDS[kind] * worth;
    if (kind === 'exact' || kind === 'equivalent') exact += worth;
    else if (kind !== 'spelling') near += worth;
  }
  const stream = streams.get(entry.id) ?? '';
  const length = new Set(stream.split(' ').filter((token) => !isStopWord(token))).size;
  return { exact, near, evidence, coverage, length };
}

/**
 * Similarity by meaning: by a semantic model if there is one, else by single words. Undefined if the model was not asked about this entry.
 */
function cosinesOf(results: readonly ScoredEntry[], { prompt, streams, isSemantic }: Asked): (number | undefined)[] {
  if (isSemantic) return results.map(({ scores }) => scores.vector);
  const meant = meaningOf(tokenize(prompt).join(' '));
  return results.map(({ entry }) => dotProduct(meant, meaningOf(streams.get(entry.id) ?? '')));
}

/** In standard deviations from the mean, scaled down if only a few values are known; 0 if unknown. */
function standardised(values: readonly (number | undefined)[]): number[] {
  const known = values.filter((value) => value !== undefined);
  const mean = known.reduce((sum, value) => sum + value, 0) / Math.max(1, known.length);
  const spread = Math.sqrt(known.reduce((sum, value) => sum + (value - mean) ** 2, 0) / Math.max(1, known.length)) || 1;
  // With two values, one is always a deviation above the other.
  const trust = Math.min(1, Math.max(0, known.length - 1) / (FEWEST - 1));
  return values.map((value) => (value === undefined ? 0 : (trust * (value - mean)) / spread));
}
