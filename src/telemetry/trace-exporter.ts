import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import type { SpanExporter } from '@opentelemetry/sdk-trace-base';
import type { Log } from '../memory/log.ts';

/** `ExportResultCode.SUCCESS` of a package that is not a direct dependency. */
const SUCCESS = 0;

type Done = Parameters<SpanExporter['export']>[1];

/**
 * Sends spans to the collector of the OpenTelemetry variables, as OTLP in JSON. Logs once when it becomes unreachable and once when it is
 * back. Throws if the variables are invalid.
 */
export function createTraceExporter(log: Log): SpanExporter {
  const inner = new OTLPTraceExporter();
  let isFailing = false;
  const note = (error: Error | undefined): void => {
    const failed = error !== undefined;
    if (failed && !isFailing)
      log.warn({ error: String(error) }, 'the trace collector rejects spans; Lore retries, and drops spans above the queue limit');
    if (!failed && isFailing) log.info({}, 'the trace collector accepts spans again');
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
