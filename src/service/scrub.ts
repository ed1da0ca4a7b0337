import type { JobRun } from '../jobs/job.ts';
import type { Scheduler } from '../jobs/scheduler.ts';
import type { Log } from '../memory/log.ts';
import { DEGRADED } from '../memory/degraded.ts';
import { MAX_VERIFIED_IDS, type VerifyReport } from '../memory/operations/verification.ts';
import type { Store } from '../store/store.ts';
import type { Verified } from '../store/recovery/verification.ts';
import { Turns } from './turns.ts';

interface Parts {
  readonly store: Store;
  readonly scheduler: Pick<Scheduler, 'add'>;
  readonly log: Log;
  /** In which time all of them are looked at once; 0 for never. */
  readonly intervalMs: number;
}

const ROWS_AT_ONCE = 500;
const TICK_MS = 60_000;
const MOST_TICK_ROWS = 2000;

/**
 * Whether what is stored is what was saved: all of it on request, and slowly in the background, a few entries in each quiet minute. What it
 * finds stays found until a later look at the same entry finds it well.
 */
export class Scrub {
  readonly #parts: Parts;
  readonly #altered = new Set<string>();
  readonly #unreadable = new Set<string>();
  /** Ids that this round has still to look at. */
  #left: string[] = [];
  #round: { readonly at: number; readonly started: number; checked: number } | undefined;
  /** Where a round begins, 0..1 of all: were it the first entry, a process that is short of a round would look at the same ones each time. */
  readonly #from = Math.random();
  readonly #turns = new Turns();

  constructor(parts: Parts) {
    this.#parts = parts;
    const { intervalMs } = parts;
    const everyMs = Math.min(TICK_MS, intervalMs);
    const job = parts.scheduler.add({
      name: 'verification',
      run: async (run) => {
        await this.#tick(everyMs / intervalMs, run);
        return everyMs;
      },
      retryAfter: () => everyMs,
      failure: 'looking after what is stored stopped; it goes on later',
      close: async (stop) => {
        this.#turns.stop();
        await stop();
      },
    });
    if (intervalMs > 0) job.wake(everyMs);
  }

  /** Says what was found and is still so; undefined when all is well. Without `counts` not of how many entries. */
  degraded({ counts }: { readonly counts: boolean } = { counts: true }): string | undefined {
    const { directory } = this.#parts.store;
    const still = (ids: ReadonlySet<string>): number => [...ids].filter((id) => directory.get(id) !== undefined).length;
    const found = { altered: still(this.#altered), unreadable: still(this.#unreadable) };
    if (found.altered + found.unreadable === 0) return undefined;
    return DEGRADED.altered(counts ? found : undefined);
  }

  /** Looks at every entry, and at the archive, now. Rejects once `signal` says so, or the store is closing: a part would look like all. */
  async verify(signal?: AbortSignal): Promise<VerifyReport> {
    const { store } = this.#parts;
    const started = performance.now();
    const found: Verified[] = [];
    const ids = store.directory.known().map(({ id }) => id);
    for (let start = 0; start < ids.length; start += ROWS_AT_ONCE) {
      signal?.throwIfAborted();
      found.push(await this.#look(ids.slice(start, start + ROWS_AT_ONCE)));
      await this.#turns.pause();
    }
    signal?.throwIfAborted();
    const archive = await store.verification.archive();
    if (archive !== undefined) found.push(archive);
    const all = (pick: (verified: Verified) => readonly string[]): string[] => found.flatMap(pick).slice(0, MAX_VERIFIED_IDS);
    return {
      checked: found.reduce((sum, { checked }) => sum + checked, 0),
      altered: all(({ altered }) => altered),
      unreadable: all(({ unreadable }) => unreadable),
      ...(archive === undefined && { archiveUnreadable: true }),
      ms: Math.round(performance.now() - started),
    };
  }

  /** Looks at this share of all entries, unless there is other work to do. */
  async #tick(share: number, { signal }: JobRun): Promise<void> {
    const { store } = this.#parts;
    // Of the servers that share a store one is enough.
    if (store.maintenance !== 'idle' || !store.maintains) return;
    if (this.#round === undefined) {
      const ids = store.directory.known().map(({ id }) => id);
      const from = Math.floor(ids.length * this.#from);
      this.#left = [...ids.slice(from), ...ids.slice(0, from)];
      this.#round = { at: Date.now(), started: performance.now(), checked: 0 };
    }
    const rows = Math.min(MOST_TICK_ROWS, Math.max(1, Math.ceil(store.directory.size * share)));
    for (let done = 0; done < rows && this.#left.length > 0 && !signal.aborted; done += ROWS_AT_ONCE) {
      const ids = this.#left.slice(0, Math.min(ROWS_AT_ONCE, rows - done));
      const { checked } = await this.#look(ids);
      // Only now: what a passing fault kept from being read is looked at again.
      this.#left.splice(0, ids.length);
      this.#round.checked += checked;
    }
    if (this.#left.length === 0 && !signal.aborted) this.#endRound(this.#round);
  }

  #endRound({ at, started, checked }: { readonly at: number; readonly started: number; readonly checked: number }): void {
    this.#round = undefined;
    const { store, log } = this.#parts;
    const ms = Math.round(performance.now() - started);
    const isGone = (id: string): boolean => store.directory.get(id) === undefined;
    for (const ids of [this.#altered, this.#unreadable]) for (const id of ids) if (isGone(id)) ids.delete(id);
    if (checked === 0) return;
    store.upkeep.note({ kind: 'scrub', at, ms, state: 'done', result: { entries: checked } });
    log.debug({ checked, ms }, 'every entry was compared with its checksum');
  }

  async #look(ids: readonly string[]): Promise<Verified> {
    const verified = await this.#parts.store.verification.entries(ids);
    for (const [found, known] of [
      [verified.altered, this.#altered],
      [verified.unreadable, this.#unreadable],
    ] as const) {
      for (const id of ids) known.delete(id);
      for (const id of found) if (known.size < MAX_VERIFIED_IDS) known.add(id);
      if (found.length > 0) this.#parts.log.warn({ ids: found.slice(0, 20) }, 'entries on the disk are not what was saved');
    }
    return verified;
  }
}
