import type { ComponentChildren } from 'preact';
import type { ApiError } from '../api/client.ts';
import { texts } from '../texts.ts';
import { entryTexts } from './texts.ts';
import { Button } from '../parts/button.tsx';

interface DetailSectionProps {
  /** Unique on the page. */
  readonly id: string;
  readonly title: string;
  readonly note?: string | undefined;
  /** Buttons at the end of the title line. */
  readonly tools?: ComponentChildren;
  readonly error?: ApiError | undefined;
  readonly onRetry?: () => void;
  readonly children?: ComponentChildren;
}

/** One section of the details with a heading; shows an error if it failed to load. */
export function DetailSection({ id, title, note, tools, error, onRetry, children }: DetailSectionProps) {
  return (
    <section aria-labelledby={id}>
      <div class="sec-h">
        <h3 id={id} tabIndex={-1}>
          {title}
        </h3>
        {note !== undefined && note !== '' && <span class="num">{note}</span>}
        {tools !== undefined && <span class="sec-tools">{tools}</span>}
      </div>
      {error === undefined ? (
        children
      ) : (
        <p class="dim small" role="status">
          {entryTexts.notLoaded(error.message)} <Button look="sm" label={texts.tryAgain} onClick={onRetry} />
        </p>
      )}
    </section>
  );
}
