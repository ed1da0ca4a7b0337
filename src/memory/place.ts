import type { Entry } from './entry.ts';

/** `src/app.ts:3-10` of a passage of a file, `manual.pdf page 3` of one of a page; undefined of what was saved. */
export function placeOf({ source, sourceRef = {} }: Pick<Entry, 'source' | 'sourceRef'>): string | undefined {
  const { file, start, end, page } = sourceRef;
  if ((source !== 'index' && source !== 'ingest') || typeof file !== 'string') return undefined;
  if (typeof page === 'number') return `${file} page ${page}`;
  if (typeof start !== 'number' || typeof end !== 'number') return file;
  return start === end ? `${file}:${start}` : `${file}:${start}-${end}`;
}
