/** Names of columns for each field of an entry. */
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

/** Names of columns with the text of an entry, best first. */
export const TEXT_COLUMNS: readonly string[] = NAMES.content;

/** Column index of each field. */
export interface Columns {
  /** Number of cells in the header. */
  readonly width: number;
  readonly at: Readonly<Partial<Record<ColumnField, number>>>;
}

/**
 * Maps header names to fields, ignoring case, blanks, `_` and `-`. Unknown columns, and the second of two for the same field, are not
 * mapped.
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

/** The delimiter that gives the header a text column, or else the most columns. */
export function headerOf(start: string): { readonly delimiter: string; readonly columns: Columns } {
  const readings = DELIMITERS.map((delimiter) => ({ delimiter, columns: columnsOf(firstRow(start, delimiter)) }));
  const worth = ({ at, width }: Columns): number => (at.content === undefined ? 0 : 1_000_000) + width;
  return readings.reduce((best, next) => (worth(next.columns) > worth(best.columns) ? next : best));
}

/** The cells of the first row that is not blank. */
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
