import type { Entry, Source } from '../../memory/entry.ts';
import type { RecallActivity } from './recall-activity.ts';
import type { RecallCounts } from './usage.ts';

/** Entries that were given out. */
interface GivenOut {
  readonly entries: readonly Pick<Entry, 'id'>[];
  readonly source: Source;
  /** Undefined where all namespaces were looked at. */
  readonly namespace: string | undefined;
  /** How long a search took; absent where nothing was searched for. */
  readonly ms?: number;
  /** How many were found, where that is not how many were given out. */
  readonly found?: number;
  /** Default true. False for a lookup: a search as you type, a preview. */
  readonly countUse?: boolean | undefined;
}

/**
 * Decides what counts as a use of entries, so that importance and statistics agree. Latency is measured in any case.
 */
export class Uses {
  readonly #usage: RecallCounts;
  readonly #recalls: RecallActivity;

  constructor({ usage, recalls }: { readonly usage: RecallCounts; readonly recalls: RecallActivity }) {
    this.#usage = usage;
    this.#recalls = recalls;
  }

  note({ entries, source, namespace, ms, found = entries.length, countUse = true }: GivenOut): void {
    if (ms !== undefined) this.#recalls.time({ ms, namespace });
    if (!countUse) return;
    this.#usage.count(entries.map(({ id }) => id));
    this.#recalls.count({ namespace, source, results: found });
  }
}
