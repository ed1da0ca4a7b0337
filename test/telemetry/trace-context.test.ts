import { trace } from '@opentelemetry/api';
import { describe, expect, it } from 'vitest';
import { remoteContext } from '../../src/telemetry/trace-context.ts';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const SPAN = '00f067aa0ba902b7';
const read = (traceparent: string, tracestate?: string) => trace.getSpanContext(remoteContext({ traceparent, tracestate }));

describe('the trace context of a client', () => {
  it('is used with its flag and state', () => {
    expect(read(`00-${TRACE}-${SPAN}-01`)).toMatchObject({ traceId: TRACE, spanId: SPAN, traceFlags: 1, isRemote: true });
    expect(read(`00-${TRACE}-${SPAN}-00`)).toMatchObject({ traceFlags: 0 });
    expect(read(`00-${TRACE}-${SPAN}-01`, 'vendor=1')?.traceState?.serialize()).toBe('vendor=1');
  });

  it('may have a later version with more fields', () => {
    expect(read(`cc-${TRACE}-${SPAN}-09-what-comes-later`)).toMatchObject({ traceId: TRACE, traceFlags: 1 });
  });

  it.each([
    '',
    'nonsense',
    `00-${TRACE}-${SPAN}`,
    `00-${TRACE}-${SPAN}-01-more`,
    `ff-${TRACE}-${SPAN}-01`,
    `00-${'0'.repeat(32)}-${SPAN}-01`,
    `00-${TRACE}-${'0'.repeat(16)}-01`,
    `00-${TRACE.toUpperCase()}-${SPAN}-01`,
    `00-${TRACE}-${SPAN}-zz`,
  ])('is ignored if it is %j', (traceparent) => {
    expect(read(traceparent)).toBeUndefined();
  });
});
