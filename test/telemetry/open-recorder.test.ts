import { describe, expect, it } from 'vitest';
import { tracesAreWanted } from '../../src/telemetry/open-recorder.ts';

const NAMED = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318' };

describe('traces', () => {
  it.each([
    [{}, false],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: ' ' }, false],
    [{ OTEL_SERVICE_NAME: 'mine' }, false],
    [NAMED, true],
    [{ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://127.0.0.1:4318/v1/traces' }, true],
    [{ ...NAMED, OTEL_SDK_DISABLED: 'true' }, false],
    [{ ...NAMED, OTEL_SDK_DISABLED: 'false' }, true],
    [{ ...NAMED, OTEL_TRACES_EXPORTER: 'none' }, false],
    [{ ...NAMED, OTEL_TRACES_EXPORTER: 'otlp' }, true],
  ])('with the variables %j are enabled: %s', (env, wanted) => {
    expect(tracesAreWanted(env)).toBe(wanted);
  });
});
