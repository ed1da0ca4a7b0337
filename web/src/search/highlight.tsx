import { useMemo } from 'preact/hooks';
import type { Marker } from './marker.ts';

/** Text with the matching words marked. Only ever text nodes and mark elements, whatever the text holds. */
export function Marked({ text, marker }: { text: string; marker: Marker }) {
  const pieces = useMemo(() => marker(text), [text, marker]);
  return <>{pieces.map((piece) => (piece.marked ? <mark key={piece.start}>{piece.text}</mark> : piece.text))}</>;
}
