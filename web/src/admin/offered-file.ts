let offered: File | undefined;

/** A file that was dropped elsewhere on the page, for the import to begin with. */
export const offerFile = (file: File): void => void (offered = file);

/** The file that was offered, once. */
export function takeOffered(): File | undefined {
  const file = offered;
  offered = undefined;
  return file;
}
