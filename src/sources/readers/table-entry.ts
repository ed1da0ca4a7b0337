import { LoreError } from '../../memory/errors.ts';
import { SOURCES } from '../../memory/vocabulary.ts';
import { dateOf, importanceOf, priorityOf, referenceOf, tagsOf, textOf, textsOf } from './field-values.ts';
import type { Findings } from './findings.ts';
import { columnsOf, TEXT_COLUMNS, type ColumnField, type Columns } from './table-header.ts';
import type { EntryLine, NoteOptions } from './markdown-note.ts';

/**
 * Like `columnsOf`, for the header of an imported file. Records other columns as left out; throws `invalid_input` if no column has the
 * text.
 */
export function importColumns(header: readonly string[], name: string, findings: Findings): Columns {
  const columns = columnsOf(header);
  if (columns.at.content === undefined) {
    const names = header.map((cell) => JSON.stringify(cell.slice(0, 40))).join(', ');
    throw new LoreError('invalid_input', `${name} has no column with the text of the entries. Its columns are ${names}.`, {
      hint: `Name the column ${TEXT_COLUMNS.slice(0, -1).join(', ')}; the first row names the columns.`,
    });
  }
  const taken = new Set(Object.values(columns.at));
  for (const [at, cell] of header.entries()) {
    if (!taken.has(at)) findings.leaveOut('columns', cell.trim() === '' ? `column ${at + 1}` : cell.trim());
  }
  return columns;
}

interface Row {
  readonly cells: readonly string[];
  readonly columns: Columns;
  readonly file: string;
  /** From 1, with the header. */
  readonly number: number;
}

/** The entry of one row. */
export function rowEntry(
  { cells, columns, file, number }: Row,
  { namespace, findings }: Pick<NoteOptions, 'namespace' | 'findings'>,
): EntryLine {
  const cell = (field: ColumnField): string | undefined => textOf(cells[columns.at[field] ?? -1]);
  const source = cell('source')?.trim();
  const isOurs = (SOURCES as readonly (string | undefined)[]).includes(source);
  return {
    content: cell('content') ?? '',
    id: cell('id')?.trim(),
    namespace: namespace === undefined ? cell('namespace')?.trim() : undefined,
    container: cell('container')?.trim(),
    tags: tagsOf(textsOf(cell('tags')), findings),
    priority: priorityOf(cell('priority'), findings),
    importance: importanceOf(cell('importance'), findings),
    source: isOurs ? source : undefined,
    createdAt: dateOf(cell('createdAt'), findings),
    updatedAt: dateOf(cell('updatedAt'), findings),
    sourceRef: referenceOf({ file, row: number, source: isOurs ? undefined : source }),
  };
}
