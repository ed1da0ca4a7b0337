import { useLayoutEffect, useRef } from 'preact/hooks';
import { keyOf, type PageKey } from './keys.ts';

type Actions = Partial<Readonly<Record<PageKey, () => void>>>;

/** The dialog that is above all others. Keys come from inside it, or from nowhere. */
function topmostDialog({ target }: KeyboardEvent): Element | null {
  const around = target instanceof Element ? target.closest('dialog[open]') : null;
  return around ?? [...document.querySelectorAll('dialog[open]')].at(-1) ?? null;
}

/** Whether keys belong to something that is typed into, or to a dialog above `dialog`; null for the page below all of them. */
export function keysAreTaken(event: KeyboardEvent, dialog: Element | null = null): boolean {
  if (event.metaKey || event.ctrlKey || event.altKey || event.isComposing) return true;
  const target = event.target;
  if (target instanceof HTMLElement && target.closest('textarea, select, input:not([type="radio"], [type="checkbox"])')) return true;
  return document.querySelector('[popover]:popover-open') !== null || topmostDialog(event) !== dialog;
}

/**
 * Runs the action of a key pressed anywhere on the page, or in the dialog that `inside` is in while that is the topmost one; not while
 * something is being typed. Keys are those of the table.
 */
export function useShortcuts(actions: Actions, inside?: { readonly current: Element | null }): void {
  const current = useRef<Readonly<Record<string, () => void>>>(actions);
  current.current = actions;
  // Not in an effect after the paint: a key pressed as soon as the page is there must count.
  useLayoutEffect(() => {
    const pressed = (event: KeyboardEvent): void => {
      const key = keyOf(event);
      const action = Object.hasOwn(current.current, key) ? current.current[key] : undefined;
      if (action === undefined || keysAreTaken(event, inside?.current?.closest('dialog'))) return;
      event.preventDefault();
      action();
    };
    document.addEventListener('keydown', pressed);
    return () => document.removeEventListener('keydown', pressed);
  }, []);
}
