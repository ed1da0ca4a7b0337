import { useMemo } from 'preact/hooks';
import { Marked } from './highlight.tsx';
import type { Marker } from './marker.ts';

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
