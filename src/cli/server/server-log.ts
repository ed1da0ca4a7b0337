import { pino, type Logger } from 'pino';

/** The log of a server: JSON lines on stderr, written synchronously, so that the last lines before a crash are not lost. */
export function serverLog(options: { level: string; beforeLine: () => void }): Logger {
  if (process.stderr.isTTY) {
    const write = (line: string) => {
      options.beforeLine();
      process.stderr.write(line);
    };
    return pino({ level: options.level }, { write });
  }
  const destination = pino.destination({ dest: 2, sync: true });
  // A server keeps running when nobody reads its log any more.
  destination.on('error', () => {});
  return pino({ level: options.level }, destination);
}
