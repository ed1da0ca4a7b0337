import { collectDefaultMetrics, Registry } from 'prom-client';

let registry: Registry | undefined;

/**
 * CPU, memory, file descriptors, garbage collection and delay of the event loop of this process. One for the process, since its observers
 * are never let go; begins to observe with the first call.
 */
export function processMetrics(): Registry {
  if (registry === undefined) {
    registry = new Registry();
    collectDefaultMetrics({ register: registry });
  }
  return registry;
}
