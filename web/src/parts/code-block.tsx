import { useEffect, useMemo, useState } from 'preact/hooks';
import { Marked, type Marker } from './marked.tsx';
import type { highlight as highlightCode } from './highlighting.ts';
import { copy } from './toasts.tsx';
import { IconButton } from './button.tsx';
import { markdownTexts } from './markdown-texts.ts';

/** Longer code is not highlighted, because it would take too long. UTF-16 units. */
const MAX_COLORED_CHARS = 20_000;
const LANGUAGE = /^[\w+#.-]{1,30}/;

type Highlight = typeof highlightCode;
let loaded: Highlight | undefined;

/** The highlighter, loaded with the first code: most memories contain none. */
function useHighlight(wanted: boolean): Highlight | undefined {
  const [highlight, setHighlight] = useState(() => loaded);
  useEffect(() => {
    if (!wanted || highlight !== undefined) return;
    // Without it code has no colours; no error is needed.
    import('./highlighting.ts').then(
      (module) => {
        loaded = module.highlight;
        setHighlight(() => module.highlight);
      },
      () => undefined,
    );
  }, [wanted]);
  return highlight;
}

interface CodeBlockProps {
  readonly code: string;
  /** The language that the text names; empty if none. */
  readonly language: string;
  readonly marker: Marker;
}

/** Highlighted code with a copy button. */
export function CodeBlock({ code, language: said, marker }: CodeBlockProps) {
  const language = LANGUAGE.exec(said.trim())?.[0].toLowerCase() ?? '';
  const isShort = code.length <= MAX_COLORED_CHARS;
  const highlight = useHighlight(language !== '' && isShort);
  const pieces = useMemo(() => (isShort && language !== '' ? highlight?.(code, language) : undefined), [code, language, highlight]);
  return (
    <div class="code">
      <pre tabIndex={0} role="group" aria-label={markdownTexts.code(language)}>
        <code>
          {pieces === undefined ? (
            <Marked text={code} marker={marker} />
          ) : (
            pieces.map((piece, at) => (
              <span key={at} class={piece.class}>
                <Marked text={piece.text} marker={marker} />
              </span>
            ))
          )}
        </code>
      </pre>
      <IconButton icon="copy" label={markdownTexts.copyCode} size="xs" onClick={() => void copy(code, markdownTexts.codeCopied)} />
    </div>
  );
}
