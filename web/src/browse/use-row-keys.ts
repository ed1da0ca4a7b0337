import { useEffect, useRef } from 'preact/hooks';
import { keysAreTaken } from '../shell/shortcuts.ts';

/** What keys do to the rows. */
export interface RowKeys {
  /** Rows on or back; with shift, what is passed is selected. */
  readonly step: (by: number, isRange: boolean) => void;
  /** To the first or the last row. */
  readonly toEnd: (last: boolean) => void;
  /** A view on or back. */
  readonly page: (by: number) => void;
  readonly open: () => void;
  readonly toggle: () => void;
  readonly selectAll: () => void;
  /** Whether there was anything to clear. */
  readonly clear: () => boolean;
  /** The menu of the row. */
  readonly menu: () => void;
}

/** Whether keys that every control knows, such as arrows, are meant for the rows. */
function isAmongRows({ target }: KeyboardEvent): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target === document.body || target.id === 'main' || target.matches('.browse .pane')) return true;
  return target.closest('.line, .tl-item') !== null;
}
const isOnControl = ({ target }: KeyboardEvent): boolean =>
  target instanceof HTMLElement && target.closest('button, input, .tags a') !== null;

/** What a key of letters does, wherever the focus is. */
function letter(event: KeyboardEvent, keys: RowKeys): boolean {
  if (event.key === 'j') keys.step(1, false);
  else if (event.key === 'k') keys.step(-1, false);
  else if (event.key === 'x') keys.toggle();
  else if (event.key === 'm') keys.menu();
  else if (event.key === 'Escape') return keys.clear();
  else return false;
  return true;
}

/** What a key does that other controls know too, where the focus is on the rows. */
function among(event: KeyboardEvent, keys: RowKeys): boolean {
  const { key, shiftKey } = event;
  if (key === 'ArrowDown' || key === 'ArrowUp') keys.step(key === 'ArrowDown' ? 1 : -1, shiftKey);
  else if (key === 'Home' || key === 'End') keys.toEnd(key === 'End');
  else if (key === 'PageDown' || key === 'PageUp') keys.page(key === 'PageDown' ? 1 : -1);
  else if (key === ' ' && !isOnControl(event)) keys.toggle();
  else if (key === 'Enter' && !isOnControl(event)) keys.open();
  else return false;
  return true;
}

const isSelectAll = ({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): boolean =>
  key.toLowerCase() === 'a' && (ctrlKey || metaKey) && !altKey && !shiftKey;

/** Lets the keyboard go through the rows while the view is open. */
export function useRowKeys(keys: RowKeys): void {
  const current = useRef(keys);
  current.current = keys;
  useEffect(() => {
    const pressed = (event: KeyboardEvent): void => {
      if (event.defaultPrevented) return;
      if (isSelectAll(event) && isAmongRows(event) && document.querySelector('dialog[open]') === null) current.current.selectAll();
      else if (keysAreTaken(event)) return;
      else if (!letter(event, current.current) && !(isAmongRows(event) && among(event, current.current))) return;
      event.preventDefault();
    };
    document.addEventListener('keydown', pressed);
    return () => document.removeEventListener('keydown', pressed);
  }, []);
}
