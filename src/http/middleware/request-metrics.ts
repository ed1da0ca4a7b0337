/** What is counted of a request. Every word is one of a few: a path or a method that someone makes up is none of them. */
import type { Telemetry } from '../../memory/telemetry.ts';

/** Anyone who reads the figures is not among them. */
export const METRICS_PATH = '/metrics';
/** Refused before it came to a route, or there is none. */
export const NO_ROUTE = 'none';

const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

interface Answered {
  /** The pattern; undefined where it came to none. */
  readonly route: string | undefined;
  readonly method: string;
  readonly status: number;
  /** The client was gone before its answer was out. */
  readonly aborted: boolean;
  readonly isStream: boolean;
  readonly seconds: number;
}

export function noteAnswer(telemetry: Telemetry, answered: Answered): void {
  const { route = NO_ROUTE, status, aborted, isStream, seconds } = answered;
  const method = METHODS.has(answered.method) ? answered.method : 'other';
  // A stream ends by its client leaving.
  telemetry.count('request', route, method, aborted && !isStream ? 'aborted' : String(status));
  if (status === 401) telemetry.count('request refused: key');
  if (status === 429) telemetry.count('request refused: rate');
  if (!isStream) telemetry.record('request seconds', seconds, route, method);
}
