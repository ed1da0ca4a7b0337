import type { LogRow } from './log-row.ts';

/** A row of these kinds tells that its server is in use. Other rows may be of a short command. */
const SIGNS: ReadonlySet<LogRow['kind']> = new Set(['lease', 'beat', 'mark', 'head']);

interface Settings {
  /** Time without a sign after which a server no longer counts, milliseconds. */
  readonly silentMs: number;
  /** Monotonic clock, milliseconds. */
  readonly now: () => number;
}

/** The servers that use the store, as far as the log was read. Only for people: nothing is decided by it. */
export class LiveServers {
  readonly #settings: Settings;
  /** Server -> time of its last sign. */
  readonly #signs = new Map<string, number>();

  constructor(settings: Settings) {
    this.#settings = settings;
  }

  /** Number of servers with a recent sign. */
  get count(): number {
    const since = this.#settings.now() - this.#settings.silentMs;
    for (const [server, at] of this.#signs) if (at < since) this.#signs.delete(server);
    return this.#signs.size;
  }

  /** Records a row. `ageMs`: how long ago it was written. */
  note({ kind, server }: Pick<LogRow, 'kind' | 'server'>, ageMs = 0): void {
    if (kind === 'release') this.#signs.delete(server);
    else if (SIGNS.has(kind)) this.#signs.set(server, this.#settings.now() - ageMs);
  }
}
