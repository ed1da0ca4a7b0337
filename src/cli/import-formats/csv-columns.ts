import { SOURCES } from '../../memory/entry.ts';
import { LoreError } from '../../memory/errors.ts';
import { dateOf, importanceOf, priorityOf, referenceOf, tagsOf, textOf, textsOf } from './field-values.ts';
import type { EntryLine, ReadOptions } from './format.ts';
import type { Findings } from './findings.ts';

/** The names by which a column is known, best first, compared without case, blanks, `_` and `-`. */
const NAMES = {
  content: ['content', 'text', 'memory', 'note', 'notes'],
  tags: ['tags', 'tag', 'labels', 'categories', 'keywords'],
  namespace: ['namespace', 'project'],
  container: ['container'],
  priority: ['priority'],
  importance: ['importance'],
  createdAt: ['createdat', 'created', 'date', 'timestamp'],
  updatedAt: ['updatedat', 'updated', 'modified'],
  id: ['id', 'uuid'],
  source: ['source'],
} as const satisfies Partial<Record<keyof EntryLine, readonly string[]>>;

type Field = keyof typeof NAMES;
const FIELDS = Object.keys(NAMES) as Field[];

/** Where the cells of a row belong. */
export interface Columns {
  /** How many cells the header has. */
  readonly width: number;
  readonly at: Readonly<Partial<Record<Field, number>>>;
}

/** How a header with these names is read; columns of other names, and the second of two that mean the same, are in none of the fields. */
export function columnsOf(header: readonly string[]): Columns {
  const plain = header.map((name) =>
    name
      .normalize('NFKC')
      .toLowerCase()
      .replaceAll(/[\s_-]+/g, ''),
  );
  const at: Partial<Record<Field, number>> = {};
  for (const field of FIELDS) {
    const column = NAMES[field].map((name) => plain.indexOf(name)).find((index) => index !== -1);
    if (column !== undefined) at[field] = column;
  }
  return { width: header.length, at };
}

/** As `columnsOf`, for the header of a file that is to be imported. Notes the other columns as left out; throws `invalid_input` where none holds the text. */
export function importColumns(header: readonly string[], name: string, findings: Findings): Columns {
  const columns = columnsOf(header);
  if (columns.at.content === undefined) {
    const names = header.map((cell) => JSON.stringify(cell.slice(0, 40))).join(', ');
    throw new LoreError('invalid_input', `${name} has no column with the text of the entries. Its columns are ${names}.`, {
      hint: `Name the column ${NAMES.content.slice(0, -1).join(', ')}; the first row names the columns.`,
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
  readonly number: number;
}

/** The entry of one row. */
export function rowEntry({ cells, columns, file, number }: Row, { namespace, findings }: ReadOptions): EntryLine {
  const cell = (field: Field): string | undefined => textOf(cells[columns.at[field] ?? -1]);
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
