import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { useAddress } from '../address.ts';
import { Button } from '../parts/button.tsx';
import { adminTexts } from './texts.ts';
import type { Part } from './parts.ts';
import type { ApiError } from '../api/client.ts';
import { BoxedFailure } from '../parts/page.tsx';

interface SectionProps {
  readonly part: Part;
  readonly last?: boolean;
  /** If there is nothing to do: a one-line summary that replaces the content until it is opened. */
  readonly folded?: string | undefined;
  readonly children: ComponentChildren;
}

/** One section of the administration with a heading that the navigation links to. Opened sections stay open. */
export function Section({ part, last = false, folded, children }: SectionProps) {
  const { part: gone } = useAddress();
  const [opened, setOpened] = useState(gone === part);
  const isBusy = folded === undefined;
  useEffect(() => {
    if (gone === part || isBusy) setOpened(true);
  }, [gone, isBusy]);
  const isOpen = opened || isBusy;
  const title = adminTexts.parts[part];
  return (
    <section class={last ? 'sect sect--last' : 'sect'} id={part} aria-labelledby={`${part}-title`}>
      <header class="row sect-h">
        <h2 id={`${part}-title`} tabIndex={-1}>
          {title}
        </h2>
        {!isBusy && (
          <>
            <span class="dim small grow">{!opened && folded}</span>
            <Button
              look="quiet sm"
              after={opened ? 'up' : 'down'}
              label={opened ? adminTexts.hide : adminTexts.show}
              aria-expanded={opened}
              aria-label={opened ? adminTexts.fold(title) : adminTexts.unfold(title)}
              onClick={() => setOpened(!opened)}
            />
          </>
        )}
      </header>
      {isOpen && children}
    </section>
  );
}

/** Explains why the key of this tab cannot use something. */
export function Refused({ write = false }: { write?: boolean }) {
  return <p class="dim small">{write ? adminTexts.rights.needsWrite : adminTexts.rights.needsFull}</p>;
}

const FORBIDDEN = 403;

/** Explains why one section is not shown. */
export function PartFailure({ error, onRetry }: { error: ApiError; onRetry: () => void }) {
  if (error.status === FORBIDDEN) return <Refused />;
  // The top of the page already says what to do.
  if (error.offline) return <p class="dim small">{error.message}</p>;
  return <BoxedFailure error={error} title={adminTexts.failed} onRetry={onRetry} />;
}
