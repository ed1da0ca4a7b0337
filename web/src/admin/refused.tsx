import { adminTexts } from './texts.ts';

/** Why something is not offered to the key of this tab, in plain words. */
export function Refused({ write = false }: { write?: boolean }) {
  return <p class="dim small">{write ? adminTexts.rights.needsWrite : adminTexts.rights.needsFull}</p>;
}
