import type { ComponentChildren } from 'preact';
import { go, START, writeAddress, type Address } from '../address.ts';

interface LinkProps {
  /** The target state; unnamed fields have their defaults. */
  readonly to: Partial<Address>;
  readonly class?: string;
  readonly title?: string;
  readonly tabIndex?: number | undefined;
  readonly 'aria-current'?: 'page' | 'true' | undefined;
  /** Called when the link was followed in place, even to the current state. */
  readonly onFollow?: () => void;
  readonly children: ComponentChildren;
}

/** A plain click navigates in place; with a modifier the browser handles the link. */
export const plainClick = (event: MouseEvent): boolean =>
  event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;

/** A link to another state of the page: a real URL, followed without a page load. */
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
