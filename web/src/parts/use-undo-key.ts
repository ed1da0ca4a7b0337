import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { isKey } from '../shell/keys.ts';
import { isCovered, isField } from '../shell/shortcuts.ts';

type UndoKey = 'undo' | 'undoInField';

/**
 * Lets a key undo the last action, and returns the key: Z, or Ctrl+Z while a text field has the focus. None in a field with input since `offer`
 * changed: there the browser undoes typing.
 */
export function useUndoKey(offer: unknown, undo: () => void, inside: { readonly current: Element | null }): UndoKey | undefined {
  const [key, setKey] = useState<UndoKey>();
  const latest = useRef(undo);
  latest.current = undo;
  useLayoutEffect(() => {
    if (offer === undefined) return;
    let typedInto: EventTarget | null = null;
    const keyAt = (target: EventTarget | null): UndoKey | undefined =>
      !isField(target) ? 'undo' : target === typedInto ? undefined : 'undoInField';
    const look = (): void => setKey(keyAt(document.activeElement));
    const left = ({ relatedTarget }: FocusEvent): void => setKey(keyAt(relatedTarget));
    const typed = ({ target }: Event): void => {
      typedInto = target;
      look();
    };
    const pressed = (event: KeyboardEvent): void => {
      const wanted = keyAt(event.target);
      if (wanted === undefined || !isKey(event, wanted) || isCovered(event, inside.current?.closest('dialog'))) return;
      event.preventDefault();
      latest.current();
    };
    look();
    const ending = new AbortController();
    const { signal } = ending;
    document.addEventListener('focusin', look, { signal });
    document.addEventListener('focusout', left, { signal });
    document.addEventListener('input', typed, { signal });
    document.addEventListener('keydown', pressed, { signal });
    return () => ending.abort();
  }, [offer]);
  return offer === undefined ? undefined : key;
}
