import { useLayoutEffect, useRef } from 'preact/hooks';
import { isKey } from '../shell/keys.ts';
import { keysAreTaken } from '../shell/shortcuts.ts';

interface RowKeys {
  /** Moves by rows; with shift, selects the passed ones. */
  readonly step: (by: number, isRange: boolean) => void;
  readonly toEnd: (last: boolean) => void;
  readonly page: (by: number) => void;
  readonly open: () => void;
  readonly toggle: () => void;
  readonly selectAll: () => void;
  /** Clears the selection, or leaves the list. */
  readonly close: () => void;
  readonly menu: () => void;
}

/** Whether common keys, such as arrows, apply to the rows. */
function isAmongRows({ target }: KeyboardEvent): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target === document.body || target.id === 'main' || target.matches('.browse .pane')) return true;
  return target.closest('.line, .tl-item') !== null;
}
const isOnControl = ({ target }: KeyboardEvent): boolean =>
  target instanceof HTMLElement && target.closest('button, input, .tags a') !== null;

/** Handles the letters that work anywhere; false for other keys. */
function anywhere(event: KeyboardEvent, keys: RowKeys): boolean {
  if (event.key.startsWith('Arrow') || event.key === ' ') return false;
  if (isKey(event, 'next')) keys.step(1, false);
  else if (isKey(event, 'previous')) keys.step(-1, false);
  else if (isKey(event, 'select')) keys.toggle();
  else if (isKey(event, 'menu')) keys.menu();
  else if (isKey(event, 'close')) keys.close();
  else return false;
  return true;
}

/** Handles keys that other controls use too, if the focus is on the rows. */
function among(event: KeyboardEvent, keys: RowKeys): boolean {
  const isRange = isKey(event, 'selectRange');
  if (isKey(event, 'next')) keys.step(1, isRange);
  else if (isKey(event, 'previous')) keys.step(-1, isRange);
  else if (isKey(event, 'first')) keys.toEnd(false);
  else if (isKey(event, 'last')) keys.toEnd(true);
  else if (isKey(event, 'viewOn')) keys.page(1);
  else if (isKey(event, 'viewBack')) keys.page(-1);
  else if (isKey(event, 'select') && !isOnControl(event)) keys.toggle();
  else if (isKey(event, 'open') && !isOnControl(event)) keys.open();
  else return false;
  return true;
}

const isSelectAll = (event: KeyboardEvent): boolean => isKey(event, 'selectAll') && !event.shiftKey;

export function useRowKeys(keys: RowKeys): void {
  const current = useRef(keys);
  current.current = keys;
  useLayoutEffect(() => {
    const pressed = (event: KeyboardEvent): void => {
      if (event.defaultPrevented) return;
      if (isSelectAll(event) && isAmongRows(event) && document.querySelector('dialog[open]') === null) current.current.selectAll();
      else if (keysAreTaken(event)) return;
      else if (!anywhere(event, current.current) && !(isAmongRows(event) && among(event, current.current))) return;
      event.preventDefault();
    };
    document.addEventListener('keydown', pressed);
    return () => document.removeEventListener('keydown', pressed);
  }, []);
}
