import type { Tombstone } from '../../memory/tombstone.ts';

/** How long tombstones are kept. */
export interface TombstoneLimits {
  /** Milliseconds. */
  readonly keptMs: number;
  /** Epoch milliseconds; default the system clock. */
  readonly now?: () => number;
}

/** The columns of a row of the table of tombstones. */
type TombstoneRow = { readonly key: string } & Readonly<Record<string, string | number>>;

const DEFAULT_KEPT_MS = 180 * 86_400_000;

/** Every tombstone in memory, about 200 bytes each. An expired one has no effect, even before it is dropped. */
export class Tombstones {
  readonly #keptMs: number;
  readonly #now: () => number;
  readonly #all = new Map<string, Tombstone>();

  constructor({ keptMs, now = Date.now }: TombstoneLimits = { keptMs: DEFAULT_KEPT_MS }) {
    this.#keptMs = keptMs;
    this.#now = now;
  }

  /** Loads the table. */
  load(rows: readonly TombstoneRow[]): void {
    for (const { key: id, namespace, deleted_at: at } of rows) this.#all.set(id, { id, namespace: String(namespace), at: Number(at) });
  }

  get(id: string): Tombstone | undefined {
    const tombstone = this.#all.get(id);
    return tombstone === undefined || this.isOutdated(tombstone) ? undefined : tombstone;
  }

  *of(namespace: string): Generator<Tombstone> {
    for (const tombstone of this.#all.values()) {
      if (tombstone.namespace === namespace && !this.isOutdated(tombstone)) yield tombstone;
    }
  }

  /** Whether there is one, expired or not. */
  has(id: string): boolean {
    return this.#all.has(id);
  }

  ids(): IterableIterator<string> {
    return this.#all.keys();
  }

  set(tombstone: Tombstone): void {
    this.#all.set(tombstone.id, tombstone);
  }

  delete(id: string): void {
    this.#all.delete(id);
  }

  /** The time before which tombstones are no longer known. */
  get horizon(): number {
    return this.#now() - this.#keptMs;
  }

  isOutdated({ at }: Pick<Tombstone, 'at'>): boolean {
    return at <= this.horizon;
  }

  /** Drops expired tombstones; returns them. */
  dropOutdated(): string[] {
    const dropped: string[] = [];
    for (const tombstone of this.#all.values()) if (this.isOutdated(tombstone)) dropped.push(tombstone.id);
    for (const id of dropped) this.#all.delete(id);
    return dropped;
  }
}
