import { changesValue, endingsIn, endsAll, newValuesIn, type NewValue } from './changed-value.ts';
import {
  clausesOf,
  GAP,
  isNarrowing,
  isNarrowingWord,
  mayChange,
  sentencesIn,
  type Clause,
  type ClauseWord,
} from './correction-clauses.ts';
import { ADDS, COPULAS, MERELY } from './correction-words.ts';
import { RecentMap } from '../recent-map.ts';
import { LABELLED, WE } from '../words/grammar.ts';
import { listsMore, saysMore, contentTokens } from './relation-cues-evidence.ts';
import { UNSETTLED } from './relation-cues-words.ts';

/** How a correction refers to the older text. */
interface Correction {
  /** `denied`: names the old value; `value`: only the new one. */
  readonly evidence: 'denied' | 'value';
}

/** Limits of corrections and corrected texts: UTF-16 units, and sentences. */
const LONGEST = 400;
const MOST_SENTENCES = 3;
const MOST_OLDER_SENTENCES = 2;
/** Maximum number of words of a new value. */
const LONGEST_VALUE = 3;
/** Maximum number of words of a name, and of further words of the older text about its subject. */
const LONGEST_NAME = 2;
const MOST_LEFT = 4;
/** Letters shared by all forms of a word. */
const BEGINNING = 3;
const CACHED = 500;

/** The claims and retractions of a text. */
interface Claim {
  readonly subject: readonly ClauseWord[];
  readonly said: readonly ClauseWord[];
  readonly denied: readonly ClauseWord[];
  readonly isEnded: boolean;
  readonly clauses: readonly Clause[];
  readonly values: readonly NewValue[];
  readonly endings: readonly Clause[];
  /** No question, plan or addition, and one of the tests of `correctionOf` may succeed with some older text. */
  readonly mayCorrect: boolean;
}

/**
 * Whether a newer text corrects an older one: it has words of change, the older text contains its whole subject, and also the retracted
 * value or one of the same kind. A statement on a part or another thing of the same kind is no correction. It may say less about the
 * subject than the older text.
 */
export function correctionOf(newer: string, older: string): Correction | undefined {
  if (newer.length > LONGEST || older.length > LONGEST) return undefined;
  const claim = claimOf(newer);
  if (claim?.mayCorrect !== true || !mayShare(claim, older)) return undefined;
  const then = sentencesIn(older);
  if (then.length > MOST_OLDER_SENTENCES) return undefined;
  const fresh = new Set(contentTokens(newer));
  for (const sentence of then) {
    if (listsMore(sentence, fresh)) continue;
    const known = clausesOf(sentence)
      .filter(({ denied, isReason }) => denied.length === 0 && !isReason)
      .flatMap(({ said }) => said);
    if (isDenied(claim, known) && (isOfAll(claim.said) || !saysMore(sentence, fresh))) return { evidence: 'denied' };
    if (isOtherValue(claim, known) || isOtherHolder(claim, known) || isOtherName(claim, known)) return { evidence: 'value' };
  }
  if (endsAll(claim.endings, older)) return { evidence: 'denied' };
  return changesValue(claim.values, older) ? { evidence: 'value' } : undefined;
}

const claims = new RecentMap<string, Claim | null>(CACHED);

/** Cached: one text is compared with many. */
function claimOf(text: string): Claim | undefined {
  const known = claims.get(text);
  if (known !== undefined) return known ?? undefined;
  const claim = readClaim(text);
  claims.set(text, claim ?? null);
  return claim;
}

/** Topic, first claiming clause and all denials. A later clause without words of change is a reason. */
function readClaim(text: string): Claim | undefined {
  const sentences = sentencesIn(text);
  if (sentences.length > MOST_SENTENCES || !sentences.some(mayChange)) return undefined;
  const clauses = sentences.flatMap(clausesOf);
  if (!clauses.some(({ changes }) => changes)) return undefined;
  const denied = clauses.flatMap((clause) => clause.denied);
  const topic = clauses.filter(({ isTopic }) => isTopic).flatMap(({ said }) => said);
  const claims = clauses.filter(({ said, isTopic }) => said.length > 0 && !isTopic);
  const first = claims.find(({ changes, denied: none }) => changes && none.length === 0) ?? claims[0];
  const beside = claims.filter((one) => one !== first && one.denied.length > 0).flatMap(({ said }) => said);
  const claim = {
    subject: [...topic, ...beside],
    said: first?.said ?? [],
    denied,
    isEnded: clauses.some(({ isEnded }) => isEnded),
    clauses,
    values: newValuesIn(clauses),
    endings: endingsIn(clauses),
  };
  return { ...claim, mayCorrect: isComparable(claim) && isSettled(text) };
}

const isSettled = (text: string): boolean => !ADDS.test(text) && !UNSETTLED.some((pattern) => pattern.test(text.replaceAll(MERELY, ' ')));

/** Whether the claim has what one of the tests of `correctionOf` needs, whatever the older text says. */
function isComparable({ subject, said, denied, values, endings }: Omit<Claim, 'mayCorrect'>): boolean {
  const words = [...subject, ...said];
  return (
    values.length > 0 ||
    endings.length > 0 ||
    denied.some((word) => !has(words, word)) ||
    (words.some((word, at) => at > 0 && word.kind !== undefined) && words.some(({ kind }) => kind === undefined)) ||
    (subject.length === 0 && isHolder(said)) ||
    (denied.length === 0 && endsInName(words))
  );
}

/** Prefilter: whether the older text may share a word with the claim. */
function mayShare({ clauses }: Claim, older: string): boolean {
  const lower = older.toLowerCase();
  return clauses
    .flatMap(({ said, denied }) => [...said, ...denied])
    .some(({ written }) => lower.includes(written.toLowerCase().slice(0, BEGINNING)));
}

function isLike(one: ClauseWord, other: ClauseWord): boolean {
  if (one.stem === other.stem) return true;
  if (one.kind === undefined && other.kind === undefined) return isPart(one.stem, other.stem);
  return isNumberOf(one, other) || isNumberOf(other, one);
}

/** Whether a number is the amount of a quantity: `30` of `30 seconds`. */
const isNumberOf = (one: ClauseWord, other: ClauseWord): boolean =>
  one.kind === 'number' && other.kind?.startsWith('unit') === true && other.stem.startsWith(`${one.stem} `);

const ENDING = /^(?:e?s|e?n|ers?|ing|ed|e|in|ung(?:en)?)$/;

/** Whether one word is an inflection of the other, or part of a run in a script without blanks. */
function isPart(one: string, other: string): boolean {
  const [short, long] = one.length <= other.length ? [one, other] : [other, one];
  if (/[\p{sc=Han}\p{sc=Katakana}]/u.test(short)) return short.length >= 2 && long.includes(short);
  return short.length >= 4 && long.startsWith(short) && ENDING.test(long.slice(short.length));
}

const has = (words: readonly ClauseWord[], word: ClauseWord): boolean => words.some((other) => isLike(word, other));

function isDenied({ subject, said, denied, isEnded }: Claim, known: readonly ClauseWord[]): boolean {
  const words = [...subject, ...said];
  const old = denied.filter((word) => !has(words, word));
  if (old.length === 0 || !denied.every((word) => has(known, word))) return false;
  // The denied word must end a phrase: `Jest config` is about something else than `Jest`.
  if (!known.some((word) => has(old, word) && word.ends)) return false;
  const isOwn = (word: ClauseWord): boolean => !has(known, word);
  const own = said.filter(isOwn);
  if (subject.some(isOwn) || (own.length === 0 && !isEnded) || !isNewValue(own, said)) return false;
  const left = known.filter((word) => !has(words, word) && !has(old, word));
  if (left.length > MOST_LEFT) return false;
  if (own.length === words.length) return isOfAll(own) && isWholeValue(known, old);
  if (!beginningOf(known).some((word) => has(words, word) || has(old, word))) return false;
  return own.length === 0 || own.includes(said.at(-1)!) || isName(said[0]!) || isUsed(said[0]!);
}

/** Whether the words missing in the older text are the new value: contiguous, of one sort, and not narrowing. */
function isNewValue(own: readonly ClauseWord[], said: readonly ClauseWord[]): boolean {
  if (own.length > LONGEST_VALUE || own.some(isNarrowed(said)) || !isOneRun(said, (word) => own.includes(word))) return false;
  if (own.slice(1).some(({ lead }) => lead.length > 0)) return false;
  return own.every(isMeasured) || !own.some(isMeasured);
}

/** A general statement without a specific subject: `We switched to X`. */
function isOfAll(own: readonly ClauseWord[]): boolean {
  const [first] = own;
  if (first === undefined || own.length > LONGEST_NAME || own.some((word) => isMeasured(word) || word.lead.some(isNarrowingWord)))
    return false;
  return first.lead.includes(GAP) || first.lead.some((word) => WE.has(word));
}

/** A number, time or other quantity; not a name. */
const isMeasured = ({ kind }: ClauseWord): boolean => kind !== undefined && kind !== 'identifier';

/** After `for`, `in` and similar words, with an earlier word of the claim before it. */
const isNarrowed =
  (said: readonly ClauseWord[]) =>
  (word: ClauseWord): boolean =>
    word.kind === undefined && said.indexOf(word) > 0 && isNarrowing(word);

const isName = ({ written }: ClauseWord): boolean => /^\p{Lu}/u.test(written);

/** Whether the words that both do not share are contiguous. */
function isOneRun(said: readonly ClauseWord[], isOwn: (word: ClauseWord) => boolean): boolean {
  const first = said.findIndex(isOwn);
  return first === -1 || said.slice(first, said.findLastIndex(isOwn) + 1).every(isOwn);
}

/** Whether the denied words are all that the older text says about its subject, and no quantity. */
function isWholeValue(known: readonly ClauseWord[], denied: readonly ClauseWord[]): boolean {
  if (denied.some(isMeasured)) return false;
  const at = known.findIndex((word) => has(denied, word));
  return known.slice(at).every((word) => has(denied, word));
}

/** `Use X for Y`: the first word is what is used. */
const isUsed = ({ lead }: ClauseWord): boolean => lead.some((word) => /^(?:us|utilis|nutz|benutz|verwend)/.test(word));

/** Whether the claim gives another value of the same kind for the subject of the older text. */
function isOtherValue({ subject, said, denied }: Claim, known: readonly ClauseWord[]): boolean {
  const words = [...subject, ...said];
  const plain = words.filter(({ kind }) => kind === undefined);
  const fresh = words.filter((word) => word.kind !== undefined && !has(known, word));
  if (fresh.length === 0 || plain.length === 0 || !plain.every((word) => has(known, word))) return false;
  if (!denied.every((word) => has(known, word)) || !fresh.every((word) => isSaid(word, words, known))) return false;
  const head = headOf(known);
  if (head === undefined || !has(plain, head) || known.length > plain.length + fresh.length + MOST_LEFT) return false;
  return fresh.every((word) => {
    const alike = known.filter((other) => isOfKind(word, other) && !has(words, other));
    const [old] = alike.length > 1 ? alike.filter((other) => has(denied, other)) : alike;
    return old !== undefined && isSaid(old, known, words);
  });
}

/** Whether two values have the same kind; a bare number matches any quantity. */
const isOfKind = ({ kind }: ClauseWord, { kind: other }: ClauseWord): boolean =>
  kind === other || (kind === 'number' && other?.startsWith('unit') === true) || (other === 'number' && kind?.startsWith('unit') === true);

/** Whether a value is a statement about a subject, not part of a name (`step 3`, `the Monday build`) and not the subject. */
function isSaid(value: ClauseWord, words: readonly ClauseWord[], others: readonly ClauseWord[]): boolean {
  const at = words.indexOf(value);
  const [before, next] = [words[at - 1], words[at + 1]];
  if (before === undefined || (value.kind === 'number' && LABELLED.has(before.stem))) return false;
  const isCount = value.kind === 'number' && next !== undefined && has(others, next);
  return value.ends || next?.kind !== undefined || isCount;
}

/** Another person in the same role: `Lena is the owner now`. */
function isOtherHolder({ subject, said }: Claim, [former, ...known]: readonly ClauseWord[]): boolean {
  const [holder, ...role] = said;
  if (subject.length > 0 || holder === undefined || former === undefined || !isHolder(said)) return false;
  return isName(former) && !isLike(holder, former) && isSame(role, known);
}

/** A name, a copula and a role with its article. */
function isHolder([holder, role]: readonly ClauseWord[]): boolean {
  if (holder === undefined || role === undefined || !isName(holder) || isMeasured(holder)) return false;
  const [copula = '', ...article] = role.lead.filter((word) => word !== GAP);
  return COPULAS.has(copula) && article.length > 0;
}

/** The same statement with another name at the end: `Formatting is done with X now`. */
function isOtherName({ subject, said, denied }: Claim, known: readonly ClauseWord[]): boolean {
  const words = [...subject, ...said];
  if (denied.length > 0 || !endsInName(words)) return false;
  const [own, left] = [words.filter((word) => !has(known, word)), known.filter((word) => !has(words, word))];
  const [now, then] = [own[0], left[0]];
  if (own.length !== 1 || left.length !== 1 || now === undefined || then === undefined) return false;
  return words.at(-1) === now && isProper(then) && then.ends && now.kind === then.kind;
}

function endsInName(words: readonly ClauseWord[]): boolean {
  const last = words.at(-1);
  return words.length > 1 && last !== undefined && isProper(last) && last.ends && !isNarrowing(last);
}

/** A name or identifier, recognized by a capital; not in German and not at the start. */
const isProper = (word: ClauseWord): boolean =>
  !isMeasured(word) && (word.kind === 'identifier' || /\p{Lu}|^\p{sc=Latin}+\d/u.test(word.written));

const isSame = (some: readonly ClauseWord[], others: readonly ClauseWord[]): boolean =>
  some.length === others.length && some.every((word) => has(others, word));

/** Whether a sentence has new words both at its beginning and later: then the older text has another subject. */
export function hasOtherSubject(newer: string, older: string): boolean {
  const { own, claim } = sides(newer, older);
  return own.length > 0 && own[0] === claim[0] && !isOneRun(claim, (word) => own.includes(word));
}

/** Whether a sentence says something else about the subject, or only adds to it: `is on Wednesdays` after `is led by Marek`. */
export function saysSomethingElse(newer: string, older: string): boolean {
  if (ADDS.test(newer)) return true;
  const { own, left, claim } = sides(newer, older);
  return own.length < claim.length && (phrasesIn(own) > 1 || phrasesIn(left) !== phrasesIn(own));
}

/** The claim of a sentence, its own words, and words only in the older text. */
function sides(newer: string, older: string): Record<'claim' | 'own' | 'left', readonly ClauseWord[]> {
  const claim = claimOf(newer)?.said ?? [];
  const known = clausesOf(older).flatMap(({ said }) => said);
  return { claim, own: claim.filter((word) => !has(known, word)), left: known.filter((word) => !has(claim, word)) };
}

const phrasesIn = (words: readonly ClauseWord[]): number => words.filter(({ ends, kind }) => ends && kind === undefined).length;

/** The subject of the older text: the last plain word of its beginning. */
const headOf = (known: readonly ClauseWord[]): ClauseWord | undefined => beginningOf(known).findLast(({ kind }) => kind === undefined);

/** The words up to the first function word or value. */
function beginningOf(known: readonly ClauseWord[]): readonly ClauseWord[] {
  const end = known.findIndex(({ ends, kind }) => ends || kind !== undefined);
  return known.slice(0, end + 1);
}
