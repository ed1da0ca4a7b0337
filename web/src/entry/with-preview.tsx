import type { ComponentChildren } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { looksLikeMarkdown } from '../parts/markdown-signs.ts';
import { unmarked } from '../parts/marked.tsx';
import { EntryText } from './entry-text.tsx';
import { entryTexts } from './texts.ts';

interface WithPreviewProps {
  /** Of the field. */
  readonly id: string;
  readonly label: string;
  /** What stands in the field. */
  readonly text: string;
  /** Level of the heading above it. */
  readonly base: number;
  /** The field. */
  readonly children: ComponentChildren;
}

/** A text field under its label. Where its text is Markdown, a button shows in its place how it will look. */
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
        {isMarkdown && (
          <button type="button" class="btn btn--quiet btn--sm" aria-pressed={isShown} onClick={() => want(!isShown)}>
            {entryTexts.preview}
          </button>
        )}
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
