/**
 * How much an answer holds. The official client ends the connection at a message of 10 MiB, and a model can read far less: no answer is larger than
 * 1 MB as it is sent.
 */

/**
 * Characters of a long text in one answer. A tool sends its result twice, as structure and as JSON in a text, where a control character takes
 * 13 bytes: 780 kB at most, and room for what else is said of an entry.
 */
export const PAGE_CHARS = 60_000;

/** What the items of one answer may take together. */
const ITEMS_BYTES = 900_000;

/** As many of the first items as fit into one answer, and how many do not. */
export function fitting<T>(items: readonly T[]): { readonly fit: T[]; readonly omitted: number } {
  let bytes = 0;
  const end = items.findIndex((item) => (bytes += sentBytes(item)) > ITEMS_BYTES);
  const fit = end < 0 ? [...items] : items.slice(0, end);
  return { fit, omitted: items.length - fit.length };
}

function sentBytes(item: unknown): number {
  const json = JSON.stringify(item);
  return Buffer.byteLength(json) + Buffer.byteLength(JSON.stringify(json));
}

/** The first `limit` characters of a text, or one fewer rather than half a character. */
export function beginningOf(text: string, limit: number): string {
  return text.slice(0, pageEnd(text, limit));
}

/** Where a part of a text that may reach to `limit` ends: never within a surrogate pair. */
export function pageEnd(text: string, limit: number): number {
  if (limit >= text.length) return text.length;
  const splitsPair = isBetween(text.charCodeAt(limit - 1), 0xd800, 0xdbff) && isBetween(text.charCodeAt(limit), 0xdc00, 0xdfff);
  return splitsPair ? limit - 1 : limit;
}

const isBetween = (unit: number, first: number, last: number): boolean => unit >= first && unit <= last;
