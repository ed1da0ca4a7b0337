/** Terminal escape sequences: colours, cursor, titles, links. */
// oxlint-disable-next-line no-control-regex -- that is what they begin with
const ESCAPES = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[@-Z\\-_])/g;
/** Control characters that are removed; newline and tab stay. */
const CONTROLS = /[\p{Cc}\u200b-\u200f\u2028\u2029\u202a-\u202e\u2060-\u2069\ufeff]/gu;
/** Elements that programs add to a prompt; their names contain `-` or `_`. */
const ENVELOPE = /<([a-z]+(?:[-_][a-z]+)+)(?:\s[^<>]{0,200})?>/g;
const FENCE = /^\s*(?:```|~~~)/;
const QUOTE = /^\s*>/;
const LIST_MARK = /^\s*(?:[-*+•]|\d{1,3}[.)]|#{1,6})\s+(?:\[[ xX]\]\s+)?/;
/** The end of a sentence. */
const SENTENCE_BORDER = /(?<=[.!?…]["'”’»)`*]{0,3})\s+|(?<=[。！？][」』”）]?)(?![」』”）])/gu;
/** Abbreviations that end in a full stop within a sentence. */
const SHORTENED =
  /(?:^|[\s(])(?:\p{L}|e\.g|i\.e|etc|vs|approx|incl|resp|no|nr|z\.\s?b|d\.\s?h|bzw|ca|evtl|ggf|inkl|usw|p\.\s?ej|mr|mrs|dr|st|cf|max|min)\.$/iu;
/** Titles before a name. */
const TITLE = /(?:^|[\s(])(?:dr|prof|mr|mrs|ms|hr|fr|sr|sra|dra|mme|mlle)\.$/iu;
/** German ordinals before a noun: `1. Juli`. */
const ORDINAL = /(?:^|[\s(])\d{1,2}\.$/;
const COUNTED =
  /^(?:Jan(?:uar)?|Jänner|Feb(?:ruar)?|März|Apr(?:il)?|Mai|Jun[io]?|Jul[io]?|Aug(?:ust)?|Sept?(?:ember)?|Okt(?:ober)?|Nov(?:ember)?|Dez(?:ember)?|Quartal|Stock|Etage|Tag|Woche|Mal)(?!\p{L})|^\p{Ll}/u;
/** Log lines and error lines of programs. */
const LOG_LINE =
  /^\s*(?:\[?\d{4}-\d\d-\d\d[T ]\d\d:|npm (?:err!|warn)|(?:warning|error|info|debug|fatal): |\[?(?:WARN(?:ING)?|ERROR|INFO|DEBUG|FATAL|TRACE)\b|[\w.]*(?:Error|Exception): |at \S+ \(|\/\/|\/\*)/;
/** A quote that fills a paragraph. */
const QUOTED = /^["“„«].*["”“»][.,]?$/su;
/** A quote or inline code, which is never split. */
const SPAN = /`[^`]{1,1000}`|"[^"]{1,400}"|“[^”]{1,400}”|„[^“”]{1,400}[“”]|«[^»]{1,400}»/gu;
/** A line of code. */
const CODE_LINE = /[{};]\s*$|^\s*[\w.]+\([^)]*\)\s*$|^\s*(?:func|def|class|const|let|var|import|return|public|private|fn|pub)\b.*[({=]/;
const CJK = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}]/gu;

/** Size of a text in words; two characters of a script without blanks count as one word. */
export function sizeOf(text: string): number {
  const signs = text.match(CJK)?.length ?? 0;
  return (
    text
      .replaceAll(CJK, ' ')
      .split(/\s+/)
      .filter((word) => /[\p{L}\p{N}]/u.test(word)).length +
    signs / 2
  );
}

/** The text as shown on a terminal: without escapes, overdrawn parts and repeated blank lines. */
export function plainText(raw: string): string {
  const lines = raw.replaceAll(ESCAPES, '').replaceAll('\r\n', '\n').split('\n');
  return lines
    .map((line) => (line.includes('\r') ? lastDrawn(line) : line).replaceAll(CONTROLS, (char) => (char === '\t' ? char : '')).trimEnd())
    .join('\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim();
}

/** The part after the last carriage return. */
function lastDrawn(line: string): string {
  return line.split('\r').findLast((part) => part.trim() !== '') ?? '';
}

/** Removes elements that programs add, such as `<system-reminder>…</system-reminder>`. Linear. */
export function withoutEnvelopes(text: string): string {
  const unclosed = new Set<string>();
  const pieces: string[] = [];
  let at = 0;
  for (const match of text.matchAll(ENVELOPE)) {
    const [whole, name = ''] = match;
    if (match.index < at || unclosed.has(name)) continue;
    const close = `</${name}>`;
    const end = text.indexOf(close, match.index + whole.length);
    if (end === -1) {
      unclosed.add(name);
      continue;
    }
    pieces.push(text.slice(at, match.index));
    at = end + close.length;
  }
  pieces.push(text.slice(at));
  return pieces.join(' ').trim();
}

/** A sentence or list item. */
export interface Sentence {
  readonly text: string;
  /** Number of its paragraph or list item. */
  readonly paragraph: number;
}

/** The sentences of a text in order, without code, quotes and heading marks. */
export function sentencesOf(text: string): Sentence[] {
  const found: Sentence[] = [];
  let paragraph: string[] = [];
  let nth = 0;
  let inCode = false;
  const flush = (): void => {
    const joined = paragraph.join(' ').replaceAll(/\s+/g, ' ').trim();
    for (const sentence of joined === '' || QUOTED.test(joined) ? [] : partsOf(joined)) found.push({ text: sentence, paragraph: nth });
    paragraph = [];
    nth += 1;
  };
  for (const line of text.split('\n')) {
    const isFence = FENCE.test(line);
    if (isFence) inCode = !inCode;
    if (isFence || inCode || line.trim() === '' || QUOTE.test(line) || LOG_LINE.test(line) || CODE_LINE.test(line)) {
      flush();
      continue;
    }
    const unmarked = line.replace(LIST_MARK, '');
    if (unmarked !== line) flush();
    paragraph.push(unmarked.replaceAll('**', ''));
  }
  flush();
  return found.filter((sentence) => sentence.text !== '');
}

/** Splits a paragraph into sentences; does not split quotes or after abbreviations. */
function partsOf(paragraph: string): string[] {
  const parts: string[] = [];
  const spans = [...paragraph.matchAll(SPAN)].map(({ index, 0: span }) => [index, index + span.length] as const);
  let [start, passed] = [0, 0];
  for (const { index, 0: border } of paragraph.matchAll(SENTENCE_BORDER)) {
    while ((spans[passed]?.[1] ?? Infinity) <= index) passed += 1;
    if ((spans[passed]?.[0] ?? Infinity) < index) continue;
    if (goesOn(paragraph.slice(Math.max(0, index - 12), index), paragraph.slice(index + border.length, index + border.length + 20)))
      continue;
    parts.push(paragraph.slice(start, index).trim());
    start = index + border.length;
  }
  parts.push(paragraph.slice(start).trim());
  return parts.filter((part) => part !== '');
}

/** Whether the full stop belongs to an abbreviation. */
function goesOn(before: string, behind: string): boolean {
  if (before.endsWith('…') && /^\p{Ll}/u.test(behind)) return true;
  return TITLE.test(before) || (ORDINAL.test(before) && COUNTED.test(behind)) || (/^\p{Ll}/u.test(behind) && SHORTENED.test(before));
}

/** Cuts a text to at most `most` UTF-16 units, at a word and not within code, and marks the cut with `…`. */
export function cutText(text: string, most: number): string {
  if (text.length <= most) return text;
  const start = text.slice(0, most - 1).replace(/[\ud800-\udbff]$/, '');
  const isInCode = (start.split('`').length - 1) % 2 === 1;
  // Code that fills the whole text is cut anyway.
  const whole = isInCode ? start.slice(0, start.lastIndexOf('`')).trimEnd() : start;
  const room = whole === '' ? start : whole;
  if (isInCode && room !== start) return `${room}…`;
  const blank = room.search(/\s\S*$/);
  return `${blank > most / 2 ? room.slice(0, blank) : room}…`;
}
