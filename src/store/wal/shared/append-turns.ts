/** Assumed duration of an append until one was measured, and the bounds of the estimate, milliseconds. */
const FIRST_SLOT_MS = 50;
const SHORTEST_SLOT_MS = 10;
const LONGEST_SLOT_MS = 250;
/** Weight of the newest duration in the estimate. */
const NEWEST_SHARE = 1 / 4;
/** An append with a conflict takes ten times as long, and is no measure for others. */
const MOST_GROWTH = 2;
/** How long a turn lasts: a short one causes such conflicts for both. */
const TURN_SLOTS = 3;
/** How often the next server checks for the rows of the current one. */
const POLLS_PER_SLOT = 3;
/** How long to wait for an append before checking whether it can still count: if other servers append, and if none is known. */
const PATIENCE_SLOTS = 2;
const LEAST_PATIENCE_MS = 40;
const LONE_PATIENCE_MS = 500;
/** A server that has written nothing for this many turns has nothing to write. */
const ACTIVE_ROUNDS = 3;

/**
 * Turns of servers to append records. Of two concurrent batches one is void, and both commits take ten times as long, so writing servers
 * take turns in the order of their names, based on the log. Correctness does not depend on it.
 */
export class AppendTurns {
  readonly #own: string;
  readonly #now: () => number;
  /** Server -> time when its last batch was read. */
  readonly #seenAt = new Map<string, number>();
  /** The server of the last batch that counted, and when it was read. */
  #last: { readonly server: string; readonly at: number } | undefined;
  #slotMs = FIRST_SLOT_MS;

  constructor(own: string, now: () => number = () => performance.now()) {
    this.#own = own;
    this.#now = now;
  }

  /** Approximate duration of an append, milliseconds. */
  get slotMs(): number {
    return this.#slotMs;
  }

  /** How long to wait for an append before checking whether another came first: one without conflict takes less, milliseconds. */
  get patienceMs(): number {
    return this.hasRivals ? Math.max(LEAST_PATIENCE_MS, PATIENCE_SLOTS * this.#slotMs) : LONE_PATIENCE_MS;
  }

  /** Whether other servers append too. */
  get hasRivals(): boolean {
    return this.#rivals().length > 0;
  }

  /** When to check again for rows of others, for a wait that may end with them: often if this server is next, milliseconds. */
  lookMs(waitMs: number): number {
    const ahead = Math.ceil(waitMs / (TURN_SLOTS * this.#slotMs));
    return Math.min(waitMs, Math.max(1 / POLLS_PER_SLOT, ahead - 1) * this.#slotMs);
  }

  /** Records that a batch was read. */
  note(server: string, counts: boolean): void {
    const at = this.#now();
    this.#seenAt.set(server, at);
    if (counts) this.#last = { server, at };
  }

  /** Records the duration of an append of this server. */
  time(tookMs: number): void {
    const slot = this.#slotMs + NEWEST_SHARE * (Math.min(tookMs, MOST_GROWTH * this.#slotMs) - this.#slotMs);
    this.#slotMs = Math.min(LONGEST_SLOT_MS, Math.max(SHORTEST_SLOT_MS, slot));
  }

  /** Remaining time of the other servers' turn, unless one of their batches is read earlier; 0 if it is this server's turn. */
  waitMs(): number {
    const rivals = this.#rivals();
    if (rivals.length === 0 || this.#last === undefined) return 0;
    const { server, at } = this.#last;
    const ring = [...rivals, this.#own].toSorted();
    const first = Math.max(
      ring.findIndex((candidate) => candidate > server),
      0,
    );
    const order = [...ring.slice(first), ...ring.slice(0, first)];
    const ahead = order.slice(0, order.indexOf(this.#own));
    const waitMs = at + ahead.length * TURN_SLOTS * this.#slotMs - this.#now();
    if (waitMs > 0) return waitMs;
    // A server that skipped its turn is waited for again once it writes again.
    for (const passed of ahead) this.#seenAt.delete(passed);
    return 0;
  }

  #rivals(): string[] {
    const since = this.#now() - ACTIVE_ROUNDS * (this.#seenAt.size + 1) * TURN_SLOTS * this.#slotMs;
    for (const [server, at] of this.#seenAt) if (at < since) this.#seenAt.delete(server);
    return [...this.#seenAt.keys()].filter((server) => server !== this.#own);
  }
}
