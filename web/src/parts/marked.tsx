import { useMemo } from 'preact/hooks';

/** A piece of text with its position, and whether it is a match. */
export interface Piece {
  readonly text: string;
  readonly start: number;
  readonly marked: boolean;
}

/** Splits a text into pieces and marks the matches. */
export type Marker = (text: string) => readonly Piece[];

/** A text with these ranges marked. They come in order; one that overlaps an earlier one is left out. */
export function piecesOf(text: string, ranges: Iterable<readonly [number, number]>): readonly Piece[] {
  const pieces: Piece[] = [];
  let done = 0;
  for (const [start, end] of ranges) {
    if (start < done) continue;
    if (start > done) pieces.push({ text: text.slice(done, start), start: done, marked: false });
    pieces.push({ text: text.slice(start, end), start, marked: true });
    done = end;
  }
  return done < text.length ? [...pieces, { text: text.slice(done), start: done, marked: false }] : pieces;
}

export const unmarked: Marker = (text) => [{ text, start: 0, marked: false }];

/** Text with marked matches. Renders only text nodes and mark elements. */
export function Marked({ text, marker }: { text: string; marker: Marker }) {
  const pieces = useMemo(() => marker(text), [text, marker]);
  return <>{pieces.map((piece) => (piece.marked ? <mark key={piece.start}>{piece.text}</mark> : piece.text))}</>;
}

const CODE_SPAN = /(`[^`\n]{1,300}`)/;

/** Text with marked matches, and code between backticks. */
export function RowLine({ text, marker }: { readonly text: string; readonly marker: Marker }) {
  const parts = useMemo(() => text.split(CODE_SPAN), [text]);
  return (
    <>
      {parts.map((part, at) =>
        // Every second part is a match of the pattern.
        at % 2 === 1 ? (
          <code key={at}>
            <Marked text={part.slice(1, -1)} marker={marker} />
          </code>
        ) : (
          <Marked key={at} text={part} marker={marker} />
        ),
      )}
    </>
  );
}
