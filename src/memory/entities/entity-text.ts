import type { EntityKind } from './entity-kinds.ts';

/** A stretch of a content in one form. All offsets into it are offsets into `text`. */
export interface TextPart {
  /** As written, except that letters of unspaced scripts are blanks, so that a word has a border beside them. Same length as `raw`. */
  readonly text: string;
  readonly raw: string;
  /** Where it begins in the content. */
  readonly at: number;
  /** `span` is between backticks, `block` is fenced. */
  readonly form: 'prose' | 'span' | 'block';
}

/** What one finder takes of a part; what has no `found` only keeps the finders after it from reading that stretch. */
export interface Claim {
  readonly start: number;
  readonly end: number;
  readonly found?: { readonly name: string; readonly kind: EntityKind };
}

/** The last of the characters that count as blanks between words. */
const BLANK = 0x20;
/** A line with further backticks behind the first three is code within a sentence. */
const FENCE = /^\s{0,3}(?:`{3,}[^`]*$|~~~)/;
const SPAN = /(`{1,2})([^`\n]+)\1/g;
const UNSPACED_SOURCE = String.raw`[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}ー]`;
/** A run of letters that need no blank around them, or the wide punctuation that stands between them. */
const UNSPACED_RUN = new RegExp(`${UNSPACED_SOURCE}+|[\\u3001-\\u303f\\uff01-\\uff0f\\uff1a-\\uff20\\uff3b-\\uff40\\uff5b-\\uff65]+`, 'gu');
/** No letter of these scripts and none of that punctuation is below or between. */
const MAY_BE_UNSPACED = /[\u0e01-\u1dff\u2e80-\uffff]/;
const SEPARATOR = /[\\/]/;
const AFTER_SEGMENT = /[\\/.]/;

/** The parts of a content in order: fenced blocks, code between backticks, and what lies between them. Linear in the text. */
export function partsOf(content: string): TextPart[] {
  const parts: TextPart[] = [];
  if (!content.includes('```') && !content.includes('~~~')) {
    addSpans(content, 0, parts);
    return parts;
  }
  let block = { start: 0, fenced: false };
  const close = (end: number): void => {
    const raw = content.slice(block.start, end);
    if (block.fenced) parts.push(partOf(raw, block.start, 'block'));
    else addSpans(raw, block.start, parts);
  };
  let at = 0;
  for (const line of content.split('\n')) {
    if (FENCE.test(line)) {
      close(at);
      block = { start: at + line.length, fenced: !block.fenced };
    }
    at += line.length + 1;
  }
  close(content.length);
  return parts;
}

/** Claims by where they start; of two that overlap, the one that starts first, or else the longer. */
export function inOrder(claims: readonly Claim[]): readonly Claim[] {
  if (claims.length < 2) return claims;
  let taken = 0;
  return claims
    .toSorted((a, b) => a.start - b.start || b.end - a.end)
    .filter(({ start, end }) => {
      if (start < taken) return false;
      taken = end;
      return true;
    });
}

/** A part with some stretches of it blanked out, for the finders that come after. Claims must be in order. */
export function withoutClaims(part: TextPart, claims: readonly Claim[]): TextPart {
  if (claims.length === 0) return part;
  const pieces: string[] = [];
  let at = 0;
  for (const { start, end } of claims) {
    pieces.push(part.text.slice(at, start), ' '.repeat(end - start));
    at = end;
  }
  pieces.push(part.text.slice(at));
  return { ...part, text: pieces.join('') };
}

/**
 * The matches of a global pattern in those words, between blanks, that hold a sign of it: the same as in the whole text where a match
 * without a sign means nothing and one with a sign begins in a word that has one. Most words have none, and are not tried.
 */
export function matchesBeside(text: string, { sign, pattern }: { readonly sign: RegExp; readonly pattern: RegExp }): RegExpExecArray[] {
  const matches: RegExpExecArray[] = [];
  let next: RegExpExecArray | null = null;
  let read = 0;
  sign.lastIndex = 0;
  for (let found = sign.exec(text); found !== null; found = sign.exec(text)) {
    const end = endOfWord(text, sign.lastIndex);
    const start = Math.max(read, startOfWord(text, found.index));
    if (next === null || next.index < start) next = matchFrom(text, pattern, start);
    for (; next !== null && next.index < end; next = matchFrom(text, pattern, read)) {
      matches.push(next);
      read = next.index + next[0].length;
    }
    if (next === null) return matches;
    sign.lastIndex = Math.max(end, read);
  }
  return matches;
}

function matchFrom(text: string, pattern: RegExp, start: number): RegExpExecArray | null {
  pattern.lastIndex = start;
  return pattern.exec(text);
}

function startOfWord(text: string, at: number): number {
  let start = at;
  while (start > 0 && text.charCodeAt(start - 1) > BLANK) start--;
  return start;
}

function endOfWord(text: string, at: number): number {
  let end = at;
  while (end < text.length && text.charCodeAt(end) > BLANK) end++;
  return end;
}

function addSpans(raw: string, start: number, parts: TextPart[]): void {
  if (!raw.includes('`')) {
    if (raw !== '') parts.push(partOf(raw, start, 'prose'));
    return;
  }
  let at = 0;
  for (const match of raw.matchAll(SPAN)) {
    const [whole, ticks = '', code = ''] = match;
    if (match.index > at) parts.push(partOf(raw.slice(at, match.index), start + at, 'prose'));
    parts.push(partOf(code, start + match.index + ticks.length, 'span'));
    at = match.index + whole.length;
  }
  if (at < raw.length) parts.push(partOf(raw.slice(at), start + at, 'prose'));
}

function partOf(raw: string, at: number, form: TextPart['form']): TextPart {
  const text =
    form === 'span' || !MAY_BE_UNSPACED.test(raw)
      ? raw
      : raw.replace(UNSPACED_RUN, (run, from: number) => (isSegment(raw, from, run) ? run : blanks(run)));
  return { text, raw, at, form };
}

/** `docs/设计/说明.md`: between two separators, or between a separator and a dot, such letters are part of a path. */
function isSegment(text: string, from: number, run: string): boolean {
  return SEPARATOR.test(text.charAt(from - 1)) && AFTER_SEGMENT.test(text.charAt(from + run.length));
}

const blanks = (run: string): string => ' '.repeat(run.length);
