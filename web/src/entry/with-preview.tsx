import type { ComponentChildren } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { looksLikeMarkdown } from '../parts/markdown-signs.ts';
import { unmarked } from '../parts/marked.tsx';
import { EntryText } from './entry-text.tsx';
import { entryTexts } from './texts.ts';
import { Button } from '../parts/button.tsx';

interface WithPreviewProps {
  readonly id: string;
  readonly label: string;
  readonly text: string;
  /** Level of the parent heading. */
  readonly base: number;
  readonly children: ComponentChildren;
}

/** A labelled text field. If its text is Markdown, a button switches to a preview. */
export function WithPreview({ id, label, text, base, children }: WithPreviewProps) {
  const [isWanted, want] = useState(false);
  const isMarkdown = useMemo(() => looksLikeMarkdown(text), [text]);
  const isShown = isWanted && isMarkdown;
  return (
    <>
      <div class="row row--between">
        <label for={isShown ? undefined : id} class="lbl">
          {label}
        </label>
        {isMarkdown && <Button look="quiet sm" label={entryTexts.preview} aria-pressed={isShown} onClick={() => want(!isShown)} />}
      </div>
      {isShown ? (
        <div class="input text-preview" role="region" aria-label={entryTexts.previewOf(label)} tabIndex={0}>
          <EntryText text={text} marker={unmarked} base={base} />
        </div>
      ) : (
        children
      )}
    </>
  );
}
