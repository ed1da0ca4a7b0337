import { isNegation } from '../words/negations.ts';
import { piecesOf, readLayout, type Layout, type Piece } from './same-fact-pieces.ts';
import { isStopWord, tokenize } from '../words/tokens.ts';

/** A word or sign for comparison. */
export interface Word {
  /** Equal for two notations of the same: `1,000` and `1000`, `30 s` and `30 seconds`, `don't` and `do not`, `Deploy` and `deploy`. */
  readonly key: string;
  readonly written: string;
  /** In backticks: letter case counts. */
  readonly code: boolean;
  /** Without meaning here (an article, `is`); known for English only. */
  readonly empty: boolean;
  readonly negation: boolean;
  /** A unit or noun after a number. */
  readonly counted: boolean;
  /** First word of a sentence. */
  readonly starts: boolean;
  /** After a comma, colon or similar. */
  readonly pause: boolean;
  /** Part of a hyphenated word. */
  readonly joined: boolean;
}

/** The parts of a text that are compared. */
interface Reading extends Pick<Layout, 'code' | 'depths'> {
  readonly words: readonly Word[];
}

const LETTERS = /^\p{L}[\p{L}\p{M}]*$/u;
const QUANTITY = /^([+-]?\d[\d.,_]*)(\p{L}{1,12}|%|°\p{L})$/u;

const wordsOf = (text: string): string[] => text.trim().split(/\s+/);
const ARTICLES: ReadonlySet<string> = new Set(['a', 'an', 'the']);
const COPULAS: ReadonlySet<string> = new Set(['is', 'are', 'am']);
/** An announcement before the fact, at the start of a text. */
const ANNOUNCEMENT = /^\s*(?:(?:note|nb|fyi|remember|reminder|hinweis|merke)\s*:|(?:note|remember)\s+that\b)\s*/i;
const PRONOUNS = '(?:it|that|there|he|she|what|who|where|here)';
const CONTRACTIONS: readonly (readonly [RegExp, string])[] = [
  [/^won't$/i, 'will not'],
  [/^(?:can't|cannot)$/i, 'can not'],
  [/^(do|does|did|is|are|was|were|has|have|had|would|should|could|must)n'?t$/i, '$1 not'],
  [new RegExp(`^(${PRONOUNS})'s$`, 'i'), '$1 is'],
  [/^(\p{L}+)'re$/iu, '$1 are'],
  [/^(\p{L}+)'ll$/iu, '$1 will'],
  [/^(\p{L}+)'ve$/iu, '$1 have'],
  [/^i'm$/i, 'I am'],
];
const NUMBERS: ReadonlyMap<string, string> = new Map(
  wordsOf('zero one two three four five six seven eight nine ten eleven twelve').flatMap((word, value) =>
    // `one` is usually not a number: `the old one`.
    value === 1 ? [] : [[word, String(value)] as const],
  ),
);
const UNITS: ReadonlyMap<string, string> = new Map(
  `
s: sec secs second seconds; ms: millisecond milliseconds msec; min: mins minute minutes; h: hr hrs hour hours; %: percent
GB: gigabyte gigabytes; MB: megabyte megabytes; kB: KB kilobyte kilobytes
`
    .trim()
    .split(/[;\n]\s*/)
    .flatMap((line) => {
      const [unit = '', others = ''] = line.split(': ');
      return wordsOf(others).map((other) => [other, unit] as const);
    }),
);

/** The words of a text without formatting. Linear in the text. */
export function readWords(text: string): Reading {
  const { prose, code, depths } = readLayout(text);
  const bare = prose.replace(ANNOUNCEMENT, '');
  const shouted = !/\p{Ll}/u.test(bare);
  const words: Word[] = [];
  for (const piece of piecesOf(bare)) addWords(piece, words, shouted);
  const settled = words.map((word, at) => ({ ...word, empty: word.empty && !isLetter(word, words[at - 1], words[at + 1]) }));
  return { words: settled, code, depths };
}

function addWords(piece: Piece, words: Word[], shouted: boolean): void {
  const before = words.at(-1);
  // `No, deploy` is not `No deploy`.
  if (piece.pause && before?.negation === true) words.push(wordOf({ ...piece, text: ',' }, before, shouted));
  const expanded = piece.code ? piece.text : (CONTRACTIONS.find(([form]) => form.test(piece.text)) ?? [/$^/, '']);
  const text = typeof expanded === 'string' ? expanded : piece.text.replace(...expanded);
  const quantity = QUANTITY.exec(text);
  const texts = quantity && !piece.code ? [quantity[1]!, quantity[2]!] : text.split(' ');
  for (const [nth, one] of texts.entries()) {
    words.push(wordOf({ ...piece, text: one, starts: piece.starts && nth === 0, pause: piece.pause && nth === 0 }, words.at(-1), shouted));
  }
}

function wordOf({ text, code, starts, pause, joined }: Piece, before: Word | undefined, shouted: boolean): Word {
  const counted = !pause && before !== undefined && /^[+-]?\d[\d.,_]*$/.test(before.key) && /^[\p{L}%°]/u.test(text);
  const key = code ? text : keyOf(text, { counted, starts, shouted });
  const empty = !code && !joined && (ARTICLES.has(key) || (COPULAS.has(key) && !starts) || key === 'please');
  return { key, written: text, code, empty, negation: tokenize(text).some(isNegation), counted, starts, pause, joined };
}

function keyOf(text: string, { counted, starts, shouted }: { counted: boolean; starts: boolean; shouted: boolean }): string {
  const unit = counted ? (UNITS.get(text) ?? (text.length <= 3 ? text : undefined)) : undefined;
  if (unit !== undefined) return unit;
  const lower = text.toLowerCase();
  if (!LETTERS.test(text)) return numberKey(text);
  const [first = ''] = text;
  const isPlain = text === lower || text === text.toUpperCase() || text.slice(first.length) === lower.slice(first.length);
  if (!isPlain || isInitials(text, { starts, shouted })) return text;
  return NUMBERS.get(lower) ?? americanSpelling(lower);
}

/** American spelling; also changes other words (`detour`, `promise`), equally in both texts. */
export function americanSpelling(word: string): string {
  if (word.length < 6) return word;
  const plain = word.replace(/our(?=s?$|ed$|ing$|ites?$)/, 'or');
  return word.length < 7 ? plain : plain.replace(/is(?=(?:e[ds]?|ing|ations?)$)/, 'iz');
}

/** Names that look like a pronoun or article: `US`, `IT`, the A of `Team A`. */
function isInitials(text: string, { starts, shouted }: { starts: boolean; shouted: boolean }): boolean {
  if (shouted || text === text.toLowerCase() || text === 'I') return false;
  return text.length === 1 ? !starts : text.length === 2 && text === text.toUpperCase() && isStopWord(text.toLowerCase());
}

function numberKey(text: string): string {
  if (/^[1-9]\d{0,2}(?:,\d{3})+$/.test(text)) return text.replaceAll(',', '');
  if (/^0\d:\d\d(?::\d\d)?$/.test(text)) return text.slice(1);
  const [, day = '', month = '', year = ''] = /^(\d{1,2})\.(\d{1,2})\.(\d{4})$/.exec(text) ?? [];
  return year !== '' && Number(day) <= 31 && Number(month) <= 12 ? `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}` : text;
}

/** `a` is a letter and not an article at the end of a phrase, before `is` and after another article. */
function isLetter({ key }: Word, before: Word | undefined, next: Word | undefined): boolean {
  if (!ARTICLES.has(key)) return false;
  const ends = next === undefined || next.starts || next.pause || COPULAS.has(next.key);
  return ends || (before !== undefined && ARTICLES.has(before.key));
}
