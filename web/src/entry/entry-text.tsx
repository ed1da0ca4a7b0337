import type { FunctionComponent, ComponentChildren } from 'preact';
import { useEffect, useMemo, useState, useLayoutEffect, useRef } from 'preact/hooks';
import { CodeBlock } from '../parts/code-block.tsx';
import type { MarkdownProps } from '../parts/markdown.tsx';
import { looksLikeMarkdown } from '../parts/markdown-signs.ts';
import { withoutTurns } from '../parts/plain-text.ts';
import { type Marker, Marked } from '../parts/marked.tsx';
import { entryTexts } from './texts.ts';
import type { TextRange } from './text-range.ts';
import { count } from '../parts/formats.ts';
import { Button } from '../parts/button.tsx';

let rendered: FunctionComponent<MarkdownProps> | undefined;

/** The Markdown renderer, loaded with the first text that needs it. Until then, or if it fails, the plain text is shown. */
function useMarkdown(isNeeded: boolean): FunctionComponent<MarkdownProps> | undefined {
  const [Markdown, setMarkdown] = useState(() => rendered);
  useEffect(() => {
    if (!isNeeded || Markdown !== undefined) return;
    import('../parts/markdown.tsx').then(
      (module) => {
        rendered = module.Markdown;
        setMarkdown(() => rendered);
      },
      () => undefined,
    );
  }, [isNeeded]);
  return Markdown;
}

interface EntryTextProps {
  readonly text: string;
  /** Language of a text that is entirely code. */
  readonly language?: string | undefined;
  readonly marker: Marker;
  /** The range to mark with a rule. */
  readonly passage?: TextRange | undefined;
  /** Level of the parent heading. */
  readonly base: number;
  /** Whether the Markdown source is shown, and the callback of the switch; without it there is no switch. */
  readonly asWritten?: boolean;
  readonly onAsWritten?: (asWritten: boolean) => void;
}

/** A memory's text: rendered Markdown, highlighted code, or plain text. */
export function EntryText({ text: written, language, marker, passage, base, asWritten = false, onAsWritten }: EntryTextProps) {
  const text = useMemo(() => withoutTurns(written), [written]);
  const isMarkdown = useMemo(() => language === undefined && looksLikeMarkdown(text), [text, language]);
  const Markdown = useMarkdown(isMarkdown);
  if (language !== undefined) {
    return (
      <div class="prose">
        <CodeBlock code={text} language={language} marker={marker} />
      </div>
    );
  }
  const plain = <MemoryText text={text} marker={marker} passage={passage} />;
  return (
    <div class="prose">
      {isMarkdown && onAsWritten !== undefined && (
        <Button
          look="quiet sm"
          class="as-written"
          label={entryTexts.asWritten}
          aria-pressed={asWritten}
          title={entryTexts.asWrittenExplained}
          onClick={() => onAsWritten(!asWritten)}
        />
      )}
      {isMarkdown && !asWritten && Markdown !== undefined ? (
        <Markdown text={text} marker={marker} passage={passage} base={base} instead={plain} />
      ) : (
        plain
      )}
    </div>
  );
}

const SHOWN_CHARS = 20_000;
/** One line of this length has one direction: finding it for each of its rows takes quadratic time. */
const LONG_LINE = /[^\n]{20000}/;

interface MemoryTextProps {
  readonly text: string;
  readonly marker: Marker;
  /** The range to mark with a rule. */
  readonly passage?: TextRange | undefined;
}

/** A memory as plain text with its line breaks and spaces. A very long text is shown in parts. */
function MemoryText({ text, marker, passage }: MemoryTextProps) {
  const [whole, setWhole] = useState(false);
  const paragraph = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    // Printing shows the whole text of the open memory; the preview is not printed.
    const show = (): void => setWhole((before) => before || paragraph.current?.closest('dialog') !== null);
    addEventListener('beforeprint', show);
    return () => removeEventListener('beforeprint', show);
  }, []);
  // Shows enough of the text to include the passage.
  const isCut = !whole && text.length > SHOWN_CHARS * 1.2 && (passage?.end ?? 0) <= SHOWN_CHARS;
  const shown = isCut ? text.slice(0, SHOWN_CHARS) : text;
  // Marking words in megabytes of text would freeze the page.
  const isHuge = shown.length > SHOWN_CHARS * 10;
  const isOneLine = useMemo(() => LONG_LINE.test(shown), [shown]);
  const part = (start: number, end?: number) =>
    isHuge ? shown.slice(start, end) : <Marked text={shown.slice(start, end)} marker={marker} />;
  return (
    <>
      <p ref={paragraph} class={isOneLine ? 'plain plain--one-line' : 'plain'} dir={isOneLine ? 'auto' : undefined}>
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
      {isCut && <Button label={entryTexts.details.showAll(count(text.length))} onClick={() => setWhole(true)} />}
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
