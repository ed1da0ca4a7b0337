import type { Entry } from './entry.ts';

/** The entry with its content cut to `most` UTF-16 units; `contentLength` is set if it was cut. */
export function withContentLimit(entry: Entry, most: number | undefined): Entry {
  const { content } = entry;
  if (most === undefined || content.length <= most) return entry;
  return { ...entry, content: content.slice(0, most).replace(/[\ud800-\udbff]$/, ''), contentLength: content.length };
}
