/** Where this person is, as the server is told: `Europe/Berlin`. Empty where the browser hides it. */
export function ownTimeZone(): string {
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
  return timeZone === 'Etc/Unknown' ? '' : timeZone;
}
