import { useMemo } from 'preact/hooks';

/** Where a piece of text lies, and whether it is a match. */
export interface Piece {
  readonly text: string;
  readonly start: number;
  readonly marked: boolean;
}

/** Cuts a text into pieces, those that match a query marked. */
export type Marker = (text: string) => readonly Piece[];

/** Marks nothing. */
export const unmarked: Marker = (text) => [{ text, start: 0, marked: false }];

/** Text with the matching words marked. Only ever text nodes and mark elements, whatever the text holds. */
export function Marked({ text, marker }: { text: string; marker: Marker }) {
  const pieces = useMemo(() => marker(text), [text, marker]);
  return <>{pieces.map((piece) => (piece.marked ? <mark key={piece.start}>{piece.text}</mark> : piece.text))}</>;
}

const CODE_SPAN = /(`[^`\n]{1,300}`)/;

/** A text in a row: the matching words marked, what stands between backticks as code. */
export function RowLine({ text, marker }: { readonly text: string; readonly marker: Marker }) {
  const parts = useMemo(() => text.split(CODE_SPAN), [text]);
  return (
    <>
      {parts.map((part, at) =>
        // Every second part is one that the pattern held.
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
