import { useState } from 'preact/hooks';
import { count } from '../parts/formats.ts';
import { Marked } from '../search/highlight.tsx';
import type { Marker } from '../search/marker.ts';
import { texts } from '../texts.ts';

const SHOWN_CHARS = 20_000;

/** A memory as it was saved: plain text, its line breaks and spaces kept. The rest of a very long one comes on demand. */
export function MemoryText({ text, marker }: { text: string; marker: Marker }) {
  const [whole, setWhole] = useState(false);
  const cut = !whole && text.length > SHOWN_CHARS * 1.2;
  return (
    <div class="prose">
      <p class="plain">
        {/* Marking every word of megabytes would freeze the page for the sake of a few yellow spots. */}
        {whole && text.length > SHOWN_CHARS * 10 ? text : <Marked text={cut ? text.slice(0, SHOWN_CHARS) : text} marker={marker} />}
      </p>
      {cut && (
        <button type="button" class="btn" onClick={() => setWhole(true)}>
          {texts.details.showAll(count(text.length))}
        </button>
      )}
    </div>
  );
}
