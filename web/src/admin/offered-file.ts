let offered: File | undefined;

/** A file dropped elsewhere on the page, passed to the import. */
export const offerFile = (file: File): void => void (offered = file);

/** Returns the file once. */
export function takeOffered(): File | undefined {
  const file = offered;
  offered = undefined;
  return file;
}
