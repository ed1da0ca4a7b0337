import { isNegation } from '../words/negations.ts';
import { RecentMap } from '../recent-map.ts';
import { beginningsOf, countMissing } from '../same-fact/word-beginnings.ts';
import { coverage, isAboutAnother, sentencesOf, contentTokens } from './relation-cues-evidence.ts';
import { ADDITIONS } from './relation-cues-table.ts';
import { OPPOSITES } from './relation-cues-words.ts';
import type { RelationCue } from './relation-cues.ts';
import { readWords, type Word } from '../same-fact/same-fact-words.ts';
import { isStopWord, tokenize } from '../words/tokens.ts';

/** Words that only emphasize. */
const ALWAYS: ReadonlySet<string> = new Set(['always', 'ever', 'immer', 'toujours', 'siempre', 'всегда'].flatMap(tokenize));
/** Single-character negations, in addition to those used in ranking. */
const CHARACTERS: ReadonlySet<string> = new Set(['不', '没', '未', '無', '无', '非', '안', '못']);
/** Minimum share of each statement's words in the other for the same subject. */
const SAME_SUBJECT = 0.85;
/** Minimum number of words: fewer match by chance. */
const SHORTEST_STATEMENT = 2;
const SHORTEST_CONTAINED = 3;
const OLDER_HELD = 0.4;
const LEAST_SHARED = 2;
/** Negating characters within a run, and words that contain a negation. */
const DENIAL_IN_A_WORD = /[不没未無无非안못]|cannot|n['’]?t(?!\p{L})/iu;
const QUESTION = /[?？]\s*$/;
/** Size of each cache: one entry is compared with many. */
const CACHED = 500;
const LETTER_OR_DIGIT = /[\p{L}\p{N}]/u;
const CONTRADICTION_STRENGTH = 0.8;
const CONTAINED_STRENGTH = 0.9;
const ADDITION_STRENGTH = 0.6;

/** Token -> its opposite; of each pair, the negative word -> the positive one. */
const AFFIRMATIVE: ReadonlyMap<string, string> = new Map(
  OPPOSITES.trim()
    .split(/[;\n]\s*/)
    .map((pair) => {
      const [so = '', not = ''] = pair.split(' ');
      return [tokenize(not)[0] ?? not, tokenize(so)[0] ?? so] as const;
    }),
);

interface Statement {
  readonly tokens: readonly string[];
  readonly denied: boolean;
  /** The negating word, as written. */
  readonly sign: string | undefined;
}

/** A contradiction: two statements of the same words, of which exactly one is negated. */
export function contradictionIn(newer: string, older: string): RelationCue | undefined {
  if (QUESTION.test(newer) || QUESTION.test(older) || !(mayDeny(newer) || mayDeny(older))) return undefined;
  const [one, other] = [statementOf(newer), statementOf(older)];
  if (one.denied === other.denied || Math.min(one.tokens.length, other.tokens.length) < SHORTEST_STATEMENT) return undefined;
  const alike = Math.min(coverage(one.tokens, new Set(other.tokens)), coverage(other.tokens, new Set(one.tokens)));
  if (alike < SAME_SUBJECT || isAboutAnother(one.tokens, other.tokens, new Set())) return undefined;
  return { type: 'contradicts', cue: one.sign ?? other.sign ?? 'not', strength: CONTRADICTION_STRENGTH };
}

/** An addition: the newer text contains the whole older one, or says that it adds to it and repeats its subject. */
export function additionIn(newer: string, older: string): RelationCue | undefined {
  if (mayBeContained(older, newer) && isContained(readWords(older).words, readWords(newer).words)) {
    return { type: 'elaborates', cue: 'holds the whole text', strength: CONTAINED_STRENGTH };
  }
  const added = addedIn(newer);
  if (added === null) return undefined;
  const { sentence, cue } = added;
  const [fresh, known] = [contentTokens(sentence), contentTokens(older)];
  const [freshSet, knownSet] = [new Set(fresh), new Set(known)];
  const shared = [...knownSet].filter((token) => freshSet.has(token)).length;
  if (shared < LEAST_SHARED || coverage(known, freshSet) < OLDER_HELD || fresh.every((token) => knownSet.has(token))) return undefined;
  return isDenied(newer) === isDenied(older) ? { type: 'elaborates', cue, strength: ADDITION_STRENGTH } : undefined;
}

/** The sentence that announces an addition, and its cue. */
interface Added {
  readonly sentence: string;
  readonly cue: string;
}

const additions = new RecentMap<string, Added | null>(CACHED);

function addedIn(text: string): Added | null {
  let added = additions.get(text);
  if (added === undefined) additions.set(text, (added = readAdded(text)));
  return added;
}

function readAdded(text: string): Added | null {
  for (const sentence of sentencesOf(text)) {
    const found = ADDITIONS.find(({ pattern }) => pattern.test(sentence));
    if (found) return { sentence, cue: found.name };
  }
  return null;
}

const isDenied = (text: string): boolean => mayDeny(text) && statementOf(text).denied;

const denying = new RecentMap<string, boolean>(CACHED);

/** Prefilter: whether a text may contain a negation. */
function mayDeny(text: string): boolean {
  let may = denying.get(text);
  if (may === undefined) denying.set(text, (may = DENIAL_IN_A_WORD.test(text) || tokenize(text).some(isDenial)));
  return may;
}

const isDenial = (token: string): boolean => AFFIRMATIVE.has(token) || CHARACTERS.has(token) || isNegation(token);

/** Prefilter: whether another text may contain all words of a text. */
function mayBeContained(part: string, whole: string): boolean {
  const { alone, hasCode } = beginningsOf(part);
  return hasCode || countMissing(alone, beginningsOf(whole).all) === 0;
}

const statements = new RecentMap<string, Statement>(CACHED);

function statementOf(text: string): Statement {
  let statement = statements.get(text);
  if (statement === undefined) statements.set(text, (statement = readStatement(text)));
  return statement;
}

function readStatement(text: string): Statement {
  let denials = 0;
  let sign: string | undefined;
  const tokens: string[] = [];
  for (const word of readWords(text).words) {
    // A compound counts as one token: its parts are not distinctive.
    const token = tokenize(word.key)[0] ?? word.key;
    const affirmative = AFFIRMATIVE.get(token);
    const turns = isDenial(token);
    if (turns) [denials, sign] = [denials + 1, sign ?? word.written];
    if (affirmative !== undefined) tokens.push(affirmative);
    else if (!turns && !isStopWord(token) && !ALWAYS.has(token) && LETTER_OR_DIGIT.test(token)) tokens.push(token);
  }
  return { tokens, denied: denials % 2 === 1, sign };
}

/** Whether `whole` contains all words of `part` in order, from the start of a sentence, and has more. */
function isContained(part: readonly Word[], whole: readonly Word[]): boolean {
  const [words, all] = [part, whole].map((of) => of.filter(({ empty, key }) => !empty && LETTER_OR_DIGIT.test(key))) as [Word[], Word[]];
  if (words.filter(({ key }) => !isStopWord(key)).length < SHORTEST_CONTAINED || all.length <= words.length) return false;
  const starts = new Set(whole.flatMap((word, at) => (word.starts ? (whole.slice(at).find(({ empty }) => !empty) ?? []) : [])));
  return all.some((word, at) => starts.has(word) && words.every(({ key }, nth) => all[at + nth]?.key === key));
}
