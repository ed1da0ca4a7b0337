import { useLayoutEffect, useRef } from 'preact/hooks';
import { keyOf, type PageKey } from './keys.ts';

type Actions = Partial<Readonly<Record<PageKey, () => void>>>;

/** The dialog that is above all others. Keys come from inside it, or from nowhere. */
function topmostDialog({ target }: KeyboardEvent): Element | null {
  const around = target instanceof Element ? target.closest('dialog[open]') : null;
  return around ?? [...document.querySelectorAll('dialog[open]')].at(-1) ?? null;
}

/** Whether letters are typed into it. */
export const isField = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.closest('textarea, select, input:not([type="radio"], [type="checkbox"])') !== null;

/** Whether keys belong to something above `dialog`; null for the page below all dialogs. */
export const isCovered = (event: KeyboardEvent, dialog: Element | null = null): boolean =>
  document.querySelector('[popover]:popover-open') !== null || topmostDialog(event) !== dialog;

/** Whether keys belong to a field, or to something above `dialog`. */
export const keysAreTaken = (event: KeyboardEvent, dialog: Element | null = null): boolean =>
  event.metaKey || event.ctrlKey || event.altKey || event.isComposing || isField(event.target) || isCovered(event, dialog);

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
