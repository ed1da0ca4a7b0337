const DAY_MS = 86_400_000;

/** Runs something as if it were so many days ago: the clock of this process is set back meanwhile. */
export async function daysAgo<T>(days: number, run: () => Promise<T>): Promise<T> {
  const { now } = Date;
  Date.now = () => now() - days * DAY_MS;
  try {
    return await run();
  } finally {
    Date.now = now;
  }
}

/** The environment of a command that runs as if it were so many days ago. */
export function environmentDaysAgo(days: number): Record<string, string> {
  const module = `const { now } = Date; Date.now = () => now() - ${days * DAY_MS};`;
  return { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(module)}` };
}
