import { parse } from 'csv-parse/browser/esm/sync';
import { LoreError } from '../../../src/memory/errors.ts';
import { Findings } from '../../../src/sources/readers/findings.ts';
import { importColumns, rowEntry } from '../../../src/sources/readers/table-entry.ts';
import { headerOf, type Columns } from '../../../src/sources/readers/table-header.ts';
import type { ChosenFile } from './chosen-files.ts';
import { textOf, type ConvertedLines } from './notes.ts';

const HEADER_CHARS = 64 * 1024;

/** Reads a table as `lore import` does: each row becomes one memory, the first one names the columns. Rejects with `invalid_input` if it is not such a table. */
export async function tableLines({ path, file }: ChosenFile): Promise<ConvertedLines> {
  const text = await textOf(file);
  if (text === undefined) throw new LoreError('invalid_input', `${path} is not valid UTF-8.`);
  const findings = new Findings();
  const [lines, places]: [string[], string[]] = [[], []];
  let columns: Columns | undefined;
  for (const [at, cells] of rowsOf(text, path).entries()) {
    if (cells.every((cell) => cell.trim() === '')) continue;
    const place = `${path} row ${at + 1}`;
    if (columns === undefined) columns = importColumns(cells, path, findings);
    else if (cells.slice(columns.width).some((cell) => cell.trim() !== '')) findings.leaveOut('rows with more cells than the first', place);
    else {
      lines.push(`${JSON.stringify(rowEntry({ cells, columns, file: path, number: at + 1 }, { findings }))}\n`);
      places.push(place);
    }
  }
  return { from: 'rows', lines: new Blob(lines), places, leftOut: findings.leftOut };
}

function rowsOf(text: string, path: string): string[][] {
  try {
    return parse(text, {
      delimiter: headerOf(text.slice(0, HEADER_CHARS)).delimiter,
      record_delimiter: ['\r\n', '\n', '\r'],
      relax_column_count: true,
      relax_quotes: true,
    });
  } catch (cause) {
    if ((cause as { code?: unknown }).code !== 'CSV_QUOTE_NOT_CLOSED') throw cause;
    throw new LoreError('invalid_input', `${path} has a quote that is never closed.`, { cause });
  }
}
