import {
  clauseAround,
  coverage,
  denies,
  isAboutAnother,
  isElsewhere,
  isNarrower,
  namesAnother,
  partAbout,
  replacedIn,
  saysMore,
  sentencesOf,
  speaksOf,
  tellingTokens,
  type Around,
} from './relation-cues-evidence.ts';
import { correctionOf, saysAnotherThing, speaksOfAnother } from './corrections.ts';
import { RecentMap } from '../recent-map.ts';
import { additionIn, contradictionIn } from './relation-cues-stance.ts';
import { CHANGES, ENDINGS, REPLACEMENTS, type PlainCue } from './relation-cues-table.ts';
import { UNSETTLED } from './relation-cues-words.ts';

/** What a newer text says of an older one. */
export interface RelationCue {
  readonly type: 'supersedes' | 'contradicts' | 'elaborates';
  /** The word or phrase that says so, in plain words. */
  readonly cue: string;
  /** How sure that is, 0..1: set by kind of evidence, not measured. */
  readonly strength: number;
}

/** A longer text has many subjects; a cue in it says nothing of one other text. UTF-16 units. */
const LONGEST_READ = 4000;
/** Least share of the older text's words that the newer repeats: what it does not speak of must not be hidden. */
const OLDER_HELD = 0.4;
/** The same of the sentence of the older text that is about what was replaced. */
const PART_HELD = 0.6;
/** Least share of the older text's words that the newer has where it can add to it, which takes more time to read. */
const WORTH_READING = 0.4;
/** Of two statements that are opposed 0.85 of the words are alike; the one that denies, and those written in several ways, are not counted as such here. */
const OPPOSED_HELD = 0.7;
const MOST_OTHER_WORDS = 2;
/** A time or another number: one word of a text is several of these tokens. */
const NO_WORD = /\p{N}/u;
/** Of a clause that says what no longer holds, at least so much is in the older text. */
const ENDING_HELD = 0.6;
const SUBJECT_HELD = 0.75;
/** Of two sentences that differ in one value, so many words before it are alike. */
const LEAST_SUBJECT = 2;
const LONGEST_VALUE = 6;
const SIGNS_OF_CHANGE = [...REPLACEMENTS, ...ENDINGS, ...CHANGES];
const ENDING_STRENGTH = 0.9;
const CHANGE_STRENGTH = 0.8;
/** Of a correction that names only what is so now. */
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
 * What the words of the newer text say of its relation to the older: only what they say outright. The caller knows that both are close
 * neighbours in one namespace, and which is newer. `supersedes` hides the older from recall, so it takes more than a cue: what was replaced
 * stands in the older text, which does not deny it; the newer repeats a good part of the older's words; nothing shows that it speaks of another
 * thing, another place, a plan or a part. Languages: English, German, French, Spanish, Russian, Chinese, Japanese, Korean.
 */
export function cueOf(newer: string, older: string): RelationCue | undefined {
  if (newer.length > LONGEST_READ || older.length > LONGEST_READ) return undefined;
  const [fresh, known] = [tellingTokens(newer), tellingTokens(older)];
  if (isElsewhere(fresh, known)) return undefined;
  const pair: Pair = { newer, older, fresh, known, freshSet: new Set(fresh), knownSet: new Set(known) };
  const found = supersession(pair);
  if (found || coverage(known, pair.freshSet) < WORTH_READING) return found;
  const isOpposed = !tellsChange(newer) && mayBeOpposed(fresh, pair.knownSet) && mayBeOpposed(known, pair.freshSet);
  return (isOpposed ? contradictionIn(newer, older) : undefined) ?? additionIn(newer, older);
}

/** Whether so few words of a text are not in the other that both can be the same statement, one of them denied. */
function mayBeOpposed(tokens: readonly string[], others: ReadonlySet<string>): boolean {
  const different = new Set(tokens.filter((token) => !NO_WORD.test(token)));
  let missing = 0;
  for (const token of different) if (!others.has(token)) missing += 1;
  return missing <= MOST_OTHER_WORDS + different.size * (1 - OPPOSED_HELD);
}

const CACHED = 500;
const changing = new RecentMap<string, boolean>(CACHED);

/** Whether a text says in so many words that something is not as it was. A text of many subjects does not. */
export function tellsChange(text: string): boolean {
  if (text.length > LONGEST_READ) return false;
  let tells = changing.get(text);
  if (tells === undefined) changing.set(text, (tells = SIGNS_OF_CHANGE.some(({ pattern }) => pattern.test(text))));
  return tells;
}

function supersession(pair: Pair): RelationCue | undefined {
  const found = outright(pair);
  if (found) return found;
  const correction = correctionOf(pair.newer, pair.older);
  return correction && { type: 'supersedes', cue: 'correction', strength: CORRECTION_STRENGTHS[correction.evidence] };
}

/** By one sentence that names both, or says the same but for one value. */
function outright(pair: Pair): RelationCue | undefined {
  if (!tellsChange(pair.newer) || coverage(pair.known, pair.freshSet) < OLDER_HELD) return undefined;
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
    if (!found || !speaksOf(pair.knownSet, found.old) || denies(pair.older, found.old)) continue;
    const [old, now] = [new Set(found.old.flat()), found.now?.flat() ?? pair.fresh];
    if (now.every((token) => pair.knownSet.has(token))) continue;
    if (speaksOfAnother(sentence, partAbout(pair.older, old))) continue;
    const replaced = new Set([...old, ...(found.now?.flat() ?? []), ...found.own]);
    // Where what holds now is not named at once, there is a verb with it: `the team uses A instead of B`.
    if (isNarrower(found, pair.knownSet, { replaced, spare: found.now === undefined ? 1 : 0 })) continue;
    if (isOfSameSubject(tellingTokens(sentence), { clause: sentence, older: partAbout(pair.older, old), pair, replaced })) {
      return { type: 'supersedes', cue: cue.name, strength: cue.strength };
    }
  }
  return undefined;
}

/** `X is no longer Y`: the older text speaks of X, and of Y nearly as it is said here. */
function ending(sentence: string, pair: Pair): RelationCue | undefined {
  const cue = firstIn(sentence, ENDINGS);
  if (!cue) return undefined;
  const { before, after } = clauseAround(cue);
  const [subject, rest] = [tellingTokens(before), tellingTokens(after)];
  const said = [...subject, ...rest];
  if (said.length === 0 || coverage(said, pair.knownSet) < ENDING_HELD) return undefined;
  if (subject.length > 0 && coverage(subject, pair.knownSet) < SUBJECT_HELD) return undefined;
  if (tellsChange(pair.older) || denies(pair.older, [said])) return undefined;
  if (isNarrower(cue, pair.knownSet, { replaced: new Set(), spare: 0 })) return undefined;
  const older = partAbout(pair.older, new Set(said));
  const isSame = isOfSameSubject([...subject, '', ...rest], { clause: `${before} ${after}`, older, pair, replaced: new Set() });
  return isSame ? { type: 'supersedes', cue: cue.name, strength: ENDING_STRENGTH } : undefined;
}

/** Whether what was said and the part of the older text that speaks of what was replaced share a subject, and nothing shows two. */
function isOfSameSubject(
  fresh: readonly string[],
  { clause, older, pair, replaced }: { clause: string; older: string; pair: Pair; replaced: ReadonlySet<string> },
): boolean {
  const known = tellingTokens(older);
  const said = new Set(fresh);
  return (
    known.some((token) => said.has(token) && !replaced.has(token)) &&
    coverage(known, pair.freshSet) >= PART_HELD &&
    !saysMore(older, pair.freshSet) &&
    !isAboutAnother(fresh, known, replaced) &&
    !namesAnother(clause, older, replaced)
  );
}

/** `X is now Z` where the older text has a sentence, or a clause, that is the same but for Z. */
function change(sentence: string, pair: Pair): RelationCue | undefined {
  const cue = firstIn(sentence, CHANGES);
  if (!cue) return undefined;
  const clause = clauseAround(cue);
  const said = [cue, clause].map(({ before, after }) => tellingTokens(`${before} ${after}`));
  const older = sentencesOf(pair.older).flatMap((before) => [before, ...before.split(/[,;:]\s/)]);
  const changed = older.some((before) => {
    const known = tellingTokens(withoutChange(before));
    return said.some((now) => hasOtherValue(now, known)) && !saysAnotherThing(sentence, before);
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
  // Where more words differ than are alike, two things are said of one subject.
  if (Math.max(wordsIn(now), wordsIn(before)) > start + end) return false;
  // Behind the value only what it counts may stand: otherwise it is part of what both speak of.
  return end === 0 || (end === 1 && [...now, ...before].every((token) => /^\p{N}/u.test(token)));
}

/** Numbers are values, and a time of day is several of them. */
const wordsIn = (tokens: readonly string[]): number => tokens.filter((token) => !/^\p{N}/u.test(token)).length;

function withoutChange(sentence: string): string {
  const cue = firstIn(sentence, CHANGES);
  return cue ? `${cue.before} ${cue.after}` : sentence;
}

function firstIn(sentence: string, cues: readonly PlainCue[]): (Around & { readonly name: string }) | undefined {
  for (const { name, pattern } of cues) {
    const match = pattern.exec(sentence);
    if (match) return { name, before: sentence.slice(0, match.index), after: sentence.slice(match.index + match[0].length) };
  }
  return undefined;
}
