import type { ChosenFiles } from './chosen-files.ts';

let offered: ChosenFiles | undefined;

/** Files dropped elsewhere on the page, passed to the import. */
export const offerFile = (given: ChosenFiles): void => void (offered = given);

/** Returns it once. */
export function takeOffered(): ChosenFiles | undefined {
  const given = offered;
  offered = undefined;
  return given;
}
