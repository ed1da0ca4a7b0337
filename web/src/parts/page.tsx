import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import type { ApiError } from '../api/client.ts';
import { texts } from '../texts.ts';
import { Failure } from './state.tsx';

interface PageProps {
  /** Heading, and title of the window. */
  readonly title: string;
  readonly lead?: string | undefined;
  /** At the end of the heading. */
  readonly tools?: ComponentChildren;
  readonly children: ComponentChildren;
}

/** A view that scrolls, under its heading. */
export function Page({ title, lead, tools, children }: PageProps) {
  useEffect(() => {
    document.title = texts.title(title);
  }, []);
  return (
    <div class="page">
      <header class="page-h">
        <div>
          <h1>{title}</h1>
          {lead !== undefined && <p>{lead}</p>}
        </div>
        {tools}
      </header>
      {children}
    </div>
  );
}

/** Why a part of a page cannot be shown. */
export function BoxedFailure(props: { error: ApiError; title: string; onRetry: () => void }) {
  return (
    <div class="box">
      <Failure {...props} />
    </div>
  );
}
