/** Two columns each in every common terminal font: CJK, Hangul, full-width forms, emoji. */
const WIDE =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\u3000-\u303e\uff01-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}/u;
const INVISIBLE = /^[\p{Mn}\p{Me}\p{Cf}]+$/u;
let segmenter: Intl.Segmenter | undefined;
/** Created on first use, because that takes longer than loading the rest of the program that most commands need. */
const segments = (text: string): Iterable<{ readonly segment: string }> =>
  (segmenter ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' })).segment(text);

const columnsOf = (grapheme: string): number => (INVISIBLE.test(grapheme) ? 0 : WIDE.test(grapheme) || grapheme.includes('\ufe0f') ? 2 : 1);

/** Columns that a text without colour codes takes in a terminal. */
export function textWidth(text: string): number {
  let width = 0;
  for (const { segment } of segments(text)) width += columnsOf(segment);
  return width;
}

/** The text cut to at most `width` columns, ending in … if something was cut off. Never splits a character. */
export function fit(text: string, width: number): string {
  return textWidth(text) <= width ? text : `${prefix(text, width - 1)}…`;
}

/** As many whole characters as fit into `width` columns. */
function prefix(text: string, width: number): string {
  let taken = '';
  let used = 0;
  for (const { segment } of segments(text)) {
    used += columnsOf(segment);
    if (used > width) break;
    taken += segment;
  }
  return taken;
}

/** The text padded with blanks to `width` columns. */
export function pad(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - textWidth(text)));
}

/**
 * Lines of at most `width` columns (2 or more), broken at blanks if possible; at most `lines` of them, the last ending in … if something
 * was cut off.
 */
export function wrap(text: string, width: number, lines: number): string[] {
  const wrapped: string[] = [];
  for (let rest = text.trim(); rest !== '';) {
    if (wrapped.length === lines - 1) return [...wrapped, fit(rest, width)];
    const line = lineOf(rest, width);
    wrapped.push(line.trimEnd());
    rest = rest.slice(line.length).trimStart();
  }
  return wrapped;
}

function lineOf(text: string, width: number): string {
  const most = prefix(text, width);
  if (most.length === text.length || text[most.length] === ' ') return most;
  const blank = most.lastIndexOf(' ');
  return blank > most.length / 2 ? most.slice(0, blank) : most;
}
