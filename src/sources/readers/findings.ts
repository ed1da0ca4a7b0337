/** Names kept of each kind of thing that was left out. */
const MAX_NAMES = 20;

/** Things of one kind that were not taken over. */
export interface LeftOut {
  /** Plural, as in `columns`. */
  readonly what: string;
  readonly count: number;
  /** The first 20 different ones. */
  readonly names: readonly string[];
}

/** What a reader finds on its way besides entries: how much there is of everything, and what it leaves out. */
export class Findings {
  readonly #found = new Map<string, number>();
  readonly #leftOut = new Map<string, { count: number; names: Set<string> }>();

  /** Counts things by their plural. */
  count(what: string, amount = 1): void {
    this.#found.set(what, (this.#found.get(what) ?? 0) + amount);
  }

  /** Notes that something is not taken over. */
  leaveOut(what: string, name?: string, amount = 1): void {
    const entry = this.#leftOut.get(what) ?? { count: 0, names: new Set<string>() };
    entry.count += amount;
    if (name !== undefined && entry.names.size < MAX_NAMES) entry.names.add(name.slice(0, 100));
    this.#leftOut.set(what, entry);
  }

  get found(): Readonly<Record<string, number>> {
    return Object.fromEntries(this.#found);
  }

  get leftOut(): readonly LeftOut[] {
    return [...this.#leftOut].map(([what, { count, names }]) => ({ what, count, names: [...names] }));
  }
}
