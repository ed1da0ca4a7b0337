import { RecentMap } from '../recent-map.ts';
import { tokenize } from '../words/tokens.ts';
import {
  CHANGE_PHRASES,
  CHANGE_SIGNS,
  DENIES_BEHIND,
  DENIES_BEHIND_SIGNS,
  ENDS_AHEAD,
  ENDS_AHEAD_SIGNS,
  FROM_TO,
  LIGHT,
  NARROWS,
  REASONS,
  SIGN_BORDERS,
  SWAPS_AHEAD,
  SWAPS_AHEAD_SIGNS,
} from './correction-words.ts';

/** Kind of a value; undefined for a plain word. */
type ValueKind = 'time' | 'date' | 'weekday' | 'identifier' | 'number' | `unit ${string}`;

/** A content word of a clause: its stem and kind of value. */
export interface ClauseWord {
  readonly stem: string;
  readonly written: string;
  readonly kind: ValueKind | undefined;
  /** Function words directly before it. */
  readonly lead: readonly string[];
  /** Whether a function word or the end follows it. */
  readonly ends: boolean;
}

/** A part of a text between commas, colons and similar marks. */
export interface Clause {
  readonly said: readonly ClauseWord[];
  /** Words that no longer hold. */
  readonly denied: readonly ClauseWord[];
  readonly changes: boolean;
  /** Only names the subject: ends with a colon, or continues with what no longer holds. */
  readonly isTopic: boolean;
  /** Whether it explicitly says that the denied words were true before: `no longer`, `instead of`, not only `not`. */
  readonly isEnded: boolean;
  /** The reason for the previous clause. */
  readonly isReason: boolean;
}

const CLAUSE_BORDER =
  /(?<=[,;!。！；，、：])\s*|(?<=[.:])(?<!\d\.)\s+|\s+[—–-]\s+|\s(?=(?:and|but|because|und|aber|sondern|weil|et|mais|parce que|y|pero|sino|porque)\s)/iu;
const MONTH =
  '(?:jan(?:uary|uar|vier)?|ene(?:ro)?|feb(?:ruary|ruar|rero)?|févr(?:ier)?|mar(?:ch|s|zo)?|märz|apr(?:il)?|avril|abr(?:il)?|may|mai|mayo|june?|juni|juin|junio|july?|juli|juillet|julio|aug(?:ust)?|août|agosto|sept?(?:ember|embre|iembre)?|o[ck]t(?:ober|obre|ubre)?|nov(?:ember|embre|iembre)?|de[cz](?:ember|iembre)?|déc(?:embre)?)';
const DAY =
  '(?:mon|tues|wednes|thurs|fri|satur|sun)days?|(?:mon|diens|donners|frei|sams|sonn)tags?|mittwochs?|(?:lun|mar|mercre|jeu|vendre|same)dis?|dimanches?|lunes|martes|miércoles|jueves|viernes|sábados?|domingos?';
const UNIT =
  'ms|millis\\p{L}*|secs?|seconds?|sekunden?|secondes?|segundos?|s|min|mins|minutes?|minuten?|minutos?|h|hours?|stunden?|heures?|horas?|days?|tagen?|tage|jours?|días?|weeks?|wochen?|semaines?|semanas?|months?|monaten?|mois|meses|years?|%|percent|prozent|kb|mb|gb|tb|mo|go|euros?|eur|dollars?|usd|€|天|日間|日|小时|分钟|秒|分|時間|个月|人|characters|chars|zeichen|lines|zeilen|columns|retries|attempts|reviews?|replicas?|workers?|nodes?|users?|entries|items';
/** Most specific first. */
const VALUES: readonly (readonly [ValueKind | 'quantity', string])[] = [
  [
    'time',
    '\\d{1,2}:\\d\\d(?::\\d\\d)?(?:\\s?[ap]m)?|\\d{1,2}\\s?(?:[ap]m|uhr|点半?|時半?)|\\d{1,2}\\sh(?:\\s?\\d\\d)?(?![\\p{L}\\d])|[一二三四五六七八九十]+点半?',
  ],
  [
    'date',
    `\\d{4}-\\d\\d-\\d\\d|\\d{1,2}(?:st|nd|rd|th|\\.|er)?\\s(?:of\\s|de\\s)?${MONTH}(?!\\p{L})|${MONTH}\\s\\d{1,2}(?:st|nd|rd|th)?(?![\\d:])|\\d{1,2}\\.\\d{1,2}\\.(?:\\d{2,4})?|\\d{1,2}月\\d{1,2}[日号]|(?<=(?:on|by|until|till|before) the )\\d{1,2}(?:st|nd|rd|th)(?!\\p{L})`,
  ],
  ['weekday', `(?:${DAY})(?!\\p{L})|(?:星期|周|礼拜)[一二三四五六日天]|[月火水木金土日]曜日?`],
  [
    'identifier',
    '[\\p{L}\\d_@#~]*(?:[./#@_~:][\\p{L}\\d_-]*[\\p{L}\\d_]+)+/?|[\\p{L}]+(?:-[\\p{L}\\d]+)*-(?:\\d+|\\p{L}+)(?=-\\d)-\\d+|[\\p{L}]+(?:-[\\p{L}\\d]+)+',
  ],
  [
    'quantity',
    `(?:one|two|three|four|five|six|seven|eight|nine|ten|twelve|zwei|drei|vier|fünf|sechs|sieben|acht|zehn|zwölf|deux|trois|quatre|cinq|huit|dix|douze|dos|tres|cuatro|cinco|seis|siete|ocho|diez|doce|\\d+(?:[.,]\\d+)*)[\\s-]?(?:${UNIT})(?![\\p{sc=Latin}\\d])`,
  ],
  ['number', '(?<![\\p{L}\\d])v?\\d+(?:[.,]\\d+)*|(?<!\\p{L})(?:two|three|four|five|six|seven|eight|nine|ten|twelve)(?!\\p{L})'],
];
const VALUE = new RegExp(VALUES.map(([kind, pattern]) => `(?<![\\p{sc=Latin}\\p{N}_])(?<${kind}>${pattern})`).join('|'), 'giu');
const UNIT_OF = new RegExp(`(${UNIT})$`, 'iu');
const UNIT_NAMES: readonly (readonly [string, RegExp])[] = [
  [
    'time',
    /^(?:ms|milli|s$|sec|sek|seg|min|h$|hour|stunde|heure|hora|day|tag|jour|día|week|woche|semain|seman|month|monat|mois|mes|year|天|日|小时|分|秒|時間|个月)/iu,
  ],
  ['size', /^(?:[kmgt][bo])$/iu],
];
const WORD = /[\p{L}\p{N}_'+-]+/gu;
const UNSPACED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}ー]/u;
const RUNS = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}ー]+|(?:(?![\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}ー])[\p{L}\p{N}_'+-])+/gu;
/** Placeholder for words of change; separates what is before from what is after. */
export const GAP = '\u0001';
// oxlint-disable-next-line no-control-regex -- no text has it
const GAPS = /(\u0001)/;
const SPACED_GAP = ` ${GAP} `;

/** The end of a sentence; not a full stop after a number, as in `3. Mai`. */
const SENTENCE_BORDER = /(?<=[.!?])(?<!\d\.)\s+|(?<=[。！？])|\n/;

export const sentencesIn = (text: string): string[] => text.split(SENTENCE_BORDER).filter((sentence) => sentence.trim() !== '');

const CHANGED = [...CHANGE_PHRASES, CHANGE_SIGNS];
const DENIED_BEHIND = [...DENIES_BEHIND, DENIES_BEHIND_SIGNS];
const ENDED_AHEAD = [...ENDS_AHEAD, ENDS_AHEAD_SIGNS];
const SWAPPED_AHEAD = [...SWAPS_AHEAD, SWAPS_AHEAD_SIGNS];
const SIGNS_OF_CHANGE = [...CHANGED, ...DENIED_BEHIND, ...ENDED_AHEAD, ...SWAPPED_AHEAD];

const CACHED = 500;
const remembered = new RecentMap<string, readonly Clause[]>(CACHED);

/** The clauses of a text: what each says and denies. Cached: one text is compared with many. */
export function clausesOf(text: string): readonly Clause[] {
  let clauses = remembered.get(text);
  if (clauses === undefined) remembered.set(text, (clauses = readClauses(text)));
  return clauses;
}

/** Linear in the text. */
const readClauses = (text: string): Clause[] => partsOf(text).map(clauseOf);

/** Prefilter: whether a clause of the text may have words of change. */
export const mayChange = (text: string): boolean =>
  partsOf(text).some((part) => SIGNS_OF_CHANGE.some((pattern) => part.search(pattern) !== -1));

/** The clauses as written, without quotes and brackets. */
function partsOf(text: string): string[] {
  const plain = text
    .normalize('NFC')
    .replaceAll('’', "'")
    .replaceAll(/[`"“”„«»*()（）「」]/g, ' ');
  return plain.split(CLAUSE_BORDER).filter((part) => /[\p{L}\p{N}]/u.test(part));
}

function clauseOf(part: string): Clause {
  const { rest, denied, isTopic, isEnded = false } = withoutDenied(part);
  let claim = rest;
  for (const pattern of CHANGED) claim = claim.replace(pattern, SPACED_GAP);
  return {
    said: saidIn(claim),
    denied: denied === undefined ? [] : saidIn(denied),
    changes: claim !== rest || denied !== undefined,
    isTopic: isTopic === true || /[:：]$/u.test(part.trimEnd()),
    isEnded,
    isReason: REASONS.test(part),
  };
}

interface Denial {
  readonly rest: string;
  readonly denied?: string;
  readonly isTopic?: boolean;
  readonly isEnded?: boolean;
}

/** Splits what no longer holds from a clause. */
function withoutDenied(part: string): Denial {
  for (const pattern of FROM_TO) {
    const match = pattern.exec(part);
    const old = match?.groups?.['old'];
    if (match && old !== undefined && CHANGED.some((phrase) => part.search(phrase) !== -1))
      return { rest: `${part.slice(0, match.index)}${SPACED_GAP}${part.slice(match.index + match[0].length)}`, denied: old, isEnded: true };
  }
  const gone = firstOf(part, DENIED_BEHIND);
  if (gone) return { ...behind(part, gone), isEnded: true };
  const ended = firstOf(part, ENDED_AHEAD);
  if (ended) return { ...ahead(part, ended), isTopic: true, isEnded: true };
  const swapped = firstOf(part, SWAPPED_AHEAD);
  // German `statt` at the end is part of a verb: `findet am Montag statt`.
  return swapped && /\p{L}|\p{N}/u.test(part.slice(swapped.index + swapped[0].length))
    ? { ...ahead(part, swapped), isEnded: swapped[0].length > 4 }
    : { rest: part };
}

function firstOf(part: string, patterns: readonly RegExp[]): RegExpExecArray | undefined {
  for (const pattern of patterns) {
    pattern.lastIndex = 0;
    const match = pattern.exec(part);
    if (match) return match;
  }
  return undefined;
}

const ahead = (part: string, match: RegExpExecArray): Denial => ({
  rest: `${part.slice(0, match.index)}${SPACED_GAP}`,
  denied: part.slice(match.index + match[0].length),
});

/** Splits the denied words before a match; in scripts without blanks, only the last phrase before it. */
function behind(part: string, match: RegExpExecArray): Denial {
  const [before, after] = [part.slice(0, match.index), part.slice(match.index + match[0].length)];
  const start = UNSPACED.test(match[0]) ? Math.max(...[...before.matchAll(/[はがもで、]/gu)].map(({ index }) => index + 1), 0) : 0;
  return { rest: `${before.slice(0, start)}${SPACED_GAP}${after}`, denied: before.slice(start) };
}

function saidIn(text: string): ClauseWord[] {
  const found: (ClauseWord & { ends: boolean })[] = [];
  let lead: string[] = [];
  const add = (stem: string, written: string, kind: ValueKind | undefined): void => {
    found.push({ stem, written, kind, lead, ends: false });
    lead = [];
  };
  const pass = (word: string): void => {
    const last = found.at(-1);
    if (last !== undefined) last.ends = true;
    lead.push(word);
  };
  const addWords = (words: string): void => {
    for (const part of words.split(GAPS)) {
      if (part === GAP) pass(part);
      else for (const [run] of part.matchAll(RUNS)) addRun(run, add, pass);
    }
  };
  let at = 0;
  for (const match of text.matchAll(VALUE)) {
    addWords(text.slice(at, match.index));
    const value = match[0];
    const kind = VALUES.find(([name]) => match.groups?.[name] !== undefined)?.[0] ?? 'number';
    const lower = value.toLowerCase().replaceAll(/\s+/g, ' ');
    add(kind === 'weekday' ? lower.replace(/s$/, '') : lower, value, kind === 'quantity' ? `unit ${unitOf(value)}` : kind);
    at = match.index + value.length;
  }
  addWords(text.slice(at));
  const last = found.at(-1);
  if (last !== undefined) last.ends = true;
  return found;
}

function addRun(run: string, add: (stem: string, written: string, kind: undefined) => void, pass: (word: string) => void): void {
  if (UNSPACED.test(run)) {
    for (const [nth, piece] of run.split(SIGN_BORDERS).entries()) {
      if (nth > 0) pass('');
      if (piece !== '') add(piece, piece, undefined);
    }
    return;
  }
  for (const [word] of run.matchAll(WORD)) {
    const lower = word.toLowerCase().replace(/^(?:[ldcnsj]|qu)'|'(?:s|re|ve|m|ll)$/u, '');
    // `Go` is the language, `go` the verb.
    if (lower === '' || (LIGHT.has(lower) && word !== 'Go')) pass(lower);
    else add(stemOf(lower), word, undefined);
  }
}

const stemOf = (word: string): string => tokenize(word)[0] ?? word;

function unitOf(value: string): string {
  const unit = (UNIT_OF.exec(value)?.[1] ?? '').toLowerCase();
  return UNIT_NAMES.find(([, pattern]) => pattern.test(unit))?.[0] ?? stemOf(unit);
}

/** Whether the function word before a word narrows the statement: `in the app`, not `is in`. */
export const isNarrowing = ({ lead: [first = ''] }: ClauseWord): boolean => isNarrowingWord(first);
export const isNarrowingWord = (word: string): boolean => NARROWS.has(word);
