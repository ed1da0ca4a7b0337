import { joinedUsage, type Usage } from '../../memory/lifecycle.ts';
import type { Log } from '../../memory/log.ts';
import type { Store } from '../../store/store.ts';

/** Counts are written after this time, or as soon as so many entries were counted: what a killed process loses at most. */
const WRITE_AFTER_MS = 60_000;
const WRITE_AT = 1000;
/** What is known is read again once it has doubled and grown by as many: by then much of it may be of entries that are gone for good. */
const SPARE = 1000;

interface Parts {
  readonly store: Pick<Store, 'sides' | 'directory' | 'keepUsage'>;
  readonly log: Log;
}

/**
 * How often entries were returned by recalls and searches. Counted in memory and written in the background, a batch at a time, into a
 * table of its own: no entry gets a new version by being read.
 */
export class RecallCounts {
  readonly #parts: Parts;
  /** What was counted of entries that were there when it was read, and since; read when first needed. */
  #known: Promise<Map<string, Usage>> | undefined;
  #mostKnown = Infinity;
  /** Counted since the last write. */
  #fresh = new Map<string, Usage>();
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();
  #closed = false;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** These were returned now. */
  count(ids: readonly string[]): void {
    if (this.#closed) return;
    const now = Date.now();
    for (const entryId of ids) {
      this.#fresh.set(entryId, { entryId, recalls: (this.#fresh.get(entryId)?.recalls ?? 0) + 1, lastRecalledAt: now });
    }
    if (this.#fresh.size >= WRITE_AT) this.#write();
    else this.#timer ??= setTimeout(() => this.#write(), WRITE_AFTER_MS).unref();
  }

  /** Undefined where it was never recalled. */
  async of(id: string): Promise<Usage | undefined> {
    const known = await this.#read();
    const fresh = this.#fresh.get(id);
    return fresh === undefined ? known.get(id) : joinedUsage(known.get(id), fresh);
  }

  /** Of every entry that was recalled, by its id. */
  async all(): Promise<ReadonlyMap<string, Usage>> {
    const known = new Map(await this.#read());
    for (const [id, use] of this.#fresh) known.set(id, joinedUsage(known.get(id), use));
    return known;
  }

  /** Resolves when all that was counted so far is written. Never rejects: counts are not worth a failure. */
  async flush(): Promise<void> {
    this.#write();
    await this.#writing;
  }

  /** Writes what was counted, and counts no more. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.flush();
  }

  #read(): Promise<Map<string, Usage>> {
    this.#known ??= this.#parts.store.sides.counts().then(
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

  #write(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#writing = this.#writing
      .then(() => this.#writeFresh())
      .catch((error: unknown) => this.#parts.log.warn({ error: String(error) }, 'how often entries were recalled could not be written'));
  }

  async #writeFresh(): Promise<void> {
    if (this.#fresh.size === 0) return;
    const { store } = this.#parts;
    const known = await this.#read();
    // In one turn: what is counted from now on is counted on top.
    const fresh = this.#fresh;
    this.#fresh = new Map();
    const { areShared } = store.sides;
    const [sums, counted]: [Usage[], Usage[]] = [[], []];
    for (const [id, use] of fresh) {
      const sum = joinedUsage(known.get(id), use);
      // What went to the archive may come back, and finds its count then.
      if (store.directory.get(id) === undefined) continue;
      // Where servers share the store, what is known goes on by itself with what they all count.
      if (!areShared) known.set(id, sum);
      sums.push(sum);
      counted.push(use);
    }
    await store.keepUsage(sums, counted);
    if (!areShared && known.size > this.#mostKnown) this.#known = undefined;
  }
}
