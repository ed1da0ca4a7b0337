/** Request metrics. Every label value comes from a fixed set: an unknown path or method never becomes a new one. */
import type { Telemetry } from '../../memory/telemetry.ts';

/** Requests for the metrics themselves are not counted. */
export const METRICS_PATH = '/metrics';
/** Label for requests that were refused before they reached a route, or that match none. */
export const NO_ROUTE = 'none';

const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

interface Answered {
  /** The route pattern; undefined if no route was reached. */
  readonly route: string | undefined;
  readonly method: string;
  readonly status: number;
  /** The client disconnected before the response was complete. */
  readonly aborted: boolean;
  readonly isStream: boolean;
  readonly seconds: number;
}

export function recordResponse(telemetry: Telemetry, answered: Answered): void {
  const { route = NO_ROUTE, status, aborted, isStream, seconds } = answered;
  const method = METHODS.has(answered.method) ? answered.method : 'other';
  // An event stream normally ends with the disconnect of its client.
  telemetry.count('request', route, method, aborted && !isStream ? 'aborted' : String(status));
  if (status === 401) telemetry.count('request refused: key');
  if (status === 429) telemetry.count('request refused: rate');
  if (!isStream) telemetry.record('request seconds', seconds, route, method);
}
