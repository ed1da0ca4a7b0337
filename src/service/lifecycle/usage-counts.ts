import type { Job } from '../../jobs/job.ts';
import type { Scheduler } from '../../jobs/scheduler.ts';
import { addUsage, type Usage } from '../../memory/lifecycle.ts';
import type { Store } from '../../store/store.ts';

/** Counts are written after this time, or as soon as this many entries were counted: a killed process loses at most that. */
const WRITE_AFTER_MS = 60_000;
const WRITE_AT = 1000;
/** The cache is loaded again once it has doubled and grown by this number: by then much of it may belong to deleted entries. */
const SPARE = 1000;

interface Parts {
  readonly store: Pick<Store, 'abilities' | 'auxiliary' | 'catalog' | 'keepUsage'>;
  readonly scheduler: Pick<Scheduler, 'add'>;
}

/**
 * Use counts. Counted in memory and written in batches to a separate table in the background, so that reading an entry does not create a
 * new version.
 */
export class UsageCounts {
  readonly #parts: Parts;
  /** Stored counts, loaded on first use and updated since. */
  #known: Promise<Map<string, Usage>> | undefined;
  #mostKnown = Infinity;
  /** Counted since the last write. */
  #fresh = new Map<string, Usage>();
  readonly #job: Job;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#job = parts.scheduler.add({
      name: 'usage',
      run: () => this.#write(),
      failure: 'use counts could not be written',
      retryAfter: () => WRITE_AFTER_MS,
      close: async (stop) => {
        await stop();
        await this.flush();
      },
    });
  }

  /** Counts a use of these entries. */
  count(ids: readonly string[]): void {
    if (this.#job.isEnding) return;
    const now = Date.now();
    for (const entryId of ids) {
      this.#fresh.set(entryId, { entryId, recalls: (this.#fresh.get(entryId)?.recalls ?? 0) + 1, lastRecalledAt: now });
    }
    this.#job.wake(this.#fresh.size >= WRITE_AT ? 0 : WRITE_AFTER_MS);
  }

  /** The count of an entry; undefined if it was never used. */
  async of(id: string): Promise<Usage | undefined> {
    const known = await this.#read();
    const fresh = this.#fresh.get(id);
    return fresh === undefined ? known.get(id) : addUsage(known.get(id), fresh);
  }

  /** All counts by entry id. */
  async all(): Promise<ReadonlyMap<string, Usage>> {
    const known = new Map(await this.#read());
    for (const [id, use] of this.#fresh) known.set(id, addUsage(known.get(id), use));
    return known;
  }

  /** Resolves when all counts so far are written. Never rejects. */
  async flush(): Promise<void> {
    await this.#job.tryNow();
  }

  #read(): Promise<Map<string, Usage>> {
    this.#known ??= this.#parts.store.auxiliary.counts().then(
      (known) => {
        this.#mostKnown = 2 * known.size + SPARE;
        return known;
      },
      (error: unknown) => {
        this.#known = undefined;
        throw error;
      },
    );
    return this.#known;
  }

  async #write(): Promise<undefined> {
    if (this.#fresh.size === 0) return;
    const { store } = this.#parts;
    const known = await this.#read();
    // Taken and reset in one turn, so that later counts are added on top.
    const fresh = this.#fresh;
    this.#fresh = new Map();
    const { shared } = store.abilities;
    const [sums, counted]: [Usage[], Usage[]] = [[], []];
    for (const [id, use] of fresh) {
      const sum = addUsage(known.get(id), use);
      // Archived entries may be restored, so their counts are kept.
      if (store.catalog.get(id) === undefined) continue;
      // On a shared store, the counts of other servers arrive with each load.
      if (!shared) known.set(id, sum);
      sums.push(sum);
      counted.push(use);
    }
    await store.keepUsage(sums, counted);
    if (!shared && known.size > this.#mostKnown) this.#known = undefined;
  }
}
