import type { ComponentChildren } from 'preact';
import { go, START, writeAddress, type Address } from '../address.ts';

interface LinkProps {
  /** Where to, from the start address: what is not named is at its default. */
  readonly to: Partial<Address>;
  readonly class?: string;
  readonly title?: string;
  readonly tabIndex?: number | undefined;
  readonly 'aria-current'?: 'page' | 'true' | undefined;
  /** Told when it was followed in place, also to where the page is already. */
  readonly onFollow?: () => void;
  readonly children: ComponentChildren;
}

/** A plain click changes the page in place; with a modifier the browser opens it as any link. */
export const plainClick = (event: MouseEvent): boolean =>
  event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;

/** A link to another state of this page: a real address, followed without loading the page again. */
export function Link({ to, onFollow, children, ...rest }: LinkProps) {
  const target = { ...START, ...to };
  const follow = (event: MouseEvent): void => {
    if (!plainClick(event)) return;
    event.preventDefault();
    go(target);
    onFollow?.();
  };
  return (
    <a {...rest} href={writeAddress(target)} onClick={follow}>
      {children}
    </a>
  );
}
