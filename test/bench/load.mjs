// Load on a server, and what it costs.

/** Sorted times, milliseconds -> { count, p50, p95, p99 }; undefined quantiles where there are no times. */
export function summary(times) {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share) => {
    const value = sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
    return value === undefined ? undefined : Number(value.toFixed(2));
  };
  return { count: sorted.length, p50: at(0.5), p95: at(0.95), p99: at(0.99) };
}

/**
 * Closed loop: `clients` workers, one request each at a time, for `seconds` or `most` operations. `operation` takes the number of the
 * request, from 0. The answer has operations per second, times in milliseconds and, where `cpuMs` can tell the CPU time of the server,
 * what one operation cost it.
 */
export async function drive(operation, { clients = 1, seconds = 3, most = Infinity, cpuMs = () => undefined }) {
  const times = [];
  let issued = 0;
  const cpuBefore = cpuMs();
  const began = performance.now();
  await Promise.all(
    Array.from({ length: clients }, async () => {
      while (issued < most && performance.now() - began < seconds * 1000) {
        const nth = issued;
        issued += 1;
        const start = performance.now();
        await operation(nth);
        times.push(performance.now() - start);
      }
    }),
  );
  const tookMs = performance.now() - began;
  const cpuAfter = cpuMs();
  return {
    clients,
    perSecond: Math.round(times.length / (tookMs / 1000)),
    ...summary(times),
    ...(cpuBefore === undefined ? {} : { cpuMs: Number(((cpuAfter - cpuBefore) / Math.max(1, times.length)).toFixed(3)) }),
  };
}

/** Runs `operation` on every item, `clients` at a time, and gives what it answered, in order. */
export async function mapAll(items, operation, clients = 8) {
  const answers = [];
  let next = 0;
  await Promise.all(
    Array.from({ length: clients }, async () => {
      while (next < items.length) {
        const nth = next;
        next += 1;
        answers[nth] = await operation(items[nth], nth);
      }
    }),
  );
  return answers;
}

/** The middle one of some values. */
export const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
