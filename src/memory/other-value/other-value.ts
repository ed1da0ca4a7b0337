import { namesOtherEnvironment, sentencesOf, contentTokens } from '../relation-cues/relation-cues-evidence.ts';
import { isNegation } from '../words/negations.ts';
import { LABELLED, WE } from '../words/grammar.ts';
import { synonymsOf } from '../words/synonyms.ts';
import { tokenize } from '../words/tokens.ts';
import { likenessOf } from '../same-fact/likeness.ts';
import { gapsBetween, isSubject, type Gap, type Term } from './other-value-gaps.ts';
import { CHANGE_WORDS, DETERMINERS, isQuality, isStance, LINKS, TIMES } from './other-value-words.ts';
import { joinDates } from '../same-fact/same-fact-dates.ts';
import { differenceIn, differenceOf } from '../same-fact/same-fact.ts';
import { readWords, type Word } from '../same-fact/same-fact-words.ts';

/** A different value in two sentences on one subject, as written; empty if one of them says nothing there. */
interface ValueDifference {
  readonly here: string;
  readonly there: string;
}

/** What another text repeats or contradicts. */
export interface OtherValue {
  /** Word similarity of the two most similar sentences, 0..1; see `Likeness`. */
  readonly similarity: number;
  readonly differs?: readonly ValueDifference[];
  /** Sentences that the other text repeats. */
  readonly repeats?: readonly string[];
}

/** Longer texts have several subjects. UTF-16 units. */
const LONGEST_READ = 4000;
const MOST_SENTENCES = 12;
const LONGEST_SENTENCE = 60;
const MOST_DIFFERENCES = 3;
/** Minimum number of content words that two sentences share, and of a repeated sentence. */
const LEAST_SHARED = 2;
const LEAST_REPEATED = 3;
/** Minimum number of shared content words before a value: the common subject. */
const LEAST_SUBJECT = 2;
/** Minimum share of common content words, without values. */
const SUBJECT_SHARE = 0.5;
const LONGEST_VALUE = 3;
/** Letters shared by all forms of a word. */
const BEGINNING = 4;
/** Minimum number of shared words to parse a sentence. */
const ENOUGH_SHARED = 3;
/** Maximum for plain words: longer ones are about two subjects. */
const LONGEST_WORDS = 2;

interface Sentence {
  readonly text: string;
  readonly terms: readonly Term[];
  /** Stems of its content words without quantities. */
  readonly subject: ReadonlySet<string>;
  readonly asks: boolean;
  /** Beginnings of these words, in lower case. */
  readonly beginnings: readonly string[];
}

/** A sentence parsed on demand: most are about something else, which a cheap check shows. */
interface Unread {
  readonly text: string;
  readonly lower: string;
  read?: Sentence;
}

/** Values compared character by character. */
const EXACT_KINDS: ReadonlySet<string> = new Set(['address', 'path', 'version', 'date', 'number', 'unit', 'identifier']);
const COUNT_KINDS: ReadonlySet<string> = new Set(['version', 'date', 'number', 'unit']);
/** Words that identify German, where every noun has a capital. */
const GERMAN: ReadonlySet<string> = new Set([
  'der',
  'die',
  'das',
  'den',
  'dem',
  'ein',
  'eine',
  'einen',
  'und',
  'ist',
  'sind',
  'wir',
  'nicht',
  'für',
  'im',
  'zu',
]);

/**
 * A function that compares other texts with this one, sentence by sentence: which sentences they repeat, and where they give another value
 * for the same subject (number, time, version, name, opposite, negation). Compares words, so it misses paraphrases. Does not decide which
 * value holds. Skips long texts and questions. Reports repeats only if half of the text is repeated.
 */
export function otherValuesIn(text: string): (other: string) => OtherValue | undefined {
  let own: readonly Sentence[] | undefined;
  return (other) => {
    if (text.length > LONGEST_READ || other.length > LONGEST_READ) return undefined;
    own ??= sentencesOf(text).map(read);
    if (own.length > MOST_SENTENCES) return undefined;
    const theirs = sentencesOf(other).map((each): Unread => ({ text: each, lower: each.toLowerCase() }));
    const differs: ValueDifference[] = [];
    const repeated: string[] = [];
    let similarity = 0;
    for (const mine of own) {
      if (mine.asks || mine.terms.length > LONGEST_SENTENCE) continue;
      const found = closest(mine, theirs);
      if (found === undefined) continue;
      similarity = Math.max(similarity, likenessOf(mine.text, found.sentence.text).similarity);
      if (found.differences.length === 0) repeated.push(mine.text.trim());
      else differs.push(...found.differences);
    }
    const repeats = repeated.length >= own.length / 2 ? [...new Set(repeated)] : [];
    if (differs.length === 0 && repeats.length === 0) return undefined;
    return {
      similarity,
      ...(differs.length > 0 && { differs: differs.slice(0, MOST_DIFFERENCES) }),
      ...(repeats.length > 0 && { repeats }),
    };
  };
}

/** The sentence that says the same, else the first with another value for the same subject. */
function closest(mine: Sentence, theirs: readonly Unread[]): { sentence: Sentence; differences: ValueDifference[] } | undefined {
  let other: { sentence: Sentence; differences: ValueDifference[] } | undefined;
  for (const unread of theirs) {
    if (!mayShare(mine, unread)) continue;
    const sentence = (unread.read ??= read(unread.text));
    if (sentence.asks || sentence.terms.length > LONGEST_SENTENCE || sharedOf(mine, sentence) === 0) continue;
    const differences = differencesBetween(mine, sentence);
    if (differences === undefined) continue;
    if (differences.length > 0) other ??= { sentence, differences };
    else if (isRepeated(mine, sentence)) return { sentence, differences };
  }
  return other;
}

function isRepeated(mine: Sentence, sentence: Sentence): boolean {
  return mine.terms.filter(({ telling }) => telling).length >= LEAST_REPEATED && differenceOf(mine.text, sentence.text) === undefined;
}

function read(text: string): Sentence {
  const words = joinDates(readWords(text).words);
  const isGerman = words.some(({ key }) => GERMAN.has(key));
  const terms = words.map((word) => termOf(word, isGerman));
  const subject = new Set(terms.filter(isSubject).map(({ stem }) => stem));
  const beginnings = [...new Set(terms.filter(isSubject).map(({ lower }) => lower.slice(0, BEGINNING)))];
  return { text, terms, subject, asks: terms.some(({ stem }) => stem === '?'), beginnings };
}

/** Prefilter: whether enough words may be shared. */
function mayShare({ beginnings }: Sentence, { lower }: Unread): boolean {
  const least = Math.min(ENOUGH_SHARED, Math.ceil(beginnings.length / 2));
  let shared = 0;
  for (const beginning of beginnings) {
    if (lower.includes(beginning)) shared += 1;
    if (shared >= least) return shared > 0;
  }
  return false;
}

function termOf(word: Word, isGerman: boolean): Term {
  const kind = differenceIn(word);
  const isExact = EXACT_KINDS.has(kind);
  const stem = isExact ? word.key.toLowerCase() : (tokenize(word.key)[0] ?? word.key);
  const isValue = isExact || (kind === 'name' && !isGerman) || TIMES.has(stem);
  const negates = word.negation || isNegation(stem);
  const telling =
    !negates && (isValue || word.joined || contentTokens(word.written).length > 0) && !CHANGE_WORDS.has(stem) && kind !== 'sign';
  return { word, stem, lower: word.written.toLowerCase(), telling, isValue, isCount: COUNT_KINDS.has(kind) && !TIMES.has(stem), negates };
}

function sharedOf(one: Sentence, other: Sentence): number {
  let shared = 0;
  for (const stem of one.subject) if (other.subject.has(stem)) shared += 1;
  return shared;
}

/** The differing values; empty if they say the same, undefined if they are about two subjects. */
function differencesBetween(one: Sentence, other: Sentence): ValueDifference[] | undefined {
  if (namesOtherEnvironment([...one.subject], [...other.subject])) return undefined;
  const gaps = gapsBetween(one.terms, other.terms);
  const kinds = gaps.map((gap) => ({ gap, kind: kindOf(gap) }));
  const found = kinds.filter(({ kind }) => kind === 'value' || kind === 'word' || kind === 'denial');
  const soft = kinds.filter(({ kind }) => kind === 'synonym');
  const added = kinds.filter(({ kind }) => kind === 'added');
  const telling = found.length > 0 ? found : soft;
  if (telling.length === 0) return added.length === 0 && one.terms.length > 0 ? [] : undefined;
  // A difference before the last one that is no number means another subject: `job A runs at 1:00`, `job B runs at 2:00`.
  if (telling.length > MOST_DIFFERENCES || telling.slice(0, -1).some((one) => one.kind !== 'denial' && !isCounted(one.gap)))
    return undefined;
  if (!isOneSubject(one, other, gaps)) return undefined;
  if (added.some(({ gap }) => gap.before < LEAST_SUBJECT)) return undefined;
  const isAlone = telling.length === 1;
  if (!telling.every(({ gap, kind }) => isSaidOfSubject(gap, { kind, isAlone, sentence: one }))) return undefined;
  return telling.map(({ gap }) => ({ here: written(gap.here), there: written(gap.there) }));
}

function isOneSubject(one: Sentence, other: Sentence, gaps: readonly Gap[]): boolean {
  const shared = sharedOf(one, other);
  // One shared word suffices if nothing else differs: `Standup is at 9:30`.
  if (shared === 1) return gaps.length === 1 && one.terms.some(({ lower }) => LINKS.has(lower)) && gaps[0]!.before === 1;
  const own = (side: 'here' | 'there'): number =>
    gaps.flatMap((gap) => (gap.next === undefined ? [] : gap[side])).filter(({ telling, isValue }) => telling && !isValue).length;
  return shared >= LEAST_SHARED && shared / (shared + Math.max(own('here'), own('there'))) >= SUBJECT_SHARE;
}

type Kind = 'nothing' | 'synonym' | 'added' | 'denial' | 'stance' | 'value' | 'word';

function kindOf({ here, there }: Gap): Kind {
  const [left, right] = [here.filter(isHeavy), there.filter(isHeavy)];
  const turned = here.filter(({ negates }) => negates).length % 2 !== there.filter(({ negates }) => negates).length % 2;
  if (oppositeIn(here, there, isStance)) return 'denial';
  if (left.length === 0 && right.length === 0) return turned ? 'denial' : 'nothing';
  if (left.length === 0 || right.length === 0) return turned ? 'word' : 'added';
  if (left.length === 1 && right.length === 1 && isSynonym(left[0]!, right[0]!)) return 'synonym';
  if ([...left, ...right].every(({ isValue }) => isValue) || oppositeIn(here, there, isQuality)) return 'value';
  return 'word';
}

const isCounted = ({ here, there }: Gap): boolean =>
  [...here, ...there].every((term) => !term.telling || term.isCount || TIMES.has(term.stem));
const isHeavy = ({ telling }: Term): boolean => telling;

function oppositeIn(here: readonly Term[], there: readonly Term[], are: (one: string, other: string) => boolean): boolean {
  return here.some((one) => there.some((other) => are(one.stem, other.stem)));
}

const isSynonym = (one: Term, other: Term): boolean =>
  synonymsOf(one.stem).some(({ tokens }) => tokens.length === 1 && tokens[0] === other.stem);

interface ValueStatus {
  readonly kind: Kind;
  /** The only difference. */
  readonly isAlone: boolean;
  readonly sentence: Sentence;
}

/** Whether a difference is in the predicate and not in the subject. */
function isSaidOfSubject(gap: Gap, { kind, isAlone, sentence }: ValueStatus): boolean {
  if (kind === 'denial') return gap.before + gap.after >= LEAST_SUBJECT;
  const sides = [gap.here, gap.there].map((terms) => terms.filter(isHeavy));
  if (sides.some(({ length }) => length > (kind === 'value' ? LONGEST_VALUE : LONGEST_WORDS))) return false;
  if (kind !== 'value' && [...gap.here, ...gap.there].some(({ lower }) => LINKS.has(lower))) return false;
  if (kind === 'word' && ![gap.here, gap.there].every(isOnePhrase)) return false;
  const isLinked = gap.next !== undefined && LINKS.has(gap.next.lower);
  const words = sentence.terms.slice(0, gap.at);
  const isPredicate = gap.before > 0 && words.some(({ lower }) => LINKS.has(lower));
  if (!isPredicate && gap.before < LEAST_SUBJECT) return isAlone && (gap.before === 0 ? isActor(gap, sentence) : isObject(gap, words));
  if (isLinked) return false;
  return kind === 'value' || endsClause(gap, sentence);
}

/** The actor at the start of the sentence: `Ana owns the service`, `pnpm is our package manager`. */
function isActor({ here, there, at, thereAt, after, next }: Gap, { terms }: Sentence): boolean {
  if (at > 0 || thereAt > 0 || after < LEAST_SUBJECT || here.length > 2 || there.length > 2 || next === undefined) return false;
  const following = terms[terms.indexOf(next) + 1];
  const isVerb = LINKS.has(next.lower) || /^\p{Ll}+s$/u.test(next.word.written);
  return isVerb && following !== undefined && DETERMINERS.has(following.lower);
}

/** The object next to a single verb: `Use tabs for indentation`, `I prefer dark mode`. */
function isObject({ here, there, at, next, after }: Gap, words: readonly Term[]): boolean {
  const verb = words.findIndex(isHeavy);
  const [first] = words.slice(0, verb);
  if (verb > 1 || (verb === 1 && first !== undefined && !WE.has(first.lower)) || at - verb > 2) return false;
  if (next !== undefined && (LINKS.has(next.lower) || after === 0)) return false;
  const isNumber = [here, there].some((terms) => terms.some(({ word }) => /\p{N}/u.test(word.key)));
  return !isNumber || (!LABELLED.has(words[verb]!.stem) && next !== undefined && next.word.counted);
}

/** Whether no function word stands between its content words: `owned by Lucía` is no value, and `enabled in staging` is none for it. */
function isOnePhrase(terms: readonly Term[]): boolean {
  const inner = terms.slice(terms.findIndex(isHeavy), terms.findLastIndex(isHeavy) + 1);
  return inner.every(({ telling, word }) => telling || word.empty);
}

/** Whether at most one content word follows before the clause ends. */
function endsClause({ here, at }: Gap, { terms }: Sentence): boolean {
  let left = 0;
  for (const term of terms.slice(at + here.length)) {
    if (term.word.pause || (!term.telling && !term.word.empty)) break;
    if (term.telling) left += 1;
  }
  return left <= 1;
}

function written(terms: readonly Term[]): string {
  return terms.map(({ word }) => word.written).join(' ');
}
