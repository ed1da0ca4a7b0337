import { splitPassages } from '../../memory/words/passages.ts';
import { LineNumbers } from './lines.ts';
import { underlinedHeadings } from './restructured-text.ts';
import type { Piece, SplitOptions } from './splitting.ts';

interface Section {
  /** Titles of the headings above it and its own, outermost first. */
  readonly headings: readonly string[];
  /** Line of its heading, from 0. */
  readonly line: number;
  /** Lines below the heading, `to` excluded. */
  readonly from: number;
  readonly to: number;
}

const HEADING = /^ {0,3}(#{1,6})(?:\s+(.*?))?(?:\s+#+)?\s*$/;
const UNDERLINE = /^ {0,3}(=+|-+)\s*$/;
const FENCE = /^ {0,3}(`{3,}|~{3,})/;
const SEPARATOR = ' > ';
/** Longer lines are not headings. */
const LONGEST_HEADING = 1000;
/** Maximum share of the size for headings. */
const HEADING_SHARE = 1 / 3;

/** Splits Markdown at its headings, and long sections at paragraphs. Each passage begins with the headings above it. */
export function splitMarkdown(text: string, options: SplitOptions): Piece[] {
  return splitAtHeadings(text, headingsOf, options);
}

/** Splits reStructuredText like `splitMarkdown`. */
export function splitRestructuredText(text: string, options: SplitOptions): Piece[] {
  return splitAtHeadings(text, underlinedHeadings, options);
}

function splitAtHeadings(text: string, findHeadings: (lines: readonly string[]) => readonly Heading[], options: SplitOptions): Piece[] {
  const lines = text.split('\n');
  const sections = sectionsOf(lines, findHeadings(lines));
  return sections.flatMap((section, nth) => {
    const body = lines.slice(section.from, section.to).join('\n');
    const next = sections[nth + 1];
    // The headings of its subsections contain its words.
    const isOnlyHeading = body.trim() === '' && next !== undefined && next.headings.length > section.headings.length;
    return isOnlyHeading ? [] : piecesOf(section, body, options);
  });
}

function piecesOf({ headings, line, from }: Section, body: string, { size, overlap }: SplitOptions): Piece[] {
  const heading = headings.filter((part) => part !== '').join(SEPARATOR);
  const shown = heading.length > size * HEADING_SHARE ? heading.slice(-Math.floor(size * HEADING_SHARE)).toWellFormed() : heading;
  if (body.trim() === '') return heading === '' ? [] : [{ text: shown, start: line + 1, end: line + 1, heading }];
  const numbers = new LineNumbers(body);
  const room = shown === '' ? size : size - shown.length - 2;
  return splitPassages(body, { size: room, overlap: Math.min(overlap, room / 2), max: Number.MAX_SAFE_INTEGER })
    .filter((passage) => passage.text.trim() !== '')
    .map((passage, nth) => {
      const { start, end } = numbers.of(passage);
      return {
        text: [shown, passage.text.trim()].filter((part) => part !== '').join('\n\n'),
        start: nth === 0 && shown !== '' ? line + 1 : from + start,
        end: from + end,
        ...(heading === '' ? {} : { heading }),
      };
    });
}

function sectionsOf(lines: readonly string[], headings: readonly Heading[]): Section[] {
  const sections: Section[] = [];
  const levels: { level: number; title: string }[] = [];
  let open = { line: 0, from: 0, headings: [] as readonly string[] };
  const close = (to: number): void => {
    if (to > open.from || open.headings.length > 0) sections.push({ ...open, to });
  };
  for (const { line, from, level, title } of headings) {
    close(line);
    while ((levels.at(-1)?.level ?? 0) >= level) levels.pop();
    levels.push({ level, title });
    open = { line, from, headings: levels.map((each) => each.title) };
  }
  close(lines.length);
  return sections;
}

export interface Heading {
  readonly line: number;
  /** First line below the heading. */
  readonly from: number;
  readonly level: number;
  readonly title: string;
}

/** Headings outside of code blocks and front matter. */
function headingsOf(lines: readonly string[]): Heading[] {
  const headings: Heading[] = [];
  let fence: string | undefined;
  for (let line = frontMatterEnd(lines); line < lines.length; line += 1) {
    const text = lines[line] ?? '';
    const mark = FENCE.exec(text)?.[1];
    if (fence !== undefined) {
      if (mark?.startsWith(fence) === true && text.trim() === mark) fence = undefined;
      continue;
    }
    if (mark !== undefined) {
      fence = mark;
      continue;
    }
    const heading = headingAt(lines, line);
    if (heading === undefined) continue;
    headings.push(heading);
    line = heading.from - 1;
  }
  return headings;
}

function headingAt(lines: readonly string[], line: number): Heading | undefined {
  const text = lines[line] ?? '';
  if (text.length > LONGEST_HEADING) return undefined;
  const hashes = HEADING.exec(text);
  if (hashes !== null) return { line, from: line + 1, level: hashes[1]?.length ?? 1, title: (hashes[2] ?? '').trim() };
  const underline = UNDERLINE.exec(lines[line + 1] ?? '')?.[1];
  const isParagraph =
    text.trim() !== '' && (lines[line - 1] ?? '').trim() === '' && !/^\s*(?:[-*+>|]|\d+[.)])\s*/.test(text) && !/^\s{4}/.test(text);
  if (underline === undefined || !isParagraph) return undefined;
  return { line, from: line + 2, level: underline.startsWith('=') ? 1 : 2, title: text.trim() };
}

/** The line after the front matter, or 0. */
function frontMatterEnd(lines: readonly string[]): number {
  if (lines[0]?.trim() !== '---') return 0;
  const end = lines.findIndex((line, nth) => nth > 0 && /^(?:---|\.\.\.)\s*$/.test(line));
  return end === -1 ? 0 : end + 1;
}
