import type { Log } from '../memory/log.ts';
import type { VerifyReport } from '../memory/verification.ts';
import type { Store } from '../store/store.ts';
import type { Verified } from '../store/verification.ts';

interface Parts {
  readonly store: Store;
  readonly log: Log;
  /** Whether entries are looked at behind the requests. */
  readonly background: boolean;
  /** In which time all of them are looked at once; 0 for never. */
  readonly intervalMs: number;
}

const ROWS_AT_ONCE = 500;
const TICK_MS = 60_000;
const MOST_TICK_ROWS = 2000;
/** Ids that health counts on and a report names. */
const MOST_IDS = 10_000;

/**
 * Whether what is stored is what was saved: all of it on request, and slowly behind the requests, a few entries in each quiet minute. What it
 * finds stays found until a later look at the same entry finds it well.
 */
export class Scrub {
  readonly #parts: Parts;
  readonly #altered = new Set<string>();
  readonly #unreadable = new Set<string>();
  /** Ids that this round has still to look at. */
  #left: string[] = [];
  #round: { readonly at: number; readonly started: number; checked: number } | undefined;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;
  #closed = false;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#wait();
  }

  /** Says what was found and is still so; undefined when all is well. */
  degraded(): string | undefined {
    const [altered, unreadable] = [this.#altered.size, this.#unreadable.size];
    if (altered + unreadable === 0) return undefined;
    const entries = (count: number): string => `${count.toLocaleString('en-US')} ${count === 1 ? 'entry' : 'entries'}`;
    return `${entries(altered)} not as saved and ${entries(unreadable)} unreadable on the disk: \`lore verify\` names them.`;
  }

  /** Looks at every entry, and at the archive, now. Ends early once `signal` says so, with what it has seen. */
  async verify(signal?: AbortSignal): Promise<VerifyReport> {
    const { store } = this.#parts;
    const started = performance.now();
    const found: Verified[] = [];
    const ids = store.directory.known().map(({ id }) => id);
    for (let start = 0; start < ids.length && !this.#closed; start += ROWS_AT_ONCE) {
      if (signal?.aborted === true) break;
      found.push(await this.#look(ids.slice(start, start + ROWS_AT_ONCE)));
    }
    found.push(await store.verification.archive());
    const all = (pick: (verified: Verified) => readonly string[]): string[] => found.flatMap(pick).slice(0, MOST_IDS);
    return {
      checked: found.reduce((sum, { checked }) => sum + checked, 0),
      altered: all(({ altered }) => altered),
      unreadable: all(({ unreadable }) => unreadable),
      ms: Math.round(performance.now() - started),
    };
  }

  /** Stops after the entries in hand. */
  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#timer);
    await this.#running;
  }

  #wait(): void {
    const { background, intervalMs } = this.#parts;
    if (!background || intervalMs === 0 || this.#closed) return;
    this.#timer = setTimeout(
      () => {
        this.#running = this.#tick(Math.min(TICK_MS, intervalMs) / intervalMs)
          .catch((error: unknown) =>
            this.#parts.log.warn({ error: String(error) }, 'looking after what is stored stopped; it goes on later'),
          )
          .finally(() => this.#wait());
      },
      Math.min(TICK_MS, intervalMs),
    ).unref();
  }

  /** Looks at this share of all entries, unless there is other work to do. */
  async #tick(share: number): Promise<void> {
    const { store } = this.#parts;
    if (store.maintenance !== 'idle') return;
    if (this.#round === undefined) {
      this.#left = store.directory.known().map(({ id }) => id);
      this.#round = { at: Date.now(), started: performance.now(), checked: 0 };
    }
    const rows = Math.min(MOST_TICK_ROWS, Math.max(1, Math.ceil(store.directory.size * share)));
    for (let done = 0; done < rows && this.#left.length > 0 && !this.#closed; done += ROWS_AT_ONCE) {
      const { checked } = await this.#look(this.#left.splice(0, Math.min(ROWS_AT_ONCE, rows - done)));
      this.#round.checked += checked;
    }
    if (this.#left.length === 0 && !this.#closed) this.#endRound(this.#round);
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
      for (const id of found) if (known.size < MOST_IDS) known.add(id);
      if (found.length > 0) this.#parts.log.warn({ ids: found.slice(0, 20) }, 'entries on the disk are not what was saved');
    }
    return verified;
  }
}
