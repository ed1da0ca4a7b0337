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
  readonly passage?: Stretch | undefined;
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
