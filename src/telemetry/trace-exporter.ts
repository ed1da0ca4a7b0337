import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import type { SpanExporter } from '@opentelemetry/sdk-trace-base';
import type { Log } from '../memory/log.ts';

/** `ExportResultCode.SUCCESS`, of a package that is none of ours. */
const SUCCESS = 0;

type Done = Parameters<SpanExporter['export']>[1];

/**
 * Sends spans to the collector that the variables of OpenTelemetry name, as OTLP in JSON. Says once in the log that it cannot be reached, and
 * once that it can be again. Throws where the variables make no sense.
 */
export function createTraceExporter(log: Log): SpanExporter {
  const inner = new OTLPTraceExporter();
  let isFailing = false;
  const note = (error: Error | undefined): void => {
    const failed = error !== undefined;
    if (failed && !isFailing)
      log.warn(
        { error: String(error) },
        'the trace collector does not take spans; it is tried again, and what does not fit the queue is dropped',
      );
    if (!failed && isFailing) log.info({}, 'the trace collector takes spans again');
    isFailing = failed;
  };
  return {
    export(spans, done: Done) {
      inner.export(spans, (result) => {
        const { code, error = new Error('refused') }: { code: number; error?: Error } = result;
        note(code === SUCCESS ? undefined : error);
        done(result);
      });
    },
    shutdown: () => inner.shutdown(),
    forceFlush: () => inner.forceFlush(),
  };
}
