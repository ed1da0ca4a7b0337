import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';

interface UnfoldingProps {
  readonly summary: ComponentChildren;
  readonly class?: string;
  /** Open from the beginning. */
  readonly open?: boolean;
  /** Made when it is first opened: all of a large document at once takes seconds. */
  readonly children: () => ComponentChildren;
}

/** Something that is folded away until a person wants it. */
export function Unfolding({ summary, class: extra, open = false, children }: UnfoldingProps) {
  const [wanted, setWanted] = useState(open);
  return (
    <details class={extra} open={open} onToggle={(event) => event.currentTarget.open && setWanted(true)}>
      {summary}
      {wanted && children()}
    </details>
  );
}
