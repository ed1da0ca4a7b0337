import { stdoutColors as pc } from './colors.ts';
import { fit, pad, textWidth } from './text-width.ts';

/** Width of a text column if the output is not a terminal. */
const PREVIEW_COLUMNS = 200;
const NARROWEST = 40;
const GAP = '  ';

/** Width of the terminal, or undefined for a file or a pipe. */
export function terminalWidth(): number | undefined {
  return process.stdout.isTTY ? Math.max(NARROWEST, process.stdout.columns ?? 80) : undefined;
}

/** Maximum line width: the width of the terminal, or a generous default. */
export const lineWidth = (): number => terminalWidth() ?? PREVIEW_COLUMNS;

interface Column {
  readonly title: string;
  /** Narrowest width of a column that may be shortened to make the table fit. */
  readonly shrinkTo?: number;
  readonly align?: 'right';
}

/** A table with a heading, two blanks between columns. Cells are one-line texts; on a terminal it fits its width. */
export function table(columns: readonly Column[], rows: readonly (readonly string[])[], width = terminalWidth()): string {
  const cells = rows.map((row) => row.map((cell) => oneLine(cell)));
  const widths = columns.map(({ title }, at) =>
    Math.max(textWidth(title), ...cells.map((row) => Math.min(PREVIEW_COLUMNS, textWidth(row[at] ?? '')))),
  );
  if (width !== undefined) shrink(widths, columns, width);
  const line = (row: readonly string[], paint: (text: string) => string = String) =>
    row
      .map((cell, at) => {
        const cut = fit(cell, widths[at] ?? 0);
        if (columns[at]?.align === 'right') return paint(' '.repeat(Math.max(0, (widths[at] ?? 0) - textWidth(cut))) + cut);
        return paint(at === row.length - 1 ? cut : pad(cut, widths[at] ?? 0));
      })
      .join(GAP)
      .trimEnd();
  return [
    line(
      columns.map(({ title }) => title),
      pc.dim,
    ),
    ...cells.map((row) => line(row)),
  ].join('\n');
}

/** Shortens the widest column that may shrink, until the line fits or none can shrink further. */
function shrink(widths: number[], columns: readonly Column[], width: number): void {
  let excess = widths.reduce((sum, each) => sum + each, GAP.length * (widths.length - 1)) - width;
  while (excess > 0) {
    const room = widths.map((each, at) => each - (columns[at]?.shrinkTo ?? each));
    const widest = room.reduce((best, each, at) => (each > 0 && (best === -1 || (widths[at] ?? 0) > (widths[best] ?? 0)) ? at : best), -1);
    if (widest === -1) return;
    const cut = Math.min(excess, 1 + Math.floor((room[widest] ?? 1) / 4));
    widths[widest] = (widths[widest] ?? 0) - cut;
    excess -= cut;
  }
}

/** Lines of `label  value` with aligned values; pairs without a value are left out. */
export function facts(pairs: readonly (readonly [label: string, value: string | undefined])[]): string {
  const shown = pairs.filter((pair): pair is readonly [string, string] => pair[1] !== undefined && pair[1] !== '');
  const width = Math.max(0, ...shown.map(([label]) => textWidth(label)));
  return shown.map(([label, value]) => `${pc.dim(pad(label, width))}${GAP}${printable(value)}`).join('\n');
}

/** Text that is safe for a terminal: control characters other than newline and tab become a visible mark. */
export function printable(text: string): string {
  return text.replaceAll(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu, (char) => (char === '\n' || char === '\t' ? char : '\ufffd'));
}

/** The text on one line, with every run of white space as one blank. */
export function oneLine(text: string): string {
  // A preview needs no more, and content may be megabytes long.
  return printable(
    text
      .slice(0, 20 * PREVIEW_COLUMNS)
      .replaceAll(/\s+/g, ' ')
      .trim(),
  );
}

/** `2026-01-31 12:00`, local time. */
export function moment(epochMs: number): string {
  const two = (value: number) => String(value).padStart(2, '0');
  const date = new Date(epochMs);
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())} ${two(date.getHours())}:${two(date.getMinutes())}`;
}

const UNITS = ['bytes', 'KB', 'MB', 'GB', 'TB'] as const;

/** `1.2 MB`; powers of 1,024. */
export function byteSize(bytes: number): string {
  const power = bytes < 1024 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log2(bytes) / 10));
  return `${power === 0 ? bytes : (bytes / 1024 ** power).toFixed(1)} ${UNITS[power] ?? ''}`;
}

/** `2 d 3 h`, `4 min 5 s`: the two largest units. */
export function duration(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  const parts = [
    [Math.floor(seconds / 86_400), 'd'],
    [Math.floor(seconds / 3600) % 24, 'h'],
    [Math.floor(seconds / 60) % 60, 'min'],
    [seconds % 60, 's'],
  ] as const;
  const first = parts.findIndex(([value]) => value > 0);
  if (first === -1) return '0 s';
  return parts
    .slice(first, first + 2)
    .map(([value, unit]) => `${value} ${unit}`)
    .join(' ');
}

/** `1 entry`, `1,204 entries`. */
export function amount(count: number, one: string, many: string): string {
  return `${count.toLocaleString('en-US')} ${count === 1 ? one : many}`;
}
