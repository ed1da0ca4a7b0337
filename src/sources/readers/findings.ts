/** Maximum number of names per kind of omission. */
const MAX_NAMES = 20;

/** Omissions of one kind. */
export interface LeftOut {
  /** Kind in the plural, such as `columns`. */
  readonly what: string;
  readonly count: number;
  /** The first 20 distinct names. */
  readonly names: readonly string[];
}

/** Collects what a reader reports besides entries: counts and omissions. */
export class Findings {
  readonly #found = new Map<string, number>();
  readonly #leftOut = new Map<string, { count: number; names: Set<string> }>();

  /** Adds to the count of a kind, named in the plural. */
  count(what: string, amount = 1): void {
    this.#found.set(what, (this.#found.get(what) ?? 0) + amount);
  }

  /** Records an omission. */
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
