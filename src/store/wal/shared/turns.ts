/** What one append is taken to last until one was timed, and within which bounds it is believed, milliseconds. */
const FIRST_SLOT_MS = 50;
const SHORTEST_SLOT_MS = 10;
const LONGEST_SLOT_MS = 250;
/** Share of the newest time in what an append is taken to last. */
const NEWEST_SHARE = 1 / 4;
/** One that met with another takes ten times as long, and says nothing of those that do not. */
const MOST_GROWTH = 2;
/** How long a turn stays with its server: too short costs both such a meeting. */
const TURN_SLOTS = 3;
/** Who is next looks so often for what the one before it writes. */
const LOOKS_PER_SLOT = 3;
/** How long an append is waited for before a look whether it can still count: where others append, and where no other is known. */
const PATIENCE_SLOTS = 2;
const LEAST_PATIENCE_MS = 40;
const LONE_PATIENCE_MS = 500;
/** Who has written nothing for so many turns of each has nothing to write. */
const ACTIVE_ROUNDS = 3;

/**
 * Turns of servers to append records. Of two concurrent batches one is void, and both commits take ten times as long, so writing servers
 * take turns in the order of their names, based on the log. Correctness does not depend on it.
 */
export class Turns {
  readonly #own: string;
  readonly #now: () => number;
  /** Server -> when a batch of it was read last. */
  readonly #seenAt = new Map<string, number>();
  /** Whose batch was the last that counted, and when it was read. */
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

  /** How long to wait for an append before a look whether another came first: one that met with no other takes less, milliseconds. */
  get patienceMs(): number {
    return this.hasRivals ? Math.max(LEAST_PATIENCE_MS, PATIENCE_SLOTS * this.#slotMs) : LONE_PATIENCE_MS;
  }

  /** Whether other servers append too. */
  get hasRivals(): boolean {
    return this.#rivals().length > 0;
  }

  /** When to look again for what others wrote, of a wait that may end with it: often where it is the next one's turn, milliseconds. */
  lookMs(waitMs: number): number {
    const ahead = Math.ceil(waitMs / (TURN_SLOTS * this.#slotMs));
    return Math.min(waitMs, Math.max(1 / LOOKS_PER_SLOT, ahead - 1) * this.#slotMs);
  }

  /** A batch of records was read. */
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
    // Who let a turn pass is waited for again once it writes again.
    for (const passed of ahead) this.#seenAt.delete(passed);
    return 0;
  }

  #rivals(): string[] {
    const since = this.#now() - ACTIVE_ROUNDS * (this.#seenAt.size + 1) * TURN_SLOTS * this.#slotMs;
    for (const [server, at] of this.#seenAt) if (at < since) this.#seenAt.delete(server);
    return [...this.#seenAt.keys()].filter((server) => server !== this.#own);
  }
}
