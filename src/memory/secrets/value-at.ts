/** Longer values are scanned only once. */
export const LONG_VALUE = 256;
const QUOTE = /\\?["'`]/y;
/** Patterns of quoted values by opening quote; text quoted twice has a backslash before its quotes. */
const QUOTED = new Map<string, RegExp>(
  ['"', "'", '`'].flatMap((quote) => [
    [quote, new RegExp(String.raw`(?:[^${quote}\\\n]|\\[^\n])+`, 'y')],
    [`\\${quote}`, new RegExp(String.raw`[^${quote}\\\n]+`, 'y')],
  ]),
);
/** An unquoted value; it ends before the next field of a query, header or connection string, and at the end of a Markdown link. */
const UNQUOTED = /(?:(?!&[\w.-]{1,64}=|[;,](?:\s|$|[\w. -]{1,64}=)|\)?\]\(|\[redacted: |\\[nrt"'`])[^\s"'`])+/y;
const TRAILING = '.,;:)}]>';
const END_OF_CLAUSE = /^[.,;:!)}\]>]*(?:\s*$|[ \t]*[\r\n]|(?<=[.,;:!)]) )/;

interface Value {
  readonly text: string;
  readonly start: number;
  readonly isQuoted: boolean;
  /** Followed only by the end of a line or clause. */
  readonly isLast: boolean;
  /** Followed by a comma, a semicolon or a bracket, as in code. */
  readonly isInCode: boolean;
}

/** The quoted or unquoted value at an offset of a text; undefined if there is none. */
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
  const following = text.slice(end, end + 16);
  return { text: value, start, isQuoted: quote !== '', isLast: END_OF_CLAUSE.test(following), isInCode: /^[,;)]/.test(following) };
}

/** Strips these characters from the end of a value. */
export function withoutEnd(value: string, signs: string): string {
  let end = value.length;
  while (end > 0 && signs.includes(value.charAt(end - 1))) end--;
  return value.slice(0, end);
}
