import { collectDefaultMetrics, Registry } from 'prom-client';
import type { MetricsText } from '../memory/telemetry.ts';

let registry: Registry | undefined;

/**
 * CPU, memory, file descriptors, garbage collection and delay of the event loop of this process, as prom-client observes and writes them. Its observers
 * are never let go, so there is one set for the process; it begins to observe with the first call.
 */
export async function processMetrics(): Promise<MetricsText> {
  if (registry === undefined) {
    registry = new Registry();
    collectDefaultMetrics({ register: registry });
  }
  return { contentType: registry.contentType, text: await registry.metrics() };
}
