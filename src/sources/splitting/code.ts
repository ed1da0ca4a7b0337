import { splitPassages } from '../../memory/words/passages.ts';
import type { Piece, SplitOptions } from './splitting.ts';
import { CLOSER, codeLines, lengthOf, SEPARATOR, TAB, unitsOf, type CodeLines, type Unit } from './units.ts';

const MAX_NAMES = 8;
/** Maximum share of the size for the heading. */
const HEADING_SHARE = 1 / 4;

/** Splits code at its definitions; long ones at inner definitions, then at blank lines and lines of least indentation. */
export function splitCode(text: string, language: string, options: SplitOptions): Piece[] {
  const code = codeLines(text, language, options);
  return unitsOf(code).flatMap((unit) => piecesOf(code, unit));
}

/** Splits a unit into passages: one if it fits, else several with a heading each. */
function piecesOf(code: CodeLines, unit: Unit): Piece[] {
  const around = unit.path.slice(0, unit.around);
  const own = unit.path.slice(unit.around);
  const heading = [...around, own.slice(0, MAX_NAMES).join(', ')].filter((part) => part !== '').join(SEPARATOR);
  const above = cut(around.join(SEPARATOR), code.size * HEADING_SHARE);
  const spans = spansOf(code, unit, code.size - above.length - 1);
  return spans.map((span, nth) => {
    const context = nth === 0 ? above : cut(heading, code.size * HEADING_SHARE);
    return {
      text: context === '' ? span.text : `${context}\n${span.text}`,
      start: span.from + 1,
      end: span.to,
      ...(heading === '' ? {} : { heading }),
    };
  });
}

interface Span {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

function spansOf(code: CodeLines, { from, to }: Unit, room: number): Span[] {
  const [first, last] = trimmed(code, from, to);
  if (first >= last) return [];
  if (lengthOf(code, first, last) <= room + 1) return [spanOf(code, first, last)];
  const spans: Span[] = [];
  const inner = Math.max(1, Math.floor(code.size * (1 - HEADING_SHARE)) - 2);
  let at = first;
  while (at < last) {
    const end = breakAfter(code, { from: at, to: last, room: inner });
    const begin = spans.length === 0 ? at : overlapStart(code, { first, at, end, room: inner });
    spans.push(...(lengthOf(code, at, end) > inner + 1 ? longLine(code, at, inner) : [spanOf(code, ...trimmed(code, begin, end))]));
    at = end;
    while (at < last && code.indents[at] === -1) at += 1;
  }
  return spans;
}

/**
 * The best end of a passage of at most `room` characters: before a blank line, else before the line of least indentation, in its second
 * half.
 */
function breakAfter(code: CodeLines, { from, to, room }: { readonly from: number; readonly to: number; readonly room: number }): number {
  let [length, best, bestRank] = [0, 0, Number.POSITIVE_INFINITY];
  for (let line = from; line < to; line += 1) {
    length += (code.lines[line]?.length ?? 0) + 1;
    if (length > room + 1) return best > from ? best : Math.max(line, from + 1);
    const next = code.indents[line + 1] ?? 0;
    const rank = next === -1 ? -1 : CLOSER.test(code.lines[line + 1] ?? '') ? next + TAB : next;
    if (length >= room / 2 && rank <= bestRank) [best, bestRank] = [line + 1, rank];
  }
  return to;
}

/** First line of the overlap: as many whole lines before `at` as overlap and room allow. */
function overlapStart(
  code: CodeLines,
  { first, at, end, room }: { readonly first: number; readonly at: number; readonly end: number; readonly room: number },
): number {
  const allowed = Math.min(code.overlap, room - lengthOf(code, at, end));
  let [start, length] = [at, 0];
  while (start > first) {
    length += (code.lines[start - 1]?.length ?? 0) + 1;
    if (length > allowed) break;
    start -= 1;
  }
  return start;
}

/** Splits a single line that is too long. */
function longLine({ lines, overlap }: CodeLines, line: number, room: number): Span[] {
  return splitPassages(lines[line] ?? '', { size: room, overlap: Math.min(overlap, room / 2), max: Number.MAX_SAFE_INTEGER }).map(
    ({ text }) => ({ from: line, to: line + 1, text }),
  );
}

function spanOf({ lines }: CodeLines, from: number, to: number): Span {
  return { from, to, text: lines.slice(from, to).join('\n') };
}

/** Strips blank lines at both ends. */
function trimmed({ indents }: CodeLines, from: number, to: number): [number, number] {
  let [first, last] = [from, to];
  while (first < last && indents[first] === -1) first += 1;
  while (last > first && indents[last - 1] === -1) last -= 1;
  return [first, last];
}

function cut(text: string, most: number): string {
  return text.length <= most
    ? text
    : text
        .slice(0, Math.max(0, Math.floor(most) - 1))
        .toWellFormed()
        .trimEnd();
}
