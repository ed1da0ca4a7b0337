import type { Log } from '../../../memory/log.ts';
import type { SharedLog } from './shared-log.ts';

interface LeaseSettings {
  readonly shared: Pick<SharedLog, 'isHolder' | 'lost' | 'beat' | 'takeLease' | 'renewPresence' | 'release'>;
  readonly leaseMs: number;
  readonly log: Log;
}

/** A holder with one missed or slow heartbeat is not replaced yet. */
const TURNS_PER_LEASE = 3;

/**
 * Manages the lease of the maintaining server: sends heartbeats while this server holds it, and takes a free one. Every turn reads the
 * log, so that an idle server also sees heartbeats and stays up to date. `isHolder` of the log tells whether this server has the lease;
 * it becomes false if heartbeats fail.
 */
export class LeaseKeeper {
  readonly #settings: LeaseSettings;
  #timer: NodeJS.Timeout | undefined;
  #turn: Promise<void> | undefined;
  #isStopped = false;
  #wasHolder = false;

  constructor(settings: LeaseSettings) {
    this.#settings = settings;
  }

  /** The first turn is immediate. */
  start(): void {
    if (this.#isStopped || this.#turn !== undefined) return;
    this.#turn = this.#keep();
  }

  /** Releases the lease. Resolves after the last turn; if the store does not respond, the lease expires instead. Safe to repeat. */
  async stop(): Promise<void> {
    if (this.#isStopped) return await this.#turn;
    this.#isStopped = true;
    clearTimeout(this.#timer);
    this.#turn = (this.#turn ?? Promise.resolve()).then(async () => {
      await this.#settings.shared.release().catch((error: unknown) => this.#note(error));
    });
    await this.#turn;
  }

  async #keep(): Promise<void> {
    const { shared, leaseMs } = this.#settings;
    try {
      const isHolder = shared.isHolder ? await shared.beat() : await shared.takeLease();
      this.#tellChange(isHolder);
      if (!isHolder) await shared.renewPresence();
    } catch (error) {
      this.#note(error);
      this.#tellChange(shared.isHolder);
    }
    if (this.#isStopped || shared.lost) return;
    this.#timer = setTimeout(() => {
      this.#turn = this.#keep();
    }, leaseMs / TURNS_PER_LEASE);
    this.#timer.unref();
  }

  #tellChange(isHolder: boolean): void {
    if (isHolder === this.#wasHolder) return;
    this.#wasHolder = isHolder;
    this.#settings.log.info({}, isHolder ? 'This server maintains the store now.' : 'This server no longer maintains the store.');
  }

  #note(error: unknown): void {
    this.#settings.log.warn({ err: error }, 'The lease of the store could not be kept up; it is tried again.');
  }
}
