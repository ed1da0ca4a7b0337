/** The time zone of the browser, such as `Europe/Berlin`. Empty if the browser hides it. */
export function ownTimeZone(): string {
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
  return timeZone === 'Etc/Unknown' ? '' : timeZone;
}
