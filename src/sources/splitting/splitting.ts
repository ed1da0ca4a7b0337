import type { SourcePassage } from '../../memory/operations/source-operations.ts';
import { splitPassages } from '../../memory/words/passages.ts';
import { splitCode } from './code.ts';
import { isTestFile } from '../../memory/file-roles.ts';
import { languageOf } from './languages.ts';
import { splitMarkdown, splitRestructuredText } from './markdown.ts';
import { splitNotebook } from './notebook.ts';
import { LineNumbers } from './lines.ts';

/** Increased when splitting changes, so that files are read again. */
export const SPLITTING_VERSION = 2;
const MAX_HEADING_CHARS = 500;

export interface SplitOptions {
  /** Maximum passage length in characters, including its heading. */
  readonly size: number;
  /** Characters repeated from the previous passage where text had to be cut. */
  readonly overlap: number;
}

/** A passage of a file. */
export interface Piece {
  readonly text: string;
  /** First and last line, from 1. */
  readonly start: number;
  readonly end: number;
  /** Its definition or headings, outermost first. */
  readonly heading?: string;
}

/**
 * Splits a file into passages: code at definitions, Markdown at sections, other text at paragraphs. Each is tagged with the language,
 * begins with its context and has at most `size` characters. Linear in the text, except for lines that look like definitions.
 */
export function splitFile(path: string, content: string, options: SplitOptions): SourcePassage[] {
  const { name, splitting } = languageOf(path);
  const text = content.replace(/^\ufeff/, '').replaceAll(/\r\n?/g, '\n');
  const role = isTestFile(path) ? { details: { test: true } } : {};
  const pieces = SPLITTERS[splitting](text, name, options);
  // A file of signs only has no code units, but its text is kept.
  return (pieces.length === 0 ? splitText(text, options) : pieces)
    .filter((piece) => piece.text !== '')
    .map((piece) => ({ content: piece.text, start: piece.start, end: piece.end, tags: [name], ...headingOf(piece), ...role }));
}

const SPLITTERS = {
  code: splitCode,
  markdown: (text: string, _language: string, options: SplitOptions) => splitMarkdown(text, options),
  rst: (text: string, _language: string, options: SplitOptions) => splitRestructuredText(text, options),
  notebook: (text: string, _language: string, options: SplitOptions) => splitNotebook(text, options),
  text: (text: string, _language: string, options: SplitOptions) => splitText(text, options),
} as const;

function splitText(text: string, { size, overlap }: SplitOptions): Piece[] {
  const lines = new LineNumbers(text);
  return splitPassages(text, { size, overlap, max: Number.MAX_SAFE_INTEGER }).map((passage) => ({
    text: passage.text.trim(),
    ...lines.of(passage),
  }));
}

function headingOf({ heading = '' }: Piece): { readonly heading?: string } {
  const line = heading
    .replaceAll(/\p{Cc}+/gu, ' ')
    .slice(0, MAX_HEADING_CHARS)
    .toWellFormed()
    .trim();
  return line === '' ? {} : { heading: line };
}
