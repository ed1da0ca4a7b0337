import { collectDefaultMetrics, Registry } from 'prom-client';
import type { MetricsText } from '../memory/telemetry.ts';

let registry: Registry | undefined;

/**
 * CPU, memory, file descriptors, garbage collection and event loop delay of this process, measured and formatted by prom-client. Its
 * observers cannot be removed, so there is one set per process, created on the first call.
 */
export async function processMetrics(): Promise<MetricsText> {
  if (registry === undefined) {
    registry = new Registry();
    collectDefaultMetrics({ register: registry });
  }
  return { contentType: registry.contentType, text: await registry.metrics() };
}
