import { clausesOf, sentencesIn, type Clause, type ClauseWord } from './correction-clauses.ts';

/** Maximum number of words of the older sentence if both share only one word. */
const MOST_KNOWN = 7;
/** Units of a change, such as `by a week`; `weekly` is none. */
const MEASURE = /^(?:day|week|month|year|hour|minute|tag|woche|monat|jahr|stunde|jour|semaine|mois|día|semana|mes|fps)(?:e?[ns]|e|es)?$/i;
const LABELS = /^(?:step|version|chapter|room|level|page|ticket|issue|schritt|kapitel|étape|paso|raum|seite)/i;

/** A new value, and the words that name its subject. */
export interface NewValue {
  readonly value: ClauseWord;
  readonly subject: readonly ClauseWord[];
}

/**
 * The values that clauses with words of change give: `Launch slipped, it goes out on 2 June`. Other clauses (who wanted it, why) do not
 * count.
 */
export function newValuesIn(clauses: readonly Clause[]): NewValue[] {
  return clauses.flatMap((clause, at) => {
    const [value, other] = clause.said.filter(isValue);
    if (value === undefined || other !== undefined || clause.isReason || clause.denied.length > 0 || isLabelled(clause, value)) return [];
    const before = clauses[at - 1];
    const own = wordsOf(clause);
    const isCarried = own.length === 0 && before?.changes === true && !before.said.some(isValue);
    const subject = isCarried ? wordsOf(before) : own;
    const isSwapped = clauses[at + 1]?.denied.length === 1 && clauses[at + 1]?.said.length === 0;
    return subject.length > 0 && (clause.changes || isCarried || isSwapped) ? [{ value, subject }] : [];
  });
}

/** Whether the older text has another value for a subject: `We launch on 12 May`. It must have all words of the subject. */
export function changesValue(values: readonly NewValue[], older: string): boolean {
  return values.some((value) => sentencesIn(older).some((sentence) => isReplacedIn(sentence, value)));
}

/** The clauses that end a statement, next to another clause with words of change. */
export function endingsIn(clauses: readonly Clause[]): Clause[] {
  const ends = ({ isEnded, said, denied }: Clause): boolean =>
    isEnded && said.length > 0 && denied.length > 0 && ![...said, ...denied].some(isValue);
  return clauses.filter((clause) => ends(clause) && clauses.some((next) => next !== clause && next.changes));
}

/** Whether the older text has all words of a clause that ends a statement. */
export function endsAll(endings: readonly Clause[], older: string): boolean {
  if (endings.length === 0) return false;
  const known = clausesOf(older).flatMap(({ said }) => said);
  return endings.some(({ said, denied }) => [...said, ...denied].every((word) => has(known, word)));
}

function isReplacedIn(sentence: string, { value, subject }: NewValue): boolean {
  const clauses = clausesOf(sentence).filter(({ isReason }) => !isReason);
  const known = clauses.flatMap(({ said }) => said);
  if (!subject.every((word) => has(known, word)) || known.some((word) => word.stem === value.stem)) return false;
  const words = known.filter((word) => !isValue(word));
  if (subject.length === 1 && words.length > MOST_KNOWN) return false;
  const about = clauses.filter(({ said }) => said.some((word) => has(subject, word)));
  // The value may belong to several subjects: `Search, export and login time out after 20 s`.
  if (
    clauses
      .slice(
        0,
        clauses.findIndex((clause) => about.includes(clause)),
      )
      .some(isItem)
  )
    return false;
  const alike = about.flatMap((clause) => clause.said.filter((word) => isAlike(word, value) && !isLabelled(clause, word)));
  return alike.length === 1;
}

/** A clause of one or two words may be an item of an enumeration. */
const isItem = ({ said, denied }: Clause): boolean => denied.length === 0 && said.length > 0 && said.length < 3 && !said.some(isValue);

const isValue = ({ kind }: ClauseWord): boolean => kind !== undefined && kind !== 'identifier';

const wordsOf = ({ said }: Clause): ClauseWord[] => said.filter((word) => !isValue(word) && !MEASURE.test(word.written));

/** Whether a number is part of a name: `room 12`, `version 3`. */
function isLabelled({ said }: Clause, value: ClauseWord): boolean {
  const before = said[said.indexOf(value) - 1];
  return value.kind === 'number' && before !== undefined && LABELS.test(before.written);
}

/** Whether two values have the same kind and unit; a bare number matches any quantity. */
function isAlike(one: ClauseWord, other: ClauseWord): boolean {
  if (one.kind === 'number' || other.kind === 'number')
    return [one, other].every(({ kind }) => kind === 'number' || kind?.startsWith('unit'));
  return one.kind === other.kind && (one.kind?.startsWith('unit') !== true || unitOf(one) === unitOf(other));
}

const unitOf = ({ written }: ClauseWord): string =>
  /\p{L}{1,2}(?=\p{L}*$)/u.exec(written.replace(/^\S+[\s-]/, ''))?.[0]?.toLowerCase() ?? '';

const has = (words: readonly ClauseWord[], { stem }: ClauseWord): boolean =>
  words.some((other) => other.stem === stem || isForm(other.stem, stem) || isForm(stem, other.stem));

/** Whether the longer word is an inflection of the shorter. */
const isForm = (short: string, long: string): boolean => short.length >= 4 && long.startsWith(short) && long.length - short.length <= 2;
