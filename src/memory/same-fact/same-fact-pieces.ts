/** A word as written, with its position. */
export interface Piece {
  readonly text: string;
  readonly code: boolean;
  readonly starts: boolean;
  readonly pause: boolean;
  /** Part of a hyphenated word. */
  readonly joined: boolean;
}

/** The layout of a text. */
export interface Layout {
  /** Normalized text without fenced code. */
  readonly prose: string;
  /** Lines of fenced code, each block after its language. */
  readonly code: readonly string[];
  /** Indentation depth of each line; empty if no line is indented. */
  readonly depths: string;
}

const FENCE = /^[ \t]*(`{3,8}|~{3,8})([^`~\n]*)\n([\s\S]*?)(?:\n[ \t]*\1[ \t]*$|$(?![\s\S]))/gm;
/** Capitalized negations; other two-letter capitals are names. */
const SHOUTED = /\b(?:DO|IS|AM|BE)\s+NOT\b/g;
const CODE_SPAN = /(`{1,3})([^`\n]+)\1/;
/** Markers of headings, quotes and bullets. Not before a number (`> 500`), and not a checkbox. */
const LINE_MARK = /^[ \t]*(?:(?:#{1,6}|[->*•])[ \t]+(?![ \t\d]))+/;
const BOX = /^\s*\[([ xX])\]\s/;
const EMPHASIS = /(^|[\s("'])(\*{1,3})(?=[^\s*])([^*\n]*[^\s*])\2(?=[\s,;:!?)"']|\.(?:\s|$)|$)/g;
const LINK = /\[([^\]\n]{1,300})\]\((\S{1,2000}?)\)/g;
const AUTOLINK = /<((?:[a-z][a-z0-9+.-]{1,20}:\/\/|mailto:)[^\s<>]+)>/gi;
/** Separators without meaning. A comma within a number is part of it. */
const CUT = /(?:,(?!\d)|(?<!\d),|[;[\]{}"«»「」『』【】《》。、…])+/;
const ADDRESS = /^[a-z][a-z0-9+.-]{1,20}:\/\//i;
const HYPHENATED = /^\p{L}[\p{L}\p{M}]+(?:-\p{L}[\p{L}\p{M}]*)+$|^\p{L}-\p{L}[\p{L}\p{M}]+$/u;
const UNSPACED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}ー]\p{M}*/u;
const UNSPACED_OR_RUN = new RegExp(`${UNSPACED.source}|(?:(?!${UNSPACED.source}).)+`, 'gu');
/** Whether parentheses matter: they group `and` and `or`. */
const isGrouped = (text: string): boolean => /&&|\|\|/.test(text) || (/\band\b/i.test(text) && /\bor\b/i.test(text));

/** Separates fenced code and normalizes similar characters. */
export function readLayout(text: string): Layout {
  const code: string[] = [];
  const prose = clean(text).replace(FENCE, (_, _fence: string, language: string, body: string) => {
    code.push(language.trim(), ...body.split('\n').map((line) => line.trimEnd()));
    return '\n';
  });
  return { prose, code, depths: depthsOf(prose) };
}

function clean(text: string): string {
  return (
    text
      .normalize('NFC')
      .replace(/\r\n?/g, '\n')
      .replace(/[\uff01-\uff5e]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) - 0xfee0))
      .replace(/[\u200b\u200e\u200f\u2060\ufeff\u00ad]/g, '')
      .replaceAll('\ufe0f', '')
      .replace(/[\u00a0\u2000-\u200a\u202f\u3000]/g, ' ')
      .replace(/[‘’‚‛ʼ]/g, "'")
      .replace(/[“”„‟]/g, '"')
      .replace(/[‐‑‒–—―−]/g, '-')
      .replace(/→/g, '->')
      .replace(/⇒/g, '=>')
      // `5 - 3` is a range or difference; between words a dash only separates.
      .replace(/(?<=\d) +- +(?=\d)/g, '-')
      .replace(SHOUTED, (words) => words.toLowerCase())
  );
}

/** Indentation of each line as ranks: two and four blanks are the same step. */
function depthsOf(text: string): string {
  const indents = text
    .split('\n')
    .flatMap((line) => (line.trim() === '' ? [] : [(/^[ \t]*/.exec(line)?.[0] ?? '').replaceAll('\t', '    ').length]));
  const steps = [...new Set(indents)].toSorted((a, b) => a - b);
  return steps.length < 2 ? '' : indents.map((indent) => steps.indexOf(indent)).join(',');
}

/** The words and signs of a text without formatting. */
export function* piecesOf(text: string): Generator<Piece> {
  const keepsGroups = isGrouped(text);
  const state: Scan = { starts: true, pause: false };
  for (const line of text.split('\n')) {
    const unmarked = line.replace(LINE_MARK, '');
    // A sentence continues over a line break, not over a marker or an empty line.
    if (unmarked.length < line.length || line.trim() === '') state.pause = true;
    const box = BOX.exec(unmarked);
    if (box) yield { text: box[1] === ' ' ? '[ ]' : '[x]', code: false, starts: true, pause: false, joined: false };
    const plain = (box ? unmarked.slice(box[0].length) : unmarked).replace(EMPHASIS, '$1$3').replace(LINK, '$1 $2').replace(AUTOLINK, '$1');
    for (const [nth, span] of plain.split(CODE_SPAN).entries()) {
      // split() yields text, backticks, code, text, and so on.
      if (nth % 3 !== 1) yield* piecesOfSpan(span, { code: nth % 3 === 2, keepsGroups }, state);
    }
  }
}

interface Scan {
  starts: boolean;
  pause: boolean;
}

function* piecesOfSpan(span: string, { code, keepsGroups }: { code: boolean; keepsGroups: boolean }, state: Scan): Generator<Piece> {
  for (const raw of span.split(/\s+/)) {
    const parts = ADDRESS.test(raw) ? [raw] : raw.split(keepsGroups ? /([()])/ : /[()]/).flatMap((part) => part.split(CUT));
    for (const [nth, part] of parts.entries()) {
      if (nth > 0) state.pause = true;
      yield* piecesOfPart(part, code, state);
    }
  }
}

/** Strips sentence punctuation and notes a pause for the next piece. */
function* piecesOfPart(part: string, code: boolean, state: Scan): Generator<Piece> {
  const { core, tail } = peel(part);
  if (part !== '' && (core === '' || core === '-')) state.pause = true;
  if (core !== '' && core !== '-') {
    const texts = HYPHENATED.test(core) && !code ? core.split('-') : UNSPACED.test(core) ? (core.match(UNSPACED_OR_RUN) ?? []) : [core];
    const joined = texts.length > 1 && !UNSPACED.test(core);
    for (const text of texts) {
      const bare = UNSPACED.test(core) ? text.replace(/^:(?!:)|:$/g, '') : text;
      if (bare !== '') yield { text: bare, code, ...state, joined };
      Object.assign(state, { starts: false, pause: bare !== text });
    }
  }
  if (tail.includes('?')) yield { text: '?', code: false, starts: false, pause: false, joined: false };
  if (/[.:!?]/.test(tail)) Object.assign(state, { starts: true, pause: true });
}

/** Strips quotes and sentence punctuation. A loop, because a pattern that ends in `+$` is not linear. */
function peel(part: string): { core: string; tail: string } {
  let [from, to] = [0, part.length];
  while (from < to && (part[from] === "'" || (part[from] === ':' && part[from + 1] !== ':'))) from += 1;
  while (to > from && ".:!?'".includes(part[to - 1]!)) to -= 1;
  return { core: part.slice(from, to), tail: part.slice(to) };
}
