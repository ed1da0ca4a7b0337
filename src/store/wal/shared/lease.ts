import type { Log } from '../../../memory/log.ts';
import type { SharedLog } from './shared-log.ts';

interface LeaseSettings {
  readonly shared: Pick<SharedLog, 'isHolder' | 'lost' | 'beat' | 'takeLease' | 'release'>;
  readonly leaseMs: number;
  readonly log: Log;
}

/** A holder that misses one beat, or whose beat is slow, is not replaced yet. */
const TURNS_PER_LEASE = 3;

/**
 * Keeps the lease of the maintainer: beats while this server has it, and takes it where nobody does. Every turn reads the log, so that a server without
 * requests sees beats too, and never falls behind. Whether this server has the lease says `isHolder` of the log, by itself false when the beats fail.
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

  /** The first turn is at once. */
  start(): void {
    if (this.#isStopped || this.#turn !== undefined) return;
    this.#turn = this.#keep();
  }

  /** Gives the lease back. Resolves when the last turn is over; where the store does not answer the lease runs out instead. Safe to repeat. */
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
      this.#tellChange(shared.isHolder ? await shared.beat() : await shared.takeLease());
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
    this.#settings.log.info(
      {},
      isHolder ? 'This server looks after the store now.' : 'This server does not look after the store any more.',
    );
  }

  #note(error: unknown): void {
    this.#settings.log.warn({ err: error }, 'The lease of the store could not be kept up; it is tried again.');
  }
}
