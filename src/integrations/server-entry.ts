import { basename } from 'node:path';

/** Whether a server entry, in any client's format, starts `lore mcp`. */
export function isOurServer(entry: unknown): boolean {
  const words = stringsIn(entry);
  return (
    words.includes('mcp') && words.some((word) => /[\\/]bin[\\/]run\.js$/.test(word) || /^lore(?:\.cmd|\.exe)?$/i.test(basename(word)))
  );
}

function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsIn) : [];
}
