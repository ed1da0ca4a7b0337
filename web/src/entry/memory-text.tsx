import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { count } from '../parts/formats.ts';
import { Marked, type Marker } from '../parts/marked.tsx';
import { entryTexts } from './texts.ts';
import type { Stretch } from './stretch.ts';

const SHOWN_CHARS = 20_000;

interface MemoryTextProps {
  readonly text: string;
  readonly marker: Marker;
  /** The range to mark with a rule. */
  readonly passage?: Stretch | undefined;
}

/** A memory as plain text with its line breaks and spaces. A very long text is shown in parts. */
export function MemoryText({ text, marker, passage }: MemoryTextProps) {
  const [whole, setWhole] = useState(false);
  useEffect(() => {
    // Printing shows the whole text.
    const show = (): void => setWhole(true);
    addEventListener('beforeprint', show);
    return () => removeEventListener('beforeprint', show);
  }, []);
  // Shows enough of the text to include the passage.
  const isCut = !whole && text.length > SHOWN_CHARS * 1.2 && (passage?.end ?? 0) <= SHOWN_CHARS;
  const shown = isCut ? text.slice(0, SHOWN_CHARS) : text;
  // Marking words in megabytes of text would freeze the page.
  const isHuge = shown.length > SHOWN_CHARS * 10;
  const part = (start: number, end?: number) =>
    isHuge ? shown.slice(start, end) : <Marked text={shown.slice(start, end)} marker={marker} />;
  return (
    <>
      <p class="plain">
        {passage === undefined ? (
          part(0)
        ) : (
          <>
            {part(0, passage.start)}
            <Ruled key={passage.start}>{part(passage.start, passage.end)}</Ruled>
            {part(passage.end)}
          </>
        )}
      </p>
      {isCut && (
        <button type="button" class="btn" onClick={() => setWhole(true)}>
          {entryTexts.details.showAll(count(text.length))}
        </button>
      )}
    </>
  );
}

/** Text with a rule next to its lines. The rule is measured, because the range can start and end inside a line. */
function Ruled({ children }: { children: ComponentChildren }) {
  const words = useRef<HTMLSpanElement>(null);
  const rule = useRef<HTMLSpanElement>(null);
  useLayoutEffect(() => {
    const measure = (): void => {
      if (words.current === null || rule.current === null) return;
      const around = words.current.parentElement?.getBoundingClientRect();
      const { top, height } = words.current.getBoundingClientRect();
      rule.current.style.top = `${top - (around?.top ?? 0)}px`;
      rule.current.style.height = `${height}px`;
    };
    const observer = new ResizeObserver(measure);
    const paragraph = words.current?.closest('p');
    if (paragraph) observer.observe(paragraph);
    measure();
    return () => observer.disconnect();
  });
  return (
    <>
      <span ref={words} class="best-words">
        {children}
      </span>
      <span ref={rule} class="best-rule" aria-hidden="true" />
    </>
  );
}
