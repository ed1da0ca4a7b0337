/** Longer ones are read once, whatever they hold. */
export const LONG_VALUE = 256;
const QUOTE = /\\?["'`]/y;
/** By what they begin with; what was quoted twice has a backslash before its quotes, and none else. */
const QUOTED = new Map<string, RegExp>(
  ['"', "'", '`'].flatMap((quote) => [
    [quote, new RegExp(String.raw`(?:[^${quote}\\\n]|\\[^\n])+`, 'y')],
    [`\\${quote}`, new RegExp(String.raw`[^${quote}\\\n]+`, 'y')],
  ]),
);
/** Ends before the next field of a query, a header or a connection string, and where a link in Markdown does. */
const UNQUOTED = /(?:(?!&[\w.-]{1,64}=|[;,](?:\s|$|[\w. -]{1,64}=)|\)?\]\(|\[redacted: |\\[nrt"'`])[^\s"'`])+/y;
const TRAILING = '.,;:)}]>';
const END_OF_CLAUSE = /^[.,;:!)}\]>]*(?:\s*$|[ \t]*[\r\n]|(?<=[.,;:!)]) )/;

interface Value {
  readonly text: string;
  readonly start: number;
  readonly isQuoted: boolean;
  /** Nothing follows it but the end of a line or of a clause. */
  readonly isLast: boolean;
  /** A sign of code follows: a comma, a semicolon, a bracket. */
  readonly isInCode: boolean;
}

/** The value that stands at a place of a text, as programs and files write values; undefined where none does. */
export function valueAt(text: string, at: number): Value | undefined {
  QUOTE.lastIndex = at;
  const quote = QUOTE.exec(text)?.[0] ?? '';
  const start = at + quote.length;
  const pattern = QUOTED.get(quote) ?? UNQUOTED;
  pattern.lastIndex = start;
  const written = pattern.exec(text)?.[0];
  if (written === undefined) return undefined;
  const value = quote === '' ? withoutEnd(written, TRAILING) : written;
  const end = start + value.length;
  const behind = text.slice(end, end + 16);
  return { text: value, start, isQuoted: quote !== '', isLast: END_OF_CLAUSE.test(behind), isInCode: /^[,;)]/.test(behind) };
}

/** The value without any of these signs at its end. */
export function withoutEnd(value: string, signs: string): string {
  let end = value.length;
  while (end > 0 && signs.includes(value.charAt(end - 1))) end--;
  return value.slice(0, end);
}
