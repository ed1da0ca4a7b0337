type Write = (fields: Record<string, unknown>, message: string) => void;

/** The subset of a pino logger that the lower layers use. They do not decide where log lines go. */
export interface Log {
  debug: Write;
  info: Write;
  warn: Write;
  error: Write;
}

export const silentLog: Log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
