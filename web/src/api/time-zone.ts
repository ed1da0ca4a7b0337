/** The time zone of the browser, such as `Europe/Berlin`, as a field of requests; none if the browser hides it. */
export function ownTimeZone(): { readonly timeZone?: string } {
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
  return timeZone === 'Etc/Unknown' ? {} : { timeZone };
}
