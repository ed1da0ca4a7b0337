import { currentScope } from '../../src/memory/request-scope.ts';
import { noTelemetry, type Telemetry } from '../../src/memory/telemetry.ts';

export interface RecordedTelemetry extends Telemetry {
  /** Timed work in order of its start, with its request. */
  readonly timings: { readonly what: string; readonly words: readonly string[]; readonly requestId: string | undefined }[];
  readonly counted: string[];
  readonly levels: Map<string, number>;
  readonly amounts: (readonly [string, number])[];
}

/** Telemetry that records everything. */
export function recordedTelemetry(): RecordedTelemetry {
  const timings: RecordedTelemetry['timings'] = [];
  const counted: string[] = [];
  const levels = new Map<string, number>();
  const amounts: (readonly [string, number])[] = [];
  return {
    ...noTelemetry,
    timings,
    counted,
    levels,
    amounts,
    count: (what, ...words) => void counted.push([what, ...words].join(' ')),
    timed: async (what, work, ...words) => {
      timings.push({ what, words, requestId: currentScope()?.requestId });
      return await work();
    },
    record: (what, value) => void amounts.push([what, value]),
    move: (what, by) => void levels.set(what, (levels.get(what) ?? 0) + by),
  };
}
