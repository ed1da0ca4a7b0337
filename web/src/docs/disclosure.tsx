import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';

interface UnfoldingProps {
  readonly summary: ComponentChildren;
  readonly class?: string;
  readonly open?: boolean;
  /** Rendered when first opened: a large document takes seconds at once. */
  readonly children: () => ComponentChildren;
}

export function Disclosure({ summary, class: extra, open = false, children }: UnfoldingProps) {
  const [wanted, setWanted] = useState(open);
  return (
    <details class={extra} open={open} onToggle={(event) => event.currentTarget.open && setWanted(true)}>
      {summary}
      {wanted && children()}
    </details>
  );
}
