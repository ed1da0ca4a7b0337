import { currentAddress, go, START } from '../address.ts';

let isWanted = false;

/** Whether the list is to take the focus: true once after each wish. */
export function takesFocus(): boolean {
  const taken = isWanted;
  isWanted = false;
  return taken;
}

/** Leads to the list of everything, and the focus into it as soon as it is there. */
export function goToList(): void {
  const before = currentAddress();
  go(START);
  const row = before === currentAddress() ? document.querySelector<HTMLElement>('.line-text[tabindex="0"]') : null;
  if (row === null) isWanted = true;
  else row.focus();
}
