import { createTraceState, ROOT_CONTEXT, trace, type Context } from '@opentelemetry/api';
import type { RemoteTrace } from '../memory/telemetry.ts';

/** Version, trace, parent, flags. Later versions may append fields. */
const TRACEPARENT = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
const NO_TRACE = '0'.repeat(32);
const NO_SPAN = '0'.repeat(16);
const MAX_STATE_CHARS = 512;

/** The trace of a client (W3C Trace Context), or a new one if the headers are absent or invalid. */
export function remoteContext({ traceparent = '', tracestate }: RemoteTrace): Context {
  const [, version, traceId, spanId, flags, more] = TRACEPARENT.exec(traceparent.trim()) ?? [];
  if (traceId === undefined || spanId === undefined || version === 'ff' || (version === '00' && more !== undefined)) return ROOT_CONTEXT;
  if (traceId === NO_TRACE || spanId === NO_SPAN) return ROOT_CONTEXT;
  // Only the first flag, `sampled`, has the same meaning in every version.
  const traceFlags = Number.parseInt(flags ?? '0', 16) & 1;
  const kept = tracestate !== undefined && tracestate.length <= MAX_STATE_CHARS ? { traceState: createTraceState(tracestate) } : {};
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags, isRemote: true, ...kept });
}
