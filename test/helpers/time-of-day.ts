/** A time zone in which it is about noon now, so that counts of today are the same whenever a test runs. */
export function zoneAtNoon(): string {
  const hours = 12 - new Date().getUTCHours();
  // Etc/GMT names have the inverted sign.
  return `Etc/GMT${hours > 0 ? '-' : '+'}${Math.abs(hours)}`;
}

/** The UTC day of a moment, such as `2026-01-31`. */
export const dayOf = (moment: number): string => new Date(moment).toISOString().slice(0, 10);
