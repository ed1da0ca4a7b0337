import { createTraceState, ROOT_CONTEXT, trace, type Context } from '@opentelemetry/api';
import type { RemoteTrace } from '../memory/telemetry.ts';

/** Version, trace, parent, flags. Later versions may say more behind these. */
const TRACEPARENT = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
const NO_TRACE = '0'.repeat(32);
const NO_SPAN = '0'.repeat(16);
const MAX_STATE_CHARS = 512;

/** The trace that a client names (W3C Trace Context), or a new one where it names none that can be. */
export function remoteContext({ traceparent = '', tracestate }: RemoteTrace): Context {
  const [, version, traceId, spanId, flags, more] = TRACEPARENT.exec(traceparent.trim()) ?? [];
  if (traceId === undefined || spanId === undefined || version === 'ff' || (version === '00' && more !== undefined)) return ROOT_CONTEXT;
  if (traceId === NO_TRACE || spanId === NO_SPAN) return ROOT_CONTEXT;
  // Of the flags only the first bit, whether the trace is sampled, means the same in every version.
  const traceFlags = Number.parseInt(flags ?? '0', 16) & 1;
  const kept = tracestate !== undefined && tracestate.length <= MAX_STATE_CHARS ? { traceState: createTraceState(tracestate) } : {};
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags, isRemote: true, ...kept });
}
