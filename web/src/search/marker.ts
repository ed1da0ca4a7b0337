import { stemmer } from 'stemmer';
import type { Hit, Memory } from '../api/responses.ts';
import { piecesOf, unmarked, type Marker } from '../parts/marked.tsx';
import { plainText } from '../parts/plain-text.ts';

const WORD = /[\p{L}\p{M}\p{N}_]+/gu;
/** Scripts without spaces between words: a word matches anywhere. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
const COMMON = new Set(
  'a an and are as at be but by can did do does for from had has have how i if in is it its my not of on or our so that the their then there these they this to was we were what when where which who why will with you your'.split(
    ' ',
  ),
);
const MIN_PREFIX = 3;

const fold = (word: string): string => word.normalize('NFKC').toLowerCase();

interface Sought {
  readonly stems: ReadonlySet<string>;
  readonly runs: readonly string[];
  readonly prefix: string | undefined;
}

function sought(query: string, also: readonly string[]): Sought {
  const all = (query.match(WORD) ?? []).map(fold);
  const telling = all.filter((word) => !COMMON.has(word));
  const words = telling.length > 0 ? telling : all;
  const last = words.at(-1);
  // The last word may be unfinished.
  const open = last !== undefined && last.length >= MIN_PREFIX && /[\p{L}\p{M}\p{N}_]$/u.test(query);
  return {
    stems: new Set([...words.map(stemmer), ...also]),
    runs: words.filter((word) => UNSPACED.test(word)),
    prefix: open ? last : undefined,
  };
}

/** Ranges of matching words: any inflection of a word, and everything that begins like the last word. */
function* spans(text: string, { stems, runs, prefix }: Sought): Generator<readonly [number, number]> {
  for (const match of text.matchAll(WORD)) {
    const word = fold(match[0]);
    const end = match.index + match[0].length;
    if (stems.has(stemmer(word)) || (prefix !== undefined && word.startsWith(prefix))) yield [match.index, end];
    else for (const run of runs) yield* places(match[0], run, match.index);
  }
}

function* places(word: string, run: string, offset: number): Generator<readonly [number, number]> {
  for (let at = word.indexOf(run); at >= 0; at = word.indexOf(run, at + run.length)) yield [offset + at, offset + at + run.length];
}

/**
 * Marks words for display only; the server determines the order of results. `also`: words in the server's spelling that it matched in another
 * way than by spelling.
 */
export function markerFor(query: string, also: readonly string[] = []): Marker {
  const words = sought(query, also);
  if (words.stems.size === 0) return unmarked;
  return (text) =>
    piecesOf(
      text,
      [...spans(text, words)].toSorted((a, b) => a[0] - b[0]),
    );
}

const EXCERPT_CHARS = 480;
const LEAD_CHARS = 60;
/** A list row shows three lines: at least this many characters are visible. */
const SEEN_CHARS = 160;
const LOOKED_AT_CHARS = 20_000;

/** The part of a long text for a list: its beginning, or the area around the first match. */
function excerpt(text: string, marker: Marker): string {
  if (text.length <= SEEN_CHARS) return text;
  const first = marker(text.slice(0, LOOKED_AT_CHARS)).find((piece) => piece.marked)?.start ?? 0;
  if (first < SEEN_CHARS) return text.length <= EXCERPT_CHARS ? text : `${text.slice(0, EXCERPT_CHARS).trimEnd()}…`;
  const start = text.indexOf(' ', first - LEAD_CHARS) + 1;
  const from = start > 0 && start <= first ? start : first;
  const end = from + EXCERPT_CHARS;
  return `… ${text.slice(from, end).trim()}${end < text.length ? '…' : ''}`;
}

const isAtEnd = ({ content, metadata }: Memory, at: number): boolean =>
  metadata.contentLength === undefined ? content.slice(at).trim() === '' : at >= metadata.contentLength;

/** The text of a hit in a list: the server's best passage with ellipses, else an excerpt. */
export function bestPart({ entry, passage }: Hit, marker: Marker): string {
  if (passage === undefined) return excerpt(plainText(entry.content.slice(0, LOOKED_AT_CHARS)), marker);
  const part = excerpt(plainText(passage.text), marker);
  const isStart = passage.start === 0 || part.startsWith('…');
  const isEnd = part.endsWith('…') || isAtEnd(entry, passage.end);
  return `${isStart ? '' : '… '}${part}${isEnd ? '' : ' …'}`;
}

/** The word of a text that has this stem (`retri`); the stem itself if there is none. */
export function wordOfStem(text: string): (token: string) => string {
  const words = new Map<string, string>();
  for (const [found] of text.slice(0, LOOKED_AT_CHARS).matchAll(WORD)) {
    const word = fold(found);
    if (!words.has(stemmer(word))) words.set(stemmer(word), word);
  }
  return (token) => words.get(token) ?? token;
}
