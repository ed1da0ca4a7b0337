/** A zone in which it is about noon now: what is counted of today there is the same whenever a test runs. */
export function zoneAtNoon(): string {
  const hours = 12 - new Date().getUTCHours();
  // Such names have the sign turned round.
  return `Etc/GMT${hours > 0 ? '-' : '+'}${Math.abs(hours)}`;
}

/** The day of a moment by UTC, such as `2026-01-31`. */
export const dayOf = (moment: number): string => new Date(moment).toISOString().slice(0, 10);
