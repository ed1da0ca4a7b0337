import { basename } from 'node:path';
import { LoreError } from '../../memory/errors.ts';
import { headerOf, type Columns } from '../../sources/readers/table-header.ts';
import { importColumns, rowEntry } from '../../sources/readers/table-entry.ts';
import { entryLines } from './entry-lines.ts';
import type { Item } from '../../sources/readers/markdown-note.ts';
import type { Format, ReadOptions } from './format.ts';
import type { Input } from './input.ts';
import { decoded, isUndecodable } from './text-encoding.ts';

/** A longer row is probably a quote that was never closed. */
const MAX_ROW_BYTES = 64 * 1024 * 1024;
/** Number of known columns that identifies a table, because a text may begin with one such word. */
const TELLING_COLUMNS = 2;

/** Rows of text separated by commas, semicolons or tabs, as spreadsheets write them; the first row names the columns. */
export const csv: Format = {
  name: 'csv',
  unit: ['row', 'rows'],
  recognise: (input) => {
    if (input.shape !== 'text') return undefined;
    const isNamed = input.extension === '.csv' || input.extension === '.tsv';
    const { at, width } = headerOf(input.start).columns;
    const known = Object.keys(at).length;
    const isTable = at.content !== undefined && (isNamed || known >= TELLING_COLUMNS || (width > 1 && input.extension === ''));
    if (isTable) return 'its first row names a column with the text';
    return isNamed ? `its name ends in ${input.extension}` : undefined;
  },
  read: (input, options) => entryLines(itemsOf(input, options)),
};

async function* itemsOf(input: Input, options: ReadOptions): AsyncGenerator<Item> {
  let number = 0;
  let columns: Columns | undefined;
  const file = basename(input.name);
  try {
    for await (const cells of rowsOf(input)) {
      number += 1;
      if (cells.every((cell) => cell.trim() === '')) continue;
      const place = `${input.name} row ${number}`;
      if (columns === undefined) columns = importColumns(cells, input.name, options.findings);
      else if (cells.slice(columns.width).some((cell) => cell.trim() !== ''))
        yield { place, problem: `has ${cells.length} cells where the first row names ${columns.width} columns` };
      else yield { place, entry: rowEntry({ cells, columns, file, number }, options) };
    }
  } catch (error) {
    // A row is counted once it is read completely.
    yield { place: `${input.name} row ${number + 1}`, problem: faultOf(error) };
  }
}

/** Cells of each row; rows before an error come before it. A quote within an unquoted cell is an ordinary character. */
async function* rowsOf(input: Input): AsyncGenerator<string[]> {
  const { parse } = await import('csv-parse');
  const rows: string[][] = [];
  const parser = parse({
    delimiter: headerOf(input.start).delimiter,
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    relax_quotes: true,
    max_record_size: MAX_ROW_BYTES,
    // Collected here, because the stream discards unread rows when an error occurs.
    on_record: (cells: string[]) => {
      rows.push(cells);
      return null;
    },
  });
  // Errors are returned by `write` and `end`.
  parser.on('error', () => {}).resume();
  try {
    for await (const text of decoded(input.chunks())) {
      await called((done) => parser.write(text, done));
      yield* rows.splice(0);
    }
    await called((done) => parser.end(done));
  } catch (error) {
    yield* rows.splice(0);
    throw error;
  }
  yield* rows.splice(0);
}

/** Waits for a callback. */
function called(call: (done: (error?: Error | null) => void) => void): Promise<void> {
  return new Promise((resolve, reject) => call((error) => (error ? reject(error) : resolve())));
}

/** Why nothing after a row could be read. Rethrows other errors. */
function faultOf(error: unknown): string {
  if (isUndecodable(error)) return 'is not valid UTF-8; nothing from here on was read';
  const { code } = error as { code?: unknown };
  if (error instanceof LoreError || typeof code !== 'string') throw error;
  if (code === 'CSV_QUOTE_NOT_CLOSED') return 'has a quote that is never closed; nothing from here on was read';
  if (code === 'CSV_MAX_RECORD_SIZE') {
    return `is longer than ${MAX_ROW_BYTES / 1024 / 1024} MB, perhaps because a quote is never closed; nothing from here on was read`;
  }
  throw error;
}
