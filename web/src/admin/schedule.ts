const DAYS = ['Sundays', 'Mondays', 'Tuesdays', 'Wednesdays', 'Thursdays', 'Fridays', 'Saturdays'];

/** `on Sundays at 02:00` or `daily at 02:00` for a cron expression; other expressions are shown unchanged. */
export function scheduleInWords(cron: string): string {
  const [, minute = '', hour = '', weekday = ''] = /^(\d{1,2}) (\d{1,2}) \* \* (\*|[0-7])$/.exec(cron.trim()) ?? [];
  if (hour === '') return `on the cron schedule \`${cron}\``;
  const time = `${hour.padStart(2, '0')}:${minute.padStart(2, '0')}`;
  return weekday === '*' ? `daily at ${time}` : `on ${DAYS[Number(weekday) % DAYS.length]} at ${time}`;
}
