import { currentAddress, go, START } from '../address.ts';

let isWanted = false;

/** Whether the list must take the focus: true once per request. */
export function takesFocus(): boolean {
  const taken = isWanted;
  isWanted = false;
  return taken;
}

/** Opens the list of all memories and focuses it when it is loaded. */
export function goToList(): void {
  const before = currentAddress();
  go(START);
  const row = before === currentAddress() ? document.querySelector<HTMLElement>('.line-text[tabindex="0"]') : null;
  if (row === null) isWanted = true;
  else row.focus();
}
