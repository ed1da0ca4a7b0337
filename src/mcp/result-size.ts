/**
 * Size limits of results. The official client closes the connection at a message of 10 MiB, and a model reads far less: no result is larger
 * than 1 MB on the wire.
 */

/**
 * Characters of a long text in one result. A tool sends its result twice, as structured content and as JSON in a text, where a control
 * character takes 13 bytes: 780 kB at most, which leaves room for the other fields of an entry.
 */
export const PAGE_CHARS = 60_000;

/** Limit for all items of one result. */
const ITEMS_BYTES = 900_000;

/** The first items that fit into one result, and the number of those left out. */
export function takeFitting<T>(items: readonly T[]): { readonly fit: T[]; readonly omitted: number } {
  let bytes = 0;
  const end = items.findIndex((item) => (bytes += sentBytes(item)) > ITEMS_BYTES);
  const fit = end < 0 ? [...items] : items.slice(0, end);
  return { fit, omitted: items.length - fit.length };
}

function sentBytes(item: unknown): number {
  const json = JSON.stringify(item);
  return Buffer.byteLength(json) + Buffer.byteLength(JSON.stringify(json));
}

/** The first `limit` UTF-16 units of a text, or one fewer if that would split a surrogate pair. */
export function truncated(text: string, limit: number): string {
  return text.slice(0, pageEnd(text, limit));
}

/** The end of a part of a text, at most `limit`. Never inside a surrogate pair. */
export function pageEnd(text: string, limit: number): number {
  if (limit >= text.length) return text.length;
  const splitsPair = isBetween(text.charCodeAt(limit - 1), 0xd800, 0xdbff) && isBetween(text.charCodeAt(limit), 0xdc00, 0xdfff);
  return splitsPair ? limit - 1 : limit;
}

const isBetween = (unit: number, first: number, last: number): boolean => unit >= first && unit <= last;
