import { isNegation } from '../words/negations.ts';
import { REPLACEMENTS, type ReplacementCue } from './relation-cues-table.ts';
import { BELONGING, CHANGE_HINTS, LISTING, NARROWING, SCOPES, TIME } from './relation-cues-words.ts';
import { RecentMap } from '../recent-map.ts';
import { FUNCTION_WORDS } from '../words/grammar.ts';
import { isStopWord, tokenize } from '../words/tokens.ts';

const FUNCTION_TOKENS: ReadonlySet<string> = new Set(tokenize(FUNCTION_WORDS));
const CHANGE_TOKENS: ReadonlySet<string> = new Set(tokenize(CHANGE_HINTS));
const SCOPE_OF: ReadonlyMap<string, number> = new Map(
  SCOPES.flatMap((names, nth) => names.flatMap(tokenize).map((token) => [token, nth] as const)),
);
/** Pairs of characters that are endings or particles. */
const ENDING_PAIR = /^(?:\p{sc=Hiragana}+|\p{sc=Hangul}[은는을를에의로와과다])$/u;
const ONE_LETTER = /^\p{L}$/u;
const PLAIN_START = /^[a-z\d]{2}/;
const HAN_OR_KANA = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]/u;
const PARTICLES = /[はがをもにでのと的了把由]/;
const CLAUSE_BORDER = /[,;!?()，；。、：！？（）\n]|[.:](?=\s|$)/;
const JOINT = /\s(?:and|but|und|aber|et|mais|y|pero|и|но)\s/i;
const SENTENCE_BORDER = /(?<=[.!?])\s+|(?<=[。！？])|\n/;
/** A Korean word with the particle of a subject, object or place: not part of the following name. */
const OTHER_PHRASE = /\p{sc=Hangul}[은는을를에]$/u;
/** Begins with a capital (which at the start of a sentence proves nothing), or has signs of an identifier. */
const NAME = /^(?:\p{Lu}|@|\p{L}+[._/\d])/u;
/** Maximum number of words that name a thing. */
const LONGEST_RUN = 4;

const CACHED = 2000;
const remembered = new RecentMap<string, readonly string[]>(CACHED);

/** The content words of a text in indexed form, in order. Cached: one entry is compared with many. */
export function contentTokens(text: string): readonly string[] {
  let tokens = remembered.get(text);
  if (tokens === undefined) remembered.set(text, (tokens = readContentTokens(text)));
  return tokens;
}

/** Like `contentTokens`, for words and parts of a sentence: too many to remember. */
const readContentTokens = (part: string): string[] => tokenize(part).filter(isContentToken);

export const sentencesOf = (text: string): string[] => text.split(SENTENCE_BORDER).filter((sentence) => sentence.trim() !== '');

/** A sentence before and after its cue. */
export interface CueContext {
  readonly before: string;
  readonly after: string;
}

/** The clause of the cue, up to the nearest comma, colon or conjunction. */
export function cueClause({ before, after }: CueContext): CueContext {
  return { before: before.split(CLAUSE_BORDER).at(-1) ?? '', after: after.split(CLAUSE_BORDER)[0]?.split(JOINT)[0] ?? '' };
}

/** A thing named next to a cue: the tokens of each word, nearest to the cue first. */
type Run = readonly (readonly string[])[];

/** The content words next to the cue, up to the first function word; leading function words are skipped. */
function runBeside(text: string, side: 'before' | 'after'): Run {
  const clause = side === 'before' ? (text.split(CLAUSE_BORDER).at(-1) ?? '') : firstPart(text);
  const words = clause.split(/\s+/).flatMap((word) => (HAN_OR_KANA.test(word) ? word.split(PARTICLES) : [word]));
  const run: (readonly string[])[] = [];
  for (const word of side === 'before' ? words.toReversed() : words) {
    const tokens = readContentTokens(word);
    if (run.length > 0 && (tokens.length === 0 || OTHER_PHRASE.test(word))) break;
    if (tokens.length > 0) run.push(tokens);
    if (run.length === LONGEST_RUN) break;
  }
  return run;
}

/** The sentence, or part between semicolons, with most of these tokens. */
export function partAbout(text: string, tokens: ReadonlySet<string>): string {
  const parts = sentencesOf(text).flatMap((sentence) => sentence.split(/[;；]/));
  const shared = (part: string): number => new Set(readContentTokens(part).filter((token) => tokens.has(token))).size;
  return parts.toSorted((a, b) => shared(b) - shared(a))[0] ?? '';
}

/** Whether a text mentions the thing: the word next to the cue, every number, and half of the other words. */
export function mentions(tokens: ReadonlySet<string>, run: Run): boolean {
  const [nearest, ...others] = run;
  if (nearest === undefined || !nearest.every((token) => tokens.has(token))) return false;
  const missing = others.filter((word) => !word.some((token) => tokens.has(token)));
  return missing.length <= others.length / 2 && !missing.flat().some((token) => /\p{N}/u.test(token));
}

/** Whether the older text itself denies the thing or replaces it. */
export function denies(older: string, run: Run): boolean {
  const [nearest = []] = run;
  const isAbout = (text: string): boolean => nearest.some((token) => tokenize(text).includes(token));
  return sentencesOf(older).some(
    (sentence) =>
      sentence.split(CLAUSE_BORDER).some((clause) => isAbout(clause) && tokenize(clause).some(isNegation)) ||
      REPLACEMENTS.some((cue) => {
        const found = replacedIn(sentence, cue);
        return found !== undefined && found.old.flat().some((token) => nearest.includes(token));
      }),
  );
}

interface Replaced extends CueContext {
  readonly old: Run;
  readonly now: Run | undefined;
  /** The verb of the cue; without `now`, also the word before the cue. */
  readonly own: readonly string[];
}

/** What a sentence replaces, and with what, if it matches the cue. */
export function replacedIn(sentence: string, cue: ReplacementCue): Replaced | undefined {
  const match = cue.pattern.exec(sentence);
  if (!match) return undefined;
  const [before, after] = [sentence.slice(0, match.index), sentence.slice(match.index + match[0].length)];
  const old =
    cue.old === 'inside' ? runBeside(match.groups?.['old'] ?? '', 'before') : runBeside(cue.old === 'before' ? before : after, cue.old);
  const now = cue.now === undefined ? undefined : runBeside(cue.now === 'before' ? before : after, cue.now);
  const own = [...readContentTokens(match[0]).slice(0, 1), ...(now === undefined ? (runBeside(before, 'before')[0] ?? []) : [])];
  // Text inside the cue, between its verb and the replaced thing, counts as before it.
  return {
    before: `${before} ${cue.old === 'inside' ? match[0].slice(0, match[0].lastIndexOf(match.groups?.['old'] ?? '')) : ''}`,
    after,
    old,
    now,
    own,
  };
}

/** Share 0..1 of the distinct tokens `of` that are in `by`; 0 without tokens. */
export function coverage(of: readonly string[], by: ReadonlySet<string>): number {
  const different = new Set(of);
  let shared = 0;
  for (const token of different) if (by.has(token)) shared += 1;
  return different.size === 0 ? 0 : shared / different.size;
}

/** Whether the texts name different environments: production here, staging there. */
export function namesOtherEnvironment(one: readonly string[], other: readonly string[]): boolean {
  const left = scopesOf(one);
  if (left.size === 0) return false;
  const right = scopesOf(other);
  return right.size > 0 && ![...left].some((scope) => right.has(scope));
}

/**
 * Whether a shared word has different neighbours: `cart service` here, `catalog service` there. Replaced words and their replacements may
 * differ. An empty token separates what is before and after it.
 */
export function isAboutAnother(newer: readonly string[], older: readonly string[], replaced: ReadonlySet<string>): boolean {
  const [fresh, known] = [new Set(newer), new Set(older)];
  const strangers = (tokens: readonly string[], others: ReadonlySet<string>, step: number): ReadonlySet<string> => {
    const found = new Map<string, boolean>();
    for (const [at, token] of tokens.entries()) {
      const beside = tokens[at + step];
      const isStrange = beside !== undefined && beside !== '' && !others.has(beside) && !replaced.has(beside);
      if (others.has(token)) found.set(token, isStrange && found.get(token) !== false);
    }
    return new Set([...found].flatMap(([token, isStrange]) => (isStrange && !replaced.has(token) ? [token] : [])));
  };
  return [-1, 1].some((step) => {
    const theirs = strangers(older, fresh, step);
    return [...strangers(newer, known, step)].some((token) => theirs.has(token));
  });
}

/** Whether each text has a name or identifier that the other lacks, apart from what was replaced: then they are about two things. */
export function namesAnother(newer: string, older: string, replaced: ReadonlySet<string>): boolean {
  const [fresh, known] = [new Set(tokenize(newer)), new Set(tokenize(older))];
  const hasOwnName = (text: string, others: ReadonlySet<string>): boolean =>
    text.split(/[\s,;:!?()"'“”„«»]+/).some((word) => {
      if (!NAME.test(word)) return false;
      const tokens = readContentTokens(word);
      return tokens.length > 0 && !tokens.some((token) => others.has(token) || replaced.has(token));
    });
  return hasOwnName(newer, known) && hasOwnName(older, fresh);
}

/**
 * Whether the sentence is narrower than the older text: before the cue it has more than `spare` words of its own, or after it a place,
 * group or use. Then it does not apply to all of the older text.
 */
export function isNarrower(
  { before, after }: CueContext,
  known: ReadonlySet<string>,
  { replaced, spare }: { replaced: ReadonlySet<string>; spare: number },
): boolean {
  const isOwn = (token: string): boolean => !known.has(token) && !replaced.has(token) && !TIME.test(token) && !CHANGE_TOKENS.has(token);
  const half = before.split(/[;；]/).at(-1) ?? '';
  if (new Set(readContentTokens(half).filter(isOwn)).size > spare) return true;
  const narrowed = NARROWING.exec(after);
  return narrowed !== null && readContentTokens(firstPart(after.slice(narrowed.index))).some(isOwn);
}

/**
 * Whether the older text contains more than the newer retracts: it lists the replaced thing with others, or is about one of many. Hiding it
 * would lose the rest.
 */
export function saysMore(older: string, fresh: ReadonlySet<string>): boolean {
  const belonging = BELONGING.exec(older);
  return listsMore(older, fresh) || (belonging !== null && isLeft(runBeside(older.slice(belonging.index), 'after')[0] ?? [], fresh));
}

/** Whether the older text has a list of which the newer names only a part. */
export function listsMore(older: string, fresh: ReadonlySet<string>): boolean {
  const members = older.split(LISTING);
  return members.some((member, at) => {
    const next = members[at + 1];
    if (next === undefined) return false;
    const [last, first] = [runBeside(member, 'before')[0] ?? [], runBeside(next, 'after')[0] ?? []];
    return isLeft(last, fresh) !== isLeft(first, fresh) && last.length > 0 && first.length > 0;
  });
}

const isLeft = (tokens: readonly string[], fresh: ReadonlySet<string>): boolean =>
  tokens.length > 0 && !tokens.some((token) => fresh.has(token));

/** The first part with content words: skips an opening bracket around a name. */
function firstPart(text: string): string {
  return text.split(CLAUSE_BORDER).find((part) => readContentTokens(part).length > 0) ?? '';
}

function isContentToken(token: string): boolean {
  if (isStopWord(token) || FUNCTION_TOKENS.has(token)) return false;
  // Nearly all begin with two ASCII letters or digits.
  return PLAIN_START.test(token) || !(ENDING_PAIR.test(token) || ONE_LETTER.test(token) || /^\p{L}'/u.test(token));
}

function scopesOf(tokens: readonly string[]): ReadonlySet<number> {
  const scopes = new Set<number>();
  for (const token of tokens) {
    const scope = SCOPE_OF.get(token);
    if (scope !== undefined) scopes.add(scope);
  }
  return scopes;
}
