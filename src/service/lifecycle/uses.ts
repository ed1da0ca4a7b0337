import type { Entry, Source } from '../../memory/entry.ts';
import type { RecallActivity } from './recall-activity.ts';
import type { UsageCounts } from './usage-counts.ts';

/** Entries that were returned. */
interface GivenOut {
  readonly entries: readonly Pick<Entry, 'id'>[];
  readonly source: Source;
  /** Undefined for all namespaces. */
  readonly namespace: string | undefined;
  /** Duration of the search; absent if nothing was searched. */
  readonly ms?: number;
  /** Number of matches, if it differs from the number of returned entries. */
  readonly found?: number;
  /** Default true. False for a lookup, such as a search as you type or a preview. */
  readonly countUse?: boolean | undefined;
}

/** Decides what counts as a use of entries, so that importance and statistics agree. Latency is always measured. */
export class Uses {
  readonly #usage: UsageCounts;
  readonly #recalls: RecallActivity;

  constructor({ usage, recalls }: { readonly usage: UsageCounts; readonly recalls: RecallActivity }) {
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
