import { splitPassages } from '../../memory/words/passages.ts';
import { MAX_PASSAGES, type SourcePassage } from '../../memory/operations/source-operations.ts';
import { LineNumbers } from '../splitting/lines.ts';
import { sectionsOf, type Section } from './markdown-text.ts';
import type { ReadOptions } from './reader.ts';
import { oneLine } from './text-decoding.ts';
import { withoutUndefined } from '../../memory/without-undefined.ts';

const MAX_HEADING_CHARS = 500;
/** Separator of nested headings. */
const BELOW = ' > ';
const DEEPEST = { passages: 6, headings: 2 } as const;

interface Place {
  /** Line of the file on which the text begins; undefined without line numbers, such as in a page. */
  readonly line: number | undefined;
  readonly heading?: string | undefined;
}

/** Splits a text without headings into paragraphs, as many as fit, or not at all. Blank text has no passages. */
export function textPassages(text: string, options: ReadOptions, place: Place): SourcePassage[] {
  if (text.trim() === '') return [];
  const heading = oneLine(place.heading, MAX_HEADING_CHARS);
  const above = heading === undefined ? '' : `${heading}\n\n`;
  // The heading takes at most half of the size.
  const size = Math.max(Math.ceil(options.size / 2), options.size - above.length);
  const isWhole = options.split !== 'passages';
  // One more than the limit, so that exceeding it shows.
  const pieces = splitPassages(text, { size: isWhole ? text.length : size, overlap: options.overlap, max: MAX_PASSAGES + 1 });
  const lines = place.line === undefined ? undefined : new LineNumbers(text);
  return pieces.map((piece) => {
    const body = piece.text.trim();
    const span = lines?.of(piece);
    const where = span && { start: span.start + (place.line ?? 1) - 1, end: span.end + (place.line ?? 1) - 1 };
    return { content: above + body, ...where, ...withoutUndefined({ heading }) };
  });
}

/** Splits Markdown section by section, each passage with the headings above it. `title` is above all of them. */
export function markdownPassages(
  text: string,
  options: ReadOptions,
  { firstLine, title }: { readonly firstLine: number | undefined; readonly title?: string | undefined },
): SourcePassage[] {
  const at = (line: number) => (firstLine === undefined ? undefined : firstLine + line - 1);
  if (options.split === 'none') return textPassages(text, options, { line: at(1), heading: title });
  const sections = sectionsOf(text, DEEPEST[options.split]);
  return sections.flatMap((section, nth) => {
    const headings = section.headings[0] === title || title === undefined ? section.headings : [title, ...section.headings];
    const heading = headings.filter((each) => each !== '').join(BELOW);
    // The headings of its subsections contain its words.
    if (section.isEmpty && (sections[nth + 1]?.headings.length ?? 0) > section.headings.length) return [];
    if (section.isEmpty) return textPassages(heading, options, { line: at(section.line) });
    return textPassages(bodyOf(section), options, { line: at(section.line + section.headingLines), heading: heading || undefined });
  });
}

const bodyOf = ({ text, headingLines }: Section): string => text.split('\n').slice(headingLines).join('\n');
