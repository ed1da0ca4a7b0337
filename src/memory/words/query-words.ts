import type { MatchKind } from '../operations/explanation.ts';
import { RecentMap } from '../recent-map.ts';
import { answerCues, type AnswerCues } from './answer-cues.ts';
import { isForeign } from './prompt-purpose.ts';
import { senseOf } from './exact-senses.ts';
import { derivationsOf } from './derivations.ts';
import { isNegation } from './negations.ts';
import { numberSynonyms } from './numbers.ts';
import { isSpelled, respell } from './spelling.ts';
import { relatedWords, type RelatedWord } from './related-words.ts';
import { phrasesFrom, synonymsOf, type Synonym } from './synonyms.ts';
import { isStopWord, queryTokens, tokenize } from './tokens.ts';
import { formsOf } from './word-forms.ts';
import type { Vocabulary } from './word-statistics.ts';

/** Something an entry may contain instead of a query word: one token, or several that must all be present. */
export interface Alternative {
  readonly tokens: readonly string[];
  readonly kind: MatchKind;
  /** Weight relative to an exact match, 0..1. */
  readonly weight: number;
  readonly idf: number;
}

/** One word of a query. */
export interface QueryTerm {
  /** The indexed form (folded, stemmed). */
  readonly token: string;
  readonly idf: number;
  /** The word itself first, if any entry contains it. */
  readonly alternatives: readonly Alternative[];
}

/** A parsed query for ranking. */
export interface QueryWords {
  readonly terms: readonly QueryTerm[];
  /** Sum of the terms' idf. */
  readonly weight: number;
  /** Whether the query is negated. */
  readonly negated: boolean;
  /** What an answer is likely to contain; undefined if the query asks for nothing recognizable. */
  readonly answer: AnswerCues | undefined;
  /** Mean entry length in tokens without stop words. */
  readonly averageLength: number;
  /** Factor that makes BM25 scores of tiny stores comparable with larger ones; 1 otherwise. */
  readonly scale: number;
  /** Tokens to search for: the query words, then their sure alternatives. */
  readonly tokens: readonly string[];
  /** Query words so frequent that they are searched only if the others find too little. */
  readonly commonTokens: readonly string[];
  /** Related words, searched only if the others find too little. */
  readonly relatedTokens: readonly string[];
}

/** Weight of a match by its kind; 0 disables the kind. Measured in docs/adr/0011. */
type MatchWeights = Readonly<Record<MatchKind, number>>;
const MATCH_WEIGHTS: MatchWeights = { exact: 1, equivalent: 0.7, category: 0.45, related: 0.3, spelling: 0.7 };

/** In smaller stores, the rarest word counts as in a store of this size. */
const SMALL_STORE_ROWS = 100;
/** Minimum weight of alternatives that determine the idf of an unknown word. */
const SURE_WEIGHT = 0.5;
/** Maximum number of searched tokens: more make the search slower, not better. */
const MAX_ASKED = 96;
/** Related words in more entries than this (or this share) are not searched. */
const COMMON_ROWS = 100;
const COMMON_SHARE = 0.02;
/** Words of the tables of related words count only if at most this number (or share) of entries has them. */
const FEW_ROWS = 3;
const FEW_SHARE = 0.05;
/** Words in fewer entries cost the index almost nothing. */
const LONG_LIST_ROWS = 1000;
/** Maximum share of the query's weight in words that are not searched at first. */
const UNASKED_SHARE = 0.1;
/** Maximum number of unknown words per query to correct: each costs up to a millisecond with 100,000 words, and a pasted log has many. */
const MAX_RESPELLED = 12;
/** Size of the cache of word families. */
const REMEMBERED_FAMILIES = 5000;
/** Minimum length of each half of a word typed without its blank. */
const SHORTEST_HALF = 3;

/**
 * Parses a query with the vocabulary of a store: its words without stop words, and for each the alternatives that entries contain: another
 * name (`db`, `database`), a related word, or the corrected word if no entry has the typed one. Linear in the query, plus one scan of the
 * lookalikes of each unknown word.
 */
export function readQuery(query: string, vocabulary: Vocabulary, weights: MatchWeights = MATCH_WEIGHTS): QueryWords {
  const stream = tokenize(query);
  const typed = typedWords(query);
  const ofPhrases = phraseSynonyms(stream);
  const ofNumbers = numberSynonyms(stream);
  const related = relatedWords(stream);
  const reader = new Reader(vocabulary, weights);
  const inflects = isForeign(stream);
  const terms = queryTokens(query).map((token): QueryTerm => {
    const synonyms = [...synonymsOf(token), ...(ofPhrases.get(token) ?? []), ...(ofNumbers.get(token) ?? [])];
    const alternatives = reader.alternatives(token, { synonyms, related: related.get(token) ?? [], word: typed.get(token), inflects });
    return { token, idf: reader.idfOf(token, alternatives, typed.get(token)), alternatives };
  });
  return {
    terms,
    weight: terms.reduce((sum, { idf }) => sum + idf, 0),
    negated: stream.some(isNegation),
    answer: answerCues(query),
    averageLength: vocabulary.averageLength,
    scale: Math.max(1, idf(1, SMALL_STORE_ROWS) / idf(1, Math.max(1, vocabulary.rows))),
    ...reader.asked(terms),
  };
}

/** Whether a match is only related to the query word and not equivalent. */
export const isExpansion = (kind: MatchKind): boolean => kind === 'related' || kind === 'category';

/** Inverse document frequency of BM25, as in Lucene and LanceDB; never negative. */
export function idf(holding: number, rows: number): number {
  return Math.log(1 + Math.max(0, rows - holding + 0.5) / (holding + 0.5));
}

/** Words of a vocabulary among those that queries ask for, valid until it learns a word. */
interface Remembered {
  readonly learned: number | undefined;
  readonly families: RecentMap<string, readonly string[]>;
  readonly related: WeakMap<readonly RelatedWord[], readonly RelatedWord[]>;
}

const remembered = new WeakMap<Vocabulary, Remembered>();

class Reader {
  readonly #vocabulary: Vocabulary;
  readonly #weights: MatchWeights;
  readonly #remembered: Remembered;
  #respelled = 0;

  constructor(vocabulary: Vocabulary, weights: MatchWeights) {
    this.#vocabulary = vocabulary;
    this.#weights = weights;
    const { learned } = vocabulary;
    let known = remembered.get(vocabulary);
    if (known === undefined || learned === undefined || known.learned !== learned) {
      known = { learned, families: new RecentMap(REMEMBERED_FAMILIES), related: new WeakMap() };
      remembered.set(vocabulary, known);
    }
    this.#remembered = known;
  }

  /** The alternatives that some entry contains; each at its best weight. */
  alternatives(
    token: string,
    {
      synonyms,
      related,
      word,
      inflects,
    }: { synonyms: readonly Synonym[]; related: readonly RelatedWord[]; word: string | undefined; inflects: boolean },
  ): Alternative[] {
    const found: Alternative[] = [];
    const add = (tokens: readonly string[], kind: MatchKind): void => {
      const weight = this.#weights[kind];
      if (weight === 0 || tokens.some((other) => this.#holding(other) === 0)) return;
      if (found.some((other) => other.tokens.length === tokens.length && other.tokens.every((one, at) => one === tokens[at]))) return;
      found.push({ tokens, kind, weight, idf: Math.max(...tokens.map((other) => this.#idf(other))) });
    };
    // Words of the synonym table are spelled correctly.
    const sense = this.senseOf(word);
    if (sense !== undefined) add([sense], 'exact');
    add([token], sense === undefined ? 'exact' : 'equivalent');
    for (const { tokens, kind } of synonyms) if (kind === 'equivalent') add(tokens, kind);
    if (inflects) {
      const { forms, compounds } = formsOf({ word: word ?? token, token }, this.#vocabulary);
      for (const form of forms) add([form], 'equivalent');
      for (const compound of compounds) add([compound], 'category');
    }
    if (word !== undefined && found.length === 0 && synonyms.length === 0 && related.length === 0 && this.#weights.spelling > 0) {
      for (const tokens of this.#meant(token, word)) add(tokens, 'spelling');
    }
    // With an ambiguous stem, related words may belong to another word.
    const isAmbiguous = word !== undefined && senseOf(word) !== undefined;
    const few = Math.max(FEW_ROWS, this.#vocabulary.rows * FEW_SHARE);
    const held = this.#heldOf(related);
    for (const { tokens, kind } of held) if (kind === 'category' && this.#fewest(tokens) <= few) add(tokens, kind);
    for (const { tokens, kind } of synonyms) if (kind === 'related') add(tokens, kind);
    for (const { tokens, kind } of held) if (kind === 'related' && !isAmbiguous && this.#fewest(tokens) <= few) add(tokens, kind);
    for (const other of this.#family(token)) add([other], 'related');
    return found;
  }

  /** The sense of the word, if entries contain it. */
  senseOf(word: string | undefined): string | undefined {
    const sense = word === undefined ? undefined : senseOf(word);
    return sense !== undefined && this.#holding(sense) > 0 ? sense : undefined;
  }

  /** The idf of the word; for an unknown word, the idf of its most frequent sure alternative. */
  idfOf(token: string, alternatives: readonly Alternative[], word: string | undefined): number {
    const sense = this.senseOf(word);
    if (sense !== undefined) return this.#idf(sense);
    if (this.#holding(token) > 0) return this.#idf(token);
    const sure = alternatives.filter(({ weight }) => weight >= SURE_WEIGHT).map((alternative) => alternative.idf);
    return sure.length > 0 ? Math.min(...sure) : this.#idf(token);
  }

  asked(terms: readonly QueryTerm[]): Pick<QueryWords, 'tokens' | 'commonTokens' | 'relatedTokens'> {
    const sure = new Set(terms.map(({ token }) => token));
    const related = new Set<string>();
    const common = Math.max(COMMON_ROWS, this.#vocabulary.rows * COMMON_SHARE);
    for (const { tokens, kind } of terms.flatMap(({ alternatives }) => alternatives)) {
      if (isExpansion(kind) && tokens.some((token) => this.#holding(token) > common)) continue;
      const asked = isExpansion(kind) ? related : sure;
      // A stop word alone would match every entry; it is only checked in matches of the rest of its phrase.
      for (const token of tokens) if (asked.size < MAX_ASKED && !isStopWord(token)) asked.add(token);
    }
    const left = this.#leastTelling(terms);
    return {
      tokens: [...sure].filter((token) => !left.has(token)),
      commonTokens: [...left],
      relatedTokens: [...related].filter((token) => !sure.has(token)),
    };
  }

  /**
   * The most frequent words, up to a small share of the query's weight: an entry without any of the others covers at most that share. Long
   * row lists dominate the cost of keyword search.
   */
  #leastTelling(terms: readonly QueryTerm[]): Set<string> {
    const left = new Set<string>();
    let allowed = UNASKED_SHARE * terms.reduce((sum, term) => sum + term.idf, 0);
    for (const term of terms.toSorted((a, b) => a.idf - b.idf)) {
      allowed -= term.idf;
      if (allowed < 0 || this.#holding(term.token) < LONG_LIST_ROWS) break;
      left.add(term.token);
    }
    return left;
  }

  /** Corrections of an unknown word: another word, or two with a blank between them. */
  #meant(token: string, word: string): (readonly string[])[] {
    this.#respelled += 1;
    if (this.#respelled > MAX_RESPELLED) return [];
    const respelled = respell({ word, token }, this.#lookalikes(token, word), (other) => this.#holding(other));
    if (respelled.length > 0) return respelled.map((other) => [other]);
    const halves = isSpelled(word) ? this.#halves(word) : undefined;
    return halves === undefined ? [] : [halves];
  }

  #lookalikes(token: string, word: string): Iterable<string> {
    return this.#vocabulary.lookalikes(word.length > token.length ? word : token);
  }

  /** The two known words that form this one, of the most equal lengths. */
  #halves(word: string): readonly string[] | undefined {
    let best: readonly string[] | undefined;
    let shorter = SHORTEST_HALF - 1;
    for (let at = SHORTEST_HALF; at <= word.length - SHORTEST_HALF; at++) {
      const halves = [word.slice(0, at), word.slice(at)].flatMap(tokenize);
      if (halves.length !== 2 || halves.some((half) => this.#holding(half) === 0 || isStopWord(half))) continue;
      if (Math.min(at, word.length - at) <= shorter) continue;
      shorter = Math.min(at, word.length - at);
      best = halves;
    }
    return best;
  }

  #holding(token: string): number {
    return this.#vocabulary.documentFrequency(token);
  }

  /** Known words of the same family. About a hundred candidates are tried, so results are cached until the store gets a new word. */
  #family(token: string): readonly string[] {
    const { families } = this.#remembered;
    let held = families.get(token);
    if (held === undefined) {
      const related = isStopWord(token) ? [] : derivationsOf(token);
      held = related.filter((other) => this.#holding(other) > 0 && !isStopWord(other));
      families.set(token, held);
    }
    return held;
  }

  /** Those that entries contain, cached as long; most of them they do not. */
  #heldOf(related: readonly RelatedWord[]): readonly RelatedWord[] {
    let held = this.#remembered.related.get(related);
    if (held === undefined) {
      held = related.filter(({ tokens }) => this.#fewest(tokens) > 0);
      this.#remembered.related.set(related, held);
    }
    return held;
  }

  #fewest(tokens: readonly string[]): number {
    return Math.min(...tokens.map((token) => this.#holding(token)));
  }

  #idf(token: string): number {
    return idf(this.#holding(token), this.#vocabulary.rows);
  }
}

/** The query words as typed, by token; compounds are split. */
function typedWords(query: string): Map<string, string> {
  const words = new Map<string, string>();
  for (const [typed] of query.normalize('NFKC').matchAll(/[\p{L}\p{M}]+/gu)) {
    for (const word of [typed, ...typed.split(/(?<=\p{Ll})(?=\p{Lu})/u)]) {
      const [token] = tokenize(word);
      if (token !== undefined && !words.has(token)) words.set(token, plain(word));
    }
  }
  return words;
}

/** Lower case without accents. */
const plain = (word: string): string =>
  word
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .normalize('NFC')
    .toLowerCase();

/** Synonyms of phrases in the query, by each word of the phrase. */
function phraseSynonyms(stream: readonly string[]): Map<string, Synonym[]> {
  const found = new Map<string, Synonym[]>();
  for (const [start, token] of stream.entries()) {
    for (const phrase of phrasesFrom(token)) {
      if (phrase.tokens.some((word, at) => stream[start + at] !== word)) continue;
      for (const word of phrase.tokens) if (!isStopWord(word)) found.set(word, [...(found.get(word) ?? []), ...phrase.synonyms]);
    }
  }
  return found;
}
