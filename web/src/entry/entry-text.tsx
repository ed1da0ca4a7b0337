import type { FunctionComponent } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { CodeBlock } from '../parts/code-block.tsx';
import type { MarkdownProps } from '../parts/markdown.tsx';
import { looksLikeMarkdown } from '../parts/markdown-signs.ts';
import { withoutTurns } from '../parts/plain-text.ts';
import type { Marker } from '../parts/marked.tsx';
import { entryTexts } from './texts.ts';
import { MemoryText } from './memory-text.tsx';
import type { Stretch } from './stretch.ts';

let rendered: FunctionComponent<MarkdownProps> | undefined;

/** What renders Markdown, fetched with the first text that needs it. Without it a text is shown as it is written. */
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
  /** Of a text that is code as a whole. */
  readonly language?: string | undefined;
  readonly marker: Marker;
  /** The stretch to put a rule beside. */
  readonly passage?: Stretch | undefined;
  /** Level of the heading above it. */
  readonly base: number;
  /** Whether Markdown is shown as it is written, and who is told that it is to be the other way; without, there is no switch. */
  readonly asWritten?: boolean;
  readonly onAsWritten?: (asWritten: boolean) => void;
}

/** A memory's text: Markdown as what it means, a part of a file of code as code, everything else as it was saved. */
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
        <button
          type="button"
          class="btn btn--quiet btn--sm as-written"
          aria-pressed={asWritten}
          title={entryTexts.asWrittenExplained}
          onClick={() => onAsWritten(!asWritten)}
        >
          {entryTexts.asWritten}
        </button>
      )}
      {isMarkdown && !asWritten && Markdown !== undefined ? (
        <Markdown text={text} marker={marker} passage={passage} base={base} instead={plain} />
      ) : (
        plain
      )}
    </div>
  );
}
