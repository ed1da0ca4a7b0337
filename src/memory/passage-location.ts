import type { Entry } from './entry.ts';

type Placed = Pick<Entry, 'source' | 'sourceRef' | 'content'>;
/** A range of the content, offsets in UTF-16 units. */
interface TextRange {
  readonly start: number;
  readonly end: number;
}

/**
 * The location of a file passage, or of a range of it: `src/app.ts:3-10`, or `manual.pdf page 3` in a paged document. Undefined for entries
 * that are not from files.
 */
export function passageLocation({ source, sourceRef = {}, content }: Placed, stretch?: TextRange): string | undefined {
  const { file, start, end, page } = sourceRef;
  if ((source !== 'index' && source !== 'ingest') || typeof file !== 'string') return undefined;
  if (typeof page === 'number') return `${file} page ${page}`;
  if (typeof start !== 'number' || typeof end !== 'number') return file;
  const [first, last] = linesOf(content, { start, end }, stretch);
  return first === last ? `${file}:${first}` : `${file}:${first}-${last}`;
}

/**
 * First and last line of a range. The lines of the whole passage if the content is not the verbatim text of the file, such as with a
 * heading added.
 */
function linesOf(content: string, { start, end }: TextRange, stretch: TextRange | undefined): readonly [number, number] {
  const isVerbatim = breaksIn(content) === end - start;
  if (stretch === undefined || !isVerbatim) return [start, end];
  return [start + breaksIn(content.slice(0, stretch.start)), start + breaksIn(content.slice(0, stretch.end))];
}

const breaksIn = (text: string): number => text.split('\n').length - 1;
