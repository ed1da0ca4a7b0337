import type { Log } from '../memory/log.ts';
import { Recorder } from './recorder.ts';
import type { Tracing } from './tracing.ts';

type Environment = Readonly<Record<string, string | undefined>>;

interface RecorderOptions {
  readonly version: string;
  readonly log: Log;
  /** Environment variables; they enable traces. */
  readonly env?: Environment;
}

/** Creates a recorder. Loads OpenTelemetry only if the variables enable traces; logs if they are invalid. */
export async function openRecorder({ version, log, env = {} }: RecorderOptions): Promise<Recorder> {
  return new Recorder({ version, log, tracing: tracesAreWanted(env) ? await tracing(version, log) : undefined });
}

/** Whether the variables name a collector and do not disable traces. */
export function tracesAreWanted(env: Environment): boolean {
  const named = env['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT']?.trim() || env['OTEL_EXPORTER_OTLP_ENDPOINT']?.trim();
  const exporters = (env['OTEL_TRACES_EXPORTER'] ?? '').split(',').map((name) => name.trim().toLowerCase());
  return Boolean(named) && env['OTEL_SDK_DISABLED']?.trim().toLowerCase() !== 'true' && !exporters.includes('none');
}

async function tracing(version: string, log: Log): Promise<Tracing | undefined> {
  try {
    const { openTracing } = await import('./tracing.ts');
    return openTracing({ version, log });
  } catch (err) {
    log.warn({ err }, 'no traces: the OTEL_ variables are invalid');
    return undefined;
  }
}
