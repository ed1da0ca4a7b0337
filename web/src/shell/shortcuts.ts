import { useEffect, useRef } from 'preact/hooks';
import type { PageKey } from './keys.ts';

/** Whether keys belong to something that is typed into, or to a dialog that is open. */
export function keysAreTaken(event: KeyboardEvent): boolean {
  if (event.metaKey || event.ctrlKey || event.altKey || event.isComposing) return true;
  const target = event.target;
  if (target instanceof HTMLElement && target.closest('textarea, select, input:not([type="radio"], [type="checkbox"])')) return true;
  return document.querySelector('dialog[open], [popover]:popover-open') !== null;
}

/** Runs the action of a key pressed anywhere on the page, unless something is being typed. Keys are those of the table. */
export function useShortcuts(actions: Partial<Readonly<Record<PageKey, () => void>>>): void {
  const current = useRef<Readonly<Record<string, () => void>>>(actions);
  current.current = actions;
  useEffect(() => {
    const pressed = (event: KeyboardEvent): void => {
      const action = Object.hasOwn(current.current, event.key) ? current.current[event.key] : undefined;
      if (action === undefined || keysAreTaken(event)) return;
      event.preventDefault();
      action();
    };
    document.addEventListener('keydown', pressed);
    return () => document.removeEventListener('keydown', pressed);
  }, []);
}
