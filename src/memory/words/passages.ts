/** A passage of a text: `text` is `whole.slice(start, end)`, offsets in UTF-16 units. */
export interface Passage {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

interface PassageOptions {
  /** Maximum passage length, UTF-16 units. */
  readonly size: number;
  /** UTF-16 units repeated from the previous passage; at most half of `size`. */
  readonly overlap: number;
  /** Maximum number of passages; longer texts get longer passages, so that the whole text is covered. Default 256. */
  readonly max?: number;
}

const DEFAULT_MAX = 256;
/** Maximum number of combining marks that are kept with a character. */
const LONGEST_CLUSTER = 32;
const BLANK = /\s/;
const SENTENCE_END = /[.!?…]/;
/** Punctuation that ends a sentence without a following blank. */
const WIDE_SENTENCE_END = /[。！？]/;
const CLOSERS = /["'”’)\]»]/;
/** Code points that extend the previous character: marks, variation selectors, joiners, skin tones. */
const EXTENDS = /\p{M}|\u200d|\p{Emoji_Modifier}/u;

/**
 * Splits a text for embedding. A passage ends after a paragraph, else a sentence, else a word, if there is one in its second half. Every
 * character except blanks at the borders is in at least one passage; a text of at most `size` is one passage. Linear in the text.
 */
export function splitPassages(text: string, options: PassageOptions): Passage[] {
  const size = Math.max(1, Math.floor(options.size));
  const max = Math.max(1, Math.floor(options.max ?? DEFAULT_MAX));
  const shape = { size, overlap: Math.max(0, Math.min(Math.floor(options.overlap), Math.floor(size / 2))), max };
  const short = text.length <= size || max === 1;
  if (short || text.trim() === '') return [{ text, start: 0, end: text.length }];
  const passages = walk(text, shape, (start) => start + size);
  if (passages.length <= max) return passages;
  const width = Math.ceil(text.length / max);
  return walk(text, shape, (_, nth) => (nth + 1 >= max ? text.length : (nth + 1) * width));
}

/** Passages that end at or before `limitOf(start, nth)`. Stops after `max + 1` passages: then they are too short. */
function walk(text: string, { size, overlap, max }: Required<PassageOptions>, limitOf: (start: number, nth: number) => number): Passage[] {
  const passages: Passage[] = [];
  let covered = 0;
  for (let nth = 0; passages.length <= max; nth++) {
    const first = skipBlanks(text, covered);
    if (first >= text.length) break;
    const repeated = covered > 0 && first - covered < overlap ? overlapStart(text, { covered, first, overlap }) : first;
    // A long run of marks or blanks can exceed the overlap.
    const start = limitOf(repeated, nth) > first ? repeated : first;
    const limit = limitOf(start, nth);
    if (limit <= first) continue;
    // At least half of each passage is new; otherwise short paragraphs would repeat many times.
    const floor = Math.max(limit - Math.floor(size / 2), Math.floor((first + limit) / 2));
    const end = limit >= text.length ? text.length : breakBefore(text, limit, floor) || clusterBorder(text, limit, first);
    passages.push(passage(text, start, end));
    covered = end;
  }
  return passages;
}

function passage(text: string, start: number, end: number): Passage {
  let last = end;
  while (last > start && BLANK.test(text.charAt(last - 1))) last--;
  return { text: text.slice(start, last), start, end: last };
}

function skipBlanks(text: string, from: number): number {
  let at = from;
  while (at < text.length && BLANK.test(text.charAt(at))) at++;
  return at;
}

/** Start of a passage that repeats the last `overlap` units before `covered`: the first word that begins there. */
function overlapStart(text: string, { covered, first, overlap }: { covered: number; first: number; overlap: number }): number {
  if (overlap === 0) return first;
  const from = Math.max(1, covered - overlap);
  for (let at = from - 1; at < covered; at++) {
    if (BLANK.test(text.charAt(at))) return skipBlanks(text, at);
  }
  return clusterBorder(text, from, Math.max(0, from - LONGEST_CLUSTER));
}

/** The best end of a passage in (floor, limit]: after a paragraph, sentence or word; 0 if there is none. */
function breakBefore(text: string, limit: number, floor: number): number {
  let sentence = 0;
  let word = 0;
  for (let at = limit; at > floor; at--) {
    const before = text.charAt(at - 1);
    if (WIDE_SENTENCE_END.test(before)) sentence ||= at;
    if (!BLANK.test(text.charAt(at))) continue;
    if (isParagraphEnd(text, at)) return at;
    if (text.charAt(at) === '\n' || endsSentence(text, at)) sentence ||= at;
    if (!BLANK.test(before)) word ||= at;
  }
  return sentence || word;
}

function isParagraphEnd(text: string, at: number): boolean {
  return text.startsWith('\n\n', at) || text.startsWith('\r\n\r\n', at);
}

function endsSentence(text: string, at: number): boolean {
  const last = text.charAt(at - 1);
  return SENTENCE_END.test(CLOSERS.test(last) ? text.charAt(at - 2) : last);
}

/** The nearest position in (floor, at] that splits neither a surrogate pair nor a character from its marks. */
function clusterBorder(text: string, at: number, floor: number): number {
  for (let border = at; border > Math.max(floor, at - LONGEST_CLUSTER); border--) {
    const next = text.codePointAt(border - 1);
    const splitsPair = next !== undefined && next > 0xffff;
    const joined = text.charAt(border - 1) === '\u200d';
    if (!splitsPair && !joined && !EXTENDS.test(String.fromCodePoint(text.codePointAt(border) ?? 0))) return border;
  }
  if ((text.codePointAt(at - 1) ?? 0) <= 0xffff) return at;
  return at - 1 > floor ? at - 1 : at + 1;
}
