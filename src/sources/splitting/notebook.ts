import { z } from 'zod';
import { splitPassages } from '../../memory/words/passages.ts';
import type { Piece, SplitOptions } from './splitting.ts';

const Notebook = z.object({
  cells: z.array(z.object({ cell_type: z.string(), source: z.union([z.string(), z.array(z.string())]) })),
});
const CELL = /^\s*"cell_type"\s*:/;
const TITLE = /^#{1,6}\s+(.+)$/m;

/** Splits a notebook into cells without outputs; small neighbours are joined. An invalid notebook has no pieces. */
export function splitNotebook(text: string, { size, overlap }: SplitOptions): Piece[] {
  const cells = cellsOf(text);
  const groups: { text: string; start: number; end: number; heading: string }[] = [];
  let heading = '';
  for (const cell of cells) {
    const title = cell.isProse ? TITLE.exec(cell.text)?.[1]?.trim() : undefined;
    heading = title ?? heading;
    const last = groups.at(-1);
    const fits = last !== undefined && title === undefined && last.text.length + cell.text.length + 2 <= size;
    if (fits) groups[groups.length - 1] = { ...last, text: `${last.text}\n\n${cell.text}`, end: cell.end };
    else groups.push({ text: cell.text, start: cell.start, end: cell.end, heading });
  }
  return groups.flatMap(({ text: whole, heading: under, ...lines }) =>
    splitPassages(whole, { size, overlap, max: Number.MAX_SAFE_INTEGER }).map((passage) => ({
      text: passage.text.trim(),
      ...lines,
      ...(under === '' ? {} : { heading: under }),
    })),
  );
}

interface Cell {
  readonly text: string;
  readonly isProse: boolean;
  /** Lines in the file, from 1: from the line of its type to the type of the next cell. */
  readonly start: number;
  readonly end: number;
}

function cellsOf(text: string): Cell[] {
  const { data } = Notebook.safeParse(jsonOf(text));
  if (data === undefined) return [];
  const lines = text.split('\n');
  const starts = lines.flatMap((line, nth) => (CELL.test(line) ? [nth + 1] : []));
  const areKnown = starts.length === data.cells.length;
  return data.cells.flatMap(({ cell_type: kind, source }, nth) => {
    const own = (Array.isArray(source) ? source.join('') : source).trim();
    const start = areKnown ? starts[nth]! : 1;
    const end = areKnown ? (starts[nth + 1] ?? lines.length + 1) - 1 : lines.length;
    return own === '' ? [] : [{ text: own, isProse: kind === 'markdown', start, end }];
  });
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
