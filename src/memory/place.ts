import type { Entry } from './entry.ts';

type Placed = Pick<Entry, 'source' | 'sourceRef' | 'content'>;
/** A stretch of the content, offsets in UTF-16 units. */
interface Stretch {
  readonly start: number;
  readonly end: number;
}

/** `src/app.ts:3-10` of a passage of a file, or of a stretch of it, `manual.pdf page 3` of one of a page; undefined of what was saved. */
export function placeOf({ source, sourceRef = {}, content }: Placed, stretch?: Stretch): string | undefined {
  const { file, start, end, page } = sourceRef;
  if ((source !== 'index' && source !== 'ingest') || typeof file !== 'string') return undefined;
  if (typeof page === 'number') return `${file} page ${page}`;
  if (typeof start !== 'number' || typeof end !== 'number') return file;
  const [first, last] = linesOf(content, { start, end }, stretch);
  return first === last ? `${file}:${first}` : `${file}:${first}-${last}`;
}

/** The lines of a stretch; those of all of it where the text has not just the lines of the file, as one with a heading in front. */
function linesOf(content: string, { start, end }: Stretch, stretch: Stretch | undefined): readonly [number, number] {
  const isVerbatim = breaksIn(content) === end - start;
  if (stretch === undefined || !isVerbatim) return [start, end];
  return [start + breaksIn(content.slice(0, stretch.start)), start + breaksIn(content.slice(0, stretch.end))];
}

const breaksIn = (text: string): number => text.split('\n').length - 1;
