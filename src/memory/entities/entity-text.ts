import type { EntityKind } from './entity-kinds.ts';

/** A part of a content in one form. Claims use offsets into `text`. */
export interface TextPart {
  /**
   * As written, but letters of scripts without blanks are replaced with blanks, so that words next to them have a border. Same length as
   * `raw`.
   */
  readonly text: string;
  readonly raw: string;
  /** Offset in the content. */
  readonly at: number;
  /** `span`: between backticks; `block`: fenced. */
  readonly form: 'prose' | 'span' | 'block';
}

/** A range that a finder takes from a part. Without `found` it only hides the range from later finders. */
export interface Claim {
  readonly start: number;
  readonly end: number;
  readonly found?: { readonly name: string; readonly kind: EntityKind };
}

/** Character codes up to this are blanks between words. */
const BLANK = 0x20;
/** Three backticks with more backticks in the same line are inline code. */
const FENCE = /^\s{0,3}(?:`{3,}[^`]*$|~~~)/;
const SPAN = /(`{1,2})([^`\n]+)\1/g;
const UNSPACED_SOURCE = String.raw`[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}ー]`;
/** A run of letters in scripts without blanks, or of wide punctuation. */
const UNSPACED_RUN = new RegExp(`${UNSPACED_SOURCE}+|[\\u3001-\\u303f\\uff01-\\uff0f\\uff1a-\\uff20\\uff3b-\\uff40\\uff5b-\\uff65]+`, 'gu');
/** Prefilter: those scripts and punctuation are within these ranges. */
const MAY_BE_UNSPACED = /[\u0e01-\u1dff\u2e80-\uffff]/;
const SEPARATOR = /[\\/]/;
const AFTER_SEGMENT = /[\\/.]/;

/** Splits a content into fenced blocks, code spans and prose, in order. Linear in the text. */
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

/** Sorts claims by start; of two that overlap, keeps the earlier or else the longer one. */
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

/** Blanks out claimed ranges of a part for later finders. Claims must be in order. */
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
 * Matches of a global pattern, tried only in words that contain a sign. Equal to all matches if every match begins in a word with a sign.
 * Most words have none, which saves time.
 */
export function matchesNearSigns(text: string, { sign, pattern }: { readonly sign: RegExp; readonly pattern: RegExp }): RegExpExecArray[] {
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

/** Whether such letters are part of a path: between two separators or a separator and a dot, as in `docs/设计/说明.md`. */
function isSegment(text: string, from: number, run: string): boolean {
  return SEPARATOR.test(text.charAt(from - 1)) && AFTER_SEGMENT.test(text.charAt(from + run.length));
}

const blanks = (run: string): string => ' '.repeat(run.length);
