import type { Log } from '../../src/memory/log.ts';

export interface RecordedLog extends Log {
  readonly lines: { level: string; message: string; fields: Record<string, unknown> }[];
}

/** A log that records its lines. */
export function recordedLog(): RecordedLog {
  const lines: RecordedLog['lines'] = [];
  const at = (level: string) => (fields: Record<string, unknown>, message: string) => void lines.push({ level, message, fields });
  return { lines, debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
}
