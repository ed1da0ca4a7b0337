type Write = (fields: Record<string, unknown>, message: string) => void;

/** The part of a pino logger that the lower layers use; they never decide where lines go. */
export interface Log {
  debug: Write;
  info: Write;
  warn: Write;
  error: Write;
}

export const silentLog: Log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
