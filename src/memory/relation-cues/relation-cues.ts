import {
  cueClause,
  coverage,
  denies,
  isAboutAnother,
  namesOtherEnvironment,
  isNarrower,
  namesAnother,
  partAbout,
  replacedIn,
  saysMore,
  sentencesOf,
  mentions,
  contentTokens,
  type CueContext,
} from './relation-cues-evidence.ts';
import { correctionOf, saysSomethingElse, hasOtherSubject } from './corrections.ts';
import { RecentMap } from '../recent-map.ts';
import { additionIn, contradictionIn } from './contradictions.ts';
import { CHANGES, ENDINGS, REPLACEMENTS, type PlainCue } from './relation-cues-table.ts';
import { UNSETTLED } from './relation-cues-words.ts';

/** The relation of a newer text to an older one, by its words. */
export interface RelationCue {
  readonly type: 'supersedes' | 'contradicts' | 'elaborates';
  /** The word or phrase of evidence. */
  readonly cue: string;
  /** Confidence 0..1, set by kind of evidence, not measured. */
  readonly strength: number;
}

/** Longer texts have several subjects, so a cue in them does not refer to one other text. UTF-16 units. */
const LONGEST_READ = 4000;
/**
 * Minimum share of the older text's words in the newer one, except for corrections: parts that it does not mention must not be hidden, and
 * additions take longer to find.
 */
const LEAST_SHARED = 0.4;
/** Minimum share within the sentence about the replaced thing. */
const PART_HELD = 0.6;
/** Prefilter for contradictions, which need 0.85: the negation and words with several notations are not counted here. */
const OPPOSED_HELD = 0.7;
const MOST_OTHER_WORDS = 2;
/** Numbers, of which one word can give several tokens. */
const NO_WORD = /\p{N}/u;
/** Minimum share of an ending clause in the older text. */
const ENDING_HELD = 0.6;
const SUBJECT_HELD = 0.75;
/** Minimum number of equal words before the differing value. */
const LEAST_SUBJECT = 2;
const LONGEST_VALUE = 6;
const SIGNS_OF_CHANGE = [...REPLACEMENTS, ...ENDINGS, ...CHANGES];
const ENDING_STRENGTH = 0.9;
const CHANGE_STRENGTH = 0.8;
/** Strength of a correction that names only the new value. */
export const UNNAMED_STRENGTH = 0.7;
const CORRECTION_STRENGTHS = { denied: 0.8, value: UNNAMED_STRENGTH } as const;

interface Pair {
  readonly newer: string;
  readonly older: string;
  readonly fresh: readonly string[];
  readonly known: readonly string[];
  readonly freshSet: ReadonlySet<string>;
  readonly knownSet: ReadonlySet<string>;
}

/**
 * The relation that the newer text states explicitly, if any. The caller ensures that both are close neighbours in one namespace and which
 * is newer. `supersedes` hides the older entry, so it needs more than a cue: the older text contains the replaced thing and does not deny
 * it; the newer repeats a good part of its words; nothing indicates another subject, another environment, a plan or a part. Languages:
 * English, German, French, Spanish, Russian, Chinese, Japanese, Korean.
 */
export function cueOf(newer: string, older: string): RelationCue | undefined {
  if (newer.length > LONGEST_READ || older.length > LONGEST_READ) return undefined;
  const [fresh, known] = [contentTokens(newer), contentTokens(older)];
  const freshSet = new Set(fresh);
  // Most neighbours share too few words for anything but a correction.
  const found =
    coverage(known, freshSet) < LEAST_SHARED
      ? corrected(newer, older)
      : cueBetween({ newer, older, fresh, known, freshSet, knownSet: new Set(known) });
  return found === undefined || namesOtherEnvironment(fresh, known) ? undefined : found;
}

/** For two texts of which the newer has at least `LEAST_SHARED` of the older one's words. */
function cueBetween(pair: Pair): RelationCue | undefined {
  const { newer, older, fresh, known, freshSet, knownSet } = pair;
  const found = outright(pair) ?? corrected(newer, older);
  if (found !== undefined) return found;
  const isOpposed = !statesChange(newer) && mayBeOpposed(fresh, knownSet) && mayBeOpposed(known, freshSet);
  return (isOpposed ? contradictionIn(newer, older) : undefined) ?? additionIn(newer, older);
}

/** Prefilter: whether few enough words are missing in the other text that one may be the negation of the other. */
function mayBeOpposed(tokens: readonly string[], others: ReadonlySet<string>): boolean {
  const different = new Set(tokens.filter((token) => !NO_WORD.test(token)));
  let missing = 0;
  for (const token of different) if (!others.has(token)) missing += 1;
  return missing <= MOST_OTHER_WORDS + different.size * (1 - OPPOSED_HELD);
}

const CACHED = 500;
const changing = new RecentMap<string, boolean>(CACHED);

/** Whether a text states a change explicitly. Long texts do not. */
export function statesChange(text: string): boolean {
  if (text.length > LONGEST_READ) return false;
  let tells = changing.get(text);
  if (tells === undefined) changing.set(text, (tells = SIGNS_OF_CHANGE.some(({ pattern }) => pattern.test(text))));
  return tells;
}

function corrected(newer: string, older: string): RelationCue | undefined {
  const correction = correctionOf(newer, older);
  return correction && { type: 'supersedes', cue: 'correction', strength: CORRECTION_STRENGTHS[correction.evidence] };
}

/** A supersession by one sentence that names both things, or repeats the older one except for a value. */
function outright(pair: Pair): RelationCue | undefined {
  if (!statesChange(pair.newer)) return undefined;
  for (const sentence of sentencesOf(pair.newer)) {
    if (UNSETTLED.some((pattern) => pattern.test(sentence))) continue;
    const found = replacement(sentence, pair) ?? ending(sentence, pair) ?? change(sentence, pair);
    if (found) return found;
  }
  return undefined;
}

function replacement(sentence: string, pair: Pair): RelationCue | undefined {
  for (const cue of REPLACEMENTS) {
    const found = replacedIn(sentence, cue);
    if (!found || !mentions(pair.knownSet, found.old) || denies(pair.older, found.old)) continue;
    const [old, now] = [new Set(found.old.flat()), found.now?.flat() ?? pair.fresh];
    if (now.every((token) => pair.knownSet.has(token))) continue;
    if (hasOtherSubject(sentence, partAbout(pair.older, old))) continue;
    const replaced = new Set([...old, ...(found.now?.flat() ?? []), ...found.own]);
    // Without `now` a verb stands next to the new thing: `the team uses A instead of B`.
    if (isNarrower(found, pair.knownSet, { replaced, spare: found.now === undefined ? 1 : 0 })) continue;
    if (isOfSameSubject(contentTokens(sentence), { clause: sentence, older: partAbout(pair.older, old), pair, replaced })) {
      return { type: 'supersedes', cue: cue.name, strength: cue.strength };
    }
  }
  return undefined;
}

/** `X is no longer Y`: the older text mentions X and most of Y. */
function ending(sentence: string, pair: Pair): RelationCue | undefined {
  const cue = firstIn(sentence, ENDINGS);
  if (!cue) return undefined;
  const { before, after } = cueClause(cue);
  const [subject, rest] = [contentTokens(before), contentTokens(after)];
  const said = [...subject, ...rest];
  if (said.length === 0 || coverage(said, pair.knownSet) < ENDING_HELD) return undefined;
  if (subject.length > 0 && coverage(subject, pair.knownSet) < SUBJECT_HELD) return undefined;
  if (statesChange(pair.older) || denies(pair.older, [said])) return undefined;
  if (isNarrower(cue, pair.knownSet, { replaced: new Set(), spare: 0 })) return undefined;
  const older = partAbout(pair.older, new Set(said));
  const isSame = isOfSameSubject([...subject, '', ...rest], { clause: `${before} ${after}`, older, pair, replaced: new Set() });
  return isSame ? { type: 'supersedes', cue: cue.name, strength: ENDING_STRENGTH } : undefined;
}

/** Whether the statement and the related part of the older text share a subject, with no sign of two. */
function isOfSameSubject(
  fresh: readonly string[],
  { clause, older, pair, replaced }: { clause: string; older: string; pair: Pair; replaced: ReadonlySet<string> },
): boolean {
  const known = contentTokens(older);
  const said = new Set(fresh);
  return (
    known.some((token) => said.has(token) && !replaced.has(token)) &&
    coverage(known, pair.freshSet) >= PART_HELD &&
    !saysMore(older, pair.freshSet) &&
    !isAboutAnother(fresh, known, replaced) &&
    !namesAnother(clause, older, replaced)
  );
}

/** `X is now Z`: the older text has a sentence or clause that differs only in Z. */
function change(sentence: string, pair: Pair): RelationCue | undefined {
  const cue = firstIn(sentence, CHANGES);
  if (!cue) return undefined;
  const clause = cueClause(cue);
  const said = [cue, clause].map(({ before, after }) => contentTokens(`${before} ${after}`));
  const older = sentencesOf(pair.older).flatMap((before) => [before, ...before.split(/[,;:]\s/)]);
  const changed = older.some((before) => {
    const known = contentTokens(withoutChange(before));
    return said.some((now) => hasOtherValue(now, known)) && !saysSomethingElse(sentence, before);
  });
  return changed ? { type: 'supersedes', cue: cue.name, strength: CHANGE_STRENGTH } : undefined;
}

function hasOtherValue(newer: readonly string[], older: readonly string[]): boolean {
  let start = 0;
  while (start < newer.length && start < older.length && newer[start] === older[start]) start += 1;
  if (start < LEAST_SUBJECT) return false;
  let end = 0;
  while (end < Math.min(newer.length, older.length) - start && newer.at(-1 - end) === older.at(-1 - end)) end += 1;
  const [now, before] = [newer.slice(start, newer.length - end), older.slice(start, older.length - end)];
  if (now.length === 0 || before.length === 0 || now.length > LONGEST_VALUE || before.length > LONGEST_VALUE) return false;
  // If more words differ than are equal, these are two statements on one subject.
  if (Math.max(wordsIn(now), wordsIn(before)) > start + end) return false;
  // Only a unit may follow the value; otherwise it is part of the common subject.
  return end === 0 || (end === 1 && [...now, ...before].every((token) => /^\p{N}/u.test(token)));
}

/** Number of words without numbers, because a time gives several tokens. */
const wordsIn = (tokens: readonly string[]): number => tokens.filter((token) => !/^\p{N}/u.test(token)).length;

function withoutChange(sentence: string): string {
  const cue = firstIn(sentence, CHANGES);
  return cue ? `${cue.before} ${cue.after}` : sentence;
}

function firstIn(sentence: string, cues: readonly PlainCue[]): (CueContext & { readonly name: string }) | undefined {
  for (const { name, pattern } of cues) {
    const match = pattern.exec(sentence);
    if (match) return { name, before: sentence.slice(0, match.index), after: sentence.slice(match.index + match[0].length) };
  }
  return undefined;
}
