import type { Source } from '../../memory/entry.ts';
import { LatencyHistory } from '../../memory/latency-history.ts';
import { RecentMap } from '../../memory/recent-map.ts';
import type { Activity } from '../../memory/operations/statistics-operations.ts';
import { Calendar } from '../../memory/time-zone.ts';
import { HOUR_MS } from '../../memory/durations.ts';

/** In every time zone, days begin at a quarter of an hour. */
const SLOT_MS = 900_000;
/** The longest day has 25 hours. */
const KEPT_MS = 26 * HOUR_MS;
/** Above this number, counters that were not read for long start from zero. */
const MAX_NAMESPACES = 100;

interface Counts {
  recalls: number;
  answered: number;
}

type Slot = Map<Source, Counts>;

/** Undefined for recalls across all namespaces. */
interface ActivityScope {
  readonly namespace: string | undefined;
}

/** A recall, search or prompt that was answered, or a result that was opened. */
interface AnsweredRecall extends ActivityScope {
  readonly source: Source;
  readonly results: number;
}

/** Statistics of recalls in this process: number, interface, success and latency. */
export class RecallActivity {
  readonly #now: () => number;
  readonly #since: number;
  readonly #all: Tally;
  readonly #byNamespace = new RecentMap<string, Tally>(MAX_NAMESPACES);

  /** `now` gives milliseconds. */
  constructor(now: () => number = Date.now) {
    this.#now = now;
    this.#since = now();
    this.#all = new Tally(now);
  }

  /** Counts it for today. */
  count(recall: AnsweredRecall): void {
    for (const tally of this.#talliesOf(recall)) tally.count(recall);
  }

  /** Records the latency. */
  time({ ms, ...where }: ActivityScope & { readonly ms: number }): void {
    for (const { latency } of this.#talliesOf(where)) latency.add(ms);
  }

  report({ namespace, timeZone }: { namespace: string | undefined; timeZone: string }): Activity {
    const tally = namespace === undefined ? this.#all : (this.#byNamespace.get(namespace) ?? new Tally(this.#now));
    const calendar = new Calendar(timeZone);
    const from = calendar.startOf(calendar.dayOf(this.#now()));
    return { since: Math.floor(this.#since), latency: tally.latency.report(), today: tally.countedFrom(from) };
  }

  #talliesOf({ namespace }: ActivityScope): readonly Tally[] {
    return namespace === undefined ? [this.#all] : [this.#all, this.#tallyOf(namespace)];
  }

  #tallyOf(namespace: string): Tally {
    const tally = this.#byNamespace.get(namespace) ?? new Tally(this.#now);
    this.#byNamespace.set(namespace, tally);
    return tally;
  }
}

class Tally {
  readonly latency: LatencyHistory;
  readonly #now: () => number;
  /** Sorted by start time. */
  readonly #slots = new Map<number, Slot>();

  constructor(now: () => number) {
    this.#now = now;
    this.latency = new LatencyHistory(now);
  }

  count({ source, results }: AnsweredRecall): void {
    const now = this.#now();
    const begun = now - (now % SLOT_MS);
    const slot = this.#slots.get(begun) ?? this.#begin(begun);
    const counts = slot.get(source) ?? { recalls: 0, answered: 0 };
    counts.recalls += 1;
    if (results > 0) counts.answered += 1;
    slot.set(source, counts);
  }

  countedFrom(moment: number): Activity['today'] {
    const bySource: Partial<Record<Source, Counts>> = {};
    const all: Counts = { recalls: 0, answered: 0 };
    for (const [begun, slot] of this.#slots) {
      if (begun < moment) continue;
      for (const [source, { recalls, answered }] of slot) {
        const counts = (bySource[source] ??= { recalls: 0, answered: 0 });
        for (const sum of [counts, all]) {
          sum.recalls += recalls;
          sum.answered += answered;
        }
      }
    }
    return { ...all, bySource };
  }

  #begin(at: number): Slot {
    for (const begun of this.#slots.keys()) if (begun < at - KEPT_MS) this.#slots.delete(begun);
    const slot: Slot = new Map();
    this.#slots.set(at, slot);
    return slot;
  }
}
