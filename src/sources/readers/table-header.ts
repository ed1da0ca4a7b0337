/** What the columns of a table may mean for an entry. */
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
} as const satisfies Record<string, readonly string[]>;

/** A field of an entry that a column can hold. */
export type ColumnField = keyof typeof NAMES;
const FIELDS = Object.keys(NAMES) as ColumnField[];

/** Names of a column that holds the text of an entry, best first. */
export const TEXT_COLUMNS: readonly string[] = NAMES.content;

/** Where the cells of a row belong. */
export interface Columns {
  /** How many cells the header has. */
  readonly width: number;
  readonly at: Readonly<Partial<Record<ColumnField, number>>>;
}

/**
 * How a header with these names is read, compared without case, blanks, `_` and `-`; columns of other names, and the second of two that mean
 * the same, are in none of the fields.
 */
export function columnsOf(header: readonly string[]): Columns {
  const plain = header.map((name) =>
    name
      .normalize('NFKC')
      .toLowerCase()
      .replaceAll(/[\s_-]+/g, ''),
  );
  const at: Partial<Record<ColumnField, number>> = {};
  for (const field of FIELDS) {
    const column = NAMES[field].map((name) => plain.indexOf(name)).find((index) => index !== -1);
    if (column !== undefined) at[field] = column;
  }
  return { width: header.length, at };
}

const DELIMITERS = [',', ';', '\t'] as const;

/** The delimiter with which the first row of a text names a column with the text of an entry, or else most columns. */
export function headerOf(start: string): { readonly delimiter: string; readonly columns: Columns } {
  const readings = DELIMITERS.map((delimiter) => ({ delimiter, columns: columnsOf(firstRow(start, delimiter)) }));
  const worth = ({ at, width }: Columns): number => (at.content === undefined ? 0 : 1_000_000) + width;
  return readings.reduce((best, next) => (worth(next.columns) > worth(best.columns) ? next : best));
}

/** The cells of the first row that is not blank, as far as it is there. */
function firstRow(start: string, delimiter: string): string[] {
  const cells = [''];
  let isQuoted = false;
  for (const char of start.replace(/^[\s\uFEFF]*\n/, '')) {
    if (char === '"') isQuoted = !isQuoted;
    else if (char === delimiter && !isQuoted) cells.push('');
    else if ((char === '\n' || char === '\r') && !isQuoted) break;
    else cells[cells.length - 1] += char;
  }
  return cells;
}
