import type { Entry } from './entry.ts';

/** The entry with at most `most` UTF-16 units of its content, and the length of the whole where that is longer. */
export function shortened(entry: Entry, most: number | undefined): Entry {
  const { content } = entry;
  if (most === undefined || content.length <= most) return entry;
  return { ...entry, content: content.slice(0, most).replace(/[\ud800-\udbff]$/, ''), contentLength: content.length };
}
