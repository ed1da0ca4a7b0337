import { LoreError } from '../../memory/errors.ts';
import { MAX_PASSAGES, type SourcePassage } from '../../memory/operations/source-operations.ts';
import { dateOf, tagsOf, textOf, textsOf } from './field-values.ts';
import { Findings } from './findings.ts';
import { MEGABYTE, tooManyEntries, type Reader } from './reader.ts';
import { headerOf } from './table-header.ts';
import { decodeText } from './text-decoding.ts';
import { withoutUndefined } from '../../memory/without-undefined.ts';

/** Characters examined for the header row. */
const HEADER_CHARS = 64 * 1024;
/** Longer rows are caused by an unclosed quote. */
const MAX_ROW_BYTES = MEGABYTE;
/** Columns used for entries; others are reported as left out. */
const TAKEN = ['content', 'tags', 'createdAt'] as const;

/**
 * Reads a table separated by commas, semicolons or tabs: one entry per row. The text is the text column, or else all cells with their
 * names.
 */
export const csvReader: Reader = {
  name: 'csv',
  maxBytes: 32 * MEGABYTE,
  isolatedFrom: 4 * MEGABYTE,
  read: async ({ bytes, name }) => {
    const { text, note } = decodeText(bytes, name);
    const findings = new Findings();
    const { delimiter, columns } = headerOf(text.slice(0, HEADER_CHARS));
    const [header, ...rows] = await rowsOf(text, delimiter, name);
    const table = { names: header?.cells.map((cell) => cell.trim()) ?? [], at: columns.at, findings };
    if (columns.at.content !== undefined) leaveOutColumns(table);
    return {
      format: 'csv',
      documents: [{ passages: rows.flatMap((row) => rowPassage(row, table)) }],
      found: { rows: rows.length },
      leftOut: findings.leftOut,
      notes: note === undefined ? [] : [note],
    };
  },
};

interface Row {
  readonly cells: readonly string[];
  /** Lines in the file, from 1. */
  readonly start: number;
  readonly end: number;
}

interface Table {
  readonly names: readonly string[];
  readonly at: ReturnType<typeof headerOf>['columns']['at'];
  readonly findings: Findings;
}

function leaveOutColumns({ names, at, findings }: Table): void {
  const taken = new Set(TAKEN.map((field) => at[field]));
  for (const [column, name] of names.entries()) if (!taken.has(column)) findings.leaveOut('columns', name || `column ${column + 1}`);
}

function rowPassage({ cells, start, end }: Row, { names, at, findings }: Table): SourcePassage[] {
  const cell = (column: number | undefined): string | undefined => textOf(cells[column ?? -1])?.trim();
  const content = at.content === undefined ? namedCells(cells, names) : cell(at.content);
  if (content === undefined || content === '') {
    findings.leaveOut('rows without text', `line ${start}`);
    return [];
  }
  const tags = tagsOf(textsOf(cell(at.tags)), findings);
  const createdAt = dateOf(cell(at.createdAt), findings);
  return [{ content, start, end, ...withoutUndefined({ tags, createdAt }) }];
}

/** `name: value` lines of all cells that are not blank. */
function namedCells(cells: readonly string[], names: readonly string[]): string {
  const named = cells.map((cell, at) => (cell.trim() === '' ? '' : `${names[at] || `column ${at + 1}`}: ${cell.trim()}`));
  return named.filter((line) => line !== '').join('\n');
}

/** All rows that are not blank. */
async function rowsOf(text: string, delimiter: string, name: string): Promise<Row[]> {
  const { parse } = await import('csv-parse/sync');
  const rows: Row[] = [];
  let before = 0;
  try {
    parse(text, {
      delimiter,
      relax_column_count: true,
      relax_quotes: true,
      max_record_size: MAX_ROW_BYTES,
      on_record: (cells: string[], { lines }: { lines: number }) => {
        if (cells.some((cell) => cell.trim() !== '')) rows.push({ cells, start: before + 1, end: lines });
        before = lines;
        if (rows.length > MAX_PASSAGES + 1) throw tooManyEntries(name);
        return null;
      },
    });
    return rows;
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (cause instanceof LoreError || typeof code !== 'string') throw cause;
    const isLong = code === 'CSV_MAX_RECORD_SIZE';
    const why = isLong
      ? `is longer than ${MAX_ROW_BYTES / MEGABYTE} MB, perhaps because a quote is never closed`
      : 'has a quote that is never closed';
    throw new LoreError(isLong || code === 'CSV_QUOTE_NOT_CLOSED' ? 'invalid_input' : 'internal', `${name}:${before + 1} ${why}.`, {
      cause,
    });
  }
}
