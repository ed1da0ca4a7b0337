import { useLayoutEffect, useRef } from 'preact/hooks';
import { keyOf, type PageKey } from './keys.ts';

type Actions = Partial<Readonly<Record<PageKey, () => void>>>;

/** The topmost dialog. Keys must come from inside it or from no element. */
function topmostDialog({ target }: KeyboardEvent): Element | null {
  const around = target instanceof Element ? target.closest('dialog[open]') : null;
  return around ?? [...document.querySelectorAll('dialog[open]')].at(-1) ?? null;
}

/** Whether an element accepts text input. */
export const isField = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.closest('textarea, select, input:not([type="radio"], [type="checkbox"])') !== null;

/** Whether keys belong to an element above `dialog`; null for the page below all dialogs. */
export const isCovered = (event: KeyboardEvent, dialog: Element | null = null): boolean =>
  document.querySelector('[popover]:popover-open') !== null || topmostDialog(event) !== dialog;

/** Whether keys belong to a text field, or to an element above `dialog`. */
export const keysAreTaken = (event: KeyboardEvent, dialog: Element | null = null): boolean =>
  event.metaKey || event.ctrlKey || event.altKey || event.isComposing || isField(event.target) || isCovered(event, dialog);

/**
 * Runs the action of a shortcut pressed anywhere on the page, or in the dialog that contains `inside` while it is the topmost one. Not while the
 * user types. Shortcuts are those of the table.
 */
export function useShortcuts(actions: Actions, inside?: { readonly current: Element | null }): void {
  const current = useRef<Readonly<Record<string, () => void>>>(actions);
  current.current = actions;
  // Not in an effect after painting: a key pressed as soon as the page is visible must work.
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
