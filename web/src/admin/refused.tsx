import { adminTexts } from './texts.ts';

/** Explains why the key of this tab cannot use something. */
export function Refused({ write = false }: { write?: boolean }) {
  return <p class="dim small">{write ? adminTexts.rights.needsWrite : adminTexts.rights.needsFull}</p>;
}
