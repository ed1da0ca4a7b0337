import type { Given } from './dropped.ts';

let offered: Given | undefined;

/** What was dropped elsewhere on the page, passed to the import. */
export const offerFile = (given: Given): void => void (offered = given);

/** Returns it once. */
export function takeOffered(): Given | undefined {
  const given = offered;
  offered = undefined;
  return given;
}
