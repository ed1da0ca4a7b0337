import type { Log } from '../../memory/log.ts';

/** The longest that an orderly stop may take. */
const STOP_LIMIT_MS = 9_500;

/** A promise that resolves at the first SIGINT or SIGTERM. The second signal ends the process at once, and so does a stop that takes too long. */
export function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    let count = 0;
    const onSignal = () => {
      count += 1;
      if (count > 1) process.exit(1);
      setTimeout(() => process.exit(1), STOP_LIMIT_MS).unref();
      resolve();
    };
    process.on('SIGINT', onSignal);
    process.on('SIGTERM', onSignal);
  });
}

/** Logs an uncaught error and exits with 1, because it leaves the process in an unknown state. */
export function exitOnFaults(log: Log): void {
  for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
    process.on(event, (error: unknown) => {
      log.error({ err: error }, 'unexpected error: the server stops');
      process.exit(1);
    });
  }
}
