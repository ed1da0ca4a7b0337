import { isNegation } from '../words/negations.ts';
import { coverage, isAboutAnother, sentencesOf, tellingTokens } from './relation-cues-evidence.ts';
import { ADDITIONS } from './relation-cues-table.ts';
import { OPPOSITES } from './relation-cues-words.ts';
import type { RelationCue } from './relation-cues.ts';
import { readWords, type Word } from '../same-fact/same-fact-words.ts';
import { isStopWord, tokenize } from '../words/tokens.ts';

/** What only stresses that something is so. */
const ALWAYS: ReadonlySet<string> = new Set(['always', 'ever', 'immer', 'toujours', 'siempre', 'всегда'].flatMap(tokenize));
/** Negations of single characters, beside those that ranking knows. */
const CHARACTERS: ReadonlySet<string> = new Set(['不', '没', '未', '無', '无', '非', '안', '못']);
/** Two statements are of the same thing if so much of what either says is in the other. */
const SAME_SUBJECT = 0.85;
/** Fewer words are alike by chance. */
const SHORTEST_STATEMENT = 2;
const SHORTEST_CONTAINED = 3;
const OLDER_HELD = 0.4;
const LEAST_SHARED = 2;
const QUESTION = /[?？]\s*$/;
const LETTER_OR_DIGIT = /[\p{L}\p{N}]/u;
const CONTRADICTION_STRENGTH = 0.8;
const CONTAINED_STRENGTH = 0.9;
const ADDITION_STRENGTH = 0.6;

/** Token -> the one that says the same without its `not`; of each pair of opposites the second. */
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
  /** What turns it round, as written. */
  readonly sign: string | undefined;
}

/** Two statements of the same words, of which one is denied an odd number of times more. */
export function contradictionIn(newer: string, older: string): RelationCue | undefined {
  if (QUESTION.test(newer) || QUESTION.test(older)) return undefined;
  const [one, other] = [statementOf(newer), statementOf(older)];
  if (one.denied === other.denied || Math.min(one.tokens.length, other.tokens.length) < SHORTEST_STATEMENT) return undefined;
  const alike = Math.min(coverage(one.tokens, new Set(other.tokens)), coverage(other.tokens, new Set(one.tokens)));
  if (alike < SAME_SUBJECT || isAboutAnother(one.tokens, other.tokens, new Set())) return undefined;
  return { type: 'contradicts', cue: one.sign ?? other.sign ?? 'not', strength: CONTRADICTION_STRENGTH };
}

/** The newer text holds the whole of the older, or says that it adds to it and repeats what it is about. */
export function additionIn(newer: string, older: string): RelationCue | undefined {
  if (isContained(readWords(older).words, readWords(newer).words)) {
    return { type: 'elaborates', cue: 'holds the whole text', strength: CONTAINED_STRENGTH };
  }
  const [sentence, cue] = sentencesOf(newer).flatMap((one) => {
    const found = ADDITIONS.find(({ pattern }) => pattern.test(one));
    return found ? [[one, found] as const] : [];
  })[0] ?? ['', undefined];
  if (!cue) return undefined;
  const [fresh, known] = [tellingTokens(sentence), tellingTokens(older)];
  const [freshSet, knownSet] = [new Set(fresh), new Set(known)];
  const shared = [...knownSet].filter((token) => freshSet.has(token)).length;
  if (shared < LEAST_SHARED || coverage(known, freshSet) < OLDER_HELD || fresh.every((token) => knownSet.has(token))) return undefined;
  return statementOf(newer).denied === statementOf(older).denied
    ? { type: 'elaborates', cue: cue.name, strength: ADDITION_STRENGTH }
    : undefined;
}

function statementOf(text: string): Statement {
  let denials = 0;
  let sign: string | undefined;
  const tokens: string[] = [];
  for (const word of readWords(text).words) {
    // A compound stands for itself: its parts would be told apart from nothing.
    const token = tokenize(word.key)[0] ?? word.key;
    const affirmative = AFFIRMATIVE.get(token);
    const isDenial = affirmative !== undefined || CHARACTERS.has(token) || isNegation(token);
    if (isDenial) [denials, sign] = [denials + 1, sign ?? word.written];
    if (affirmative !== undefined) tokens.push(affirmative);
    else if (!isDenial && !isStopWord(token) && !ALWAYS.has(token) && LETTER_OR_DIGIT.test(token)) tokens.push(token);
  }
  return { tokens, denied: denials % 2 === 1, sign };
}

/** The whole of a text, word by word, within another that has more, from the start of a sentence. */
function isContained(part: readonly Word[], whole: readonly Word[]): boolean {
  const [words, all] = [part, whole].map((of) => of.filter(({ empty, key }) => !empty && LETTER_OR_DIGIT.test(key))) as [Word[], Word[]];
  if (words.filter(({ key }) => !isStopWord(key)).length < SHORTEST_CONTAINED || all.length <= words.length) return false;
  const starts = new Set(whole.flatMap((word, at) => (word.starts ? (whole.slice(at).find(({ empty }) => !empty) ?? []) : [])));
  return all.some((word, at) => starts.has(word) && words.every(({ key }, nth) => all[at + nth]?.key === key));
}
