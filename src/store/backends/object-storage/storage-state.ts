import { LoreError } from '../../../memory/errors.ts';

interface StorageStateSettings {
  /** Work fails once there was no response for this long, milliseconds. */
  readonly timeoutMs: number;
  /** Monotonic clock, milliseconds. */
  readonly now?: () => number;
}

/** The probes for times without requests. */
interface Probes {
  /** A small read. */
  readonly read: () => Promise<unknown>;
  /** A small write that changes nothing, or undefined while none may be made yet; absent in a process that only writes on request. */
  readonly write?: () => Promise<unknown> | undefined;
}

const TICK_MS = 500;
/** Time without a call after which a probe is sent. */
const IDLE_MS = 2_000;
/** A call without a response for this long makes the store degraded. */
const SILENT_MS = 2_000;
/** Interval between attempts to write after a failure. */
const WRITE_AGAIN_MS = 5_000;
const RETRY_SECONDS = 5;

/**
 * The known state of object storage, from regular calls and background probes. Health, readiness and metrics read it and never wait for
 * the storage; it also ends requests that wait too long.
 */
export class StorageState {
  readonly #timeoutMs: number;
  readonly #now: () => number;
  readonly #waiting = new Set<(error: LoreError) => void>();
  #probes: Probes | undefined;
  #timer: NodeJS.Timeout | undefined;
  #pending = 0;
  #calledAt: number;
  /** Start of the first call since the last response. */
  #unansweredSince: number | undefined;
  #readFault: string | undefined;
  #writeFault: string | undefined;
  #wroteAt = -Infinity;
  #isWriteKnown = false;
  #isWriting = false;

  constructor({ timeoutMs, now = () => performance.now() }: StorageStateSettings) {
    this.#timeoutMs = timeoutMs;
    this.#now = now;
    this.#calledAt = now();
  }

  /** Starts background probes. */
  begin(probes: Probes): void {
    this.#probes = probes;
    this.#timer ??= setInterval(() => this.tick(), TICK_MS).unref();
  }

  /** Why the store cannot be used now; undefined if no problem is known. */
  get fault(): string | undefined {
    const silentMs = this.#silentMs;
    if (this.#readFault !== undefined) return this.#readFault;
    if (silentMs >= SILENT_MS) return `Object storage has not answered for ${Math.floor(silentMs / 1000)} s.`;
    return this.#writeFault;
  }

  /** Watches a call to the storage. */
  async during<Result>(call: Promise<Result>): Promise<Result> {
    this.#calledAt = this.#now();
    this.#unansweredSince ??= this.#calledAt;
    this.#pending += 1;
    try {
      const result = await call;
      this.#answered();
      return result;
    } catch (error) {
      if (error instanceof LoreError && error.code === 'unavailable') this.#readFault = error.message;
      else this.#answered();
      throw error;
    } finally {
      this.#pending -= 1;
    }
  }

  /** Watches a write, in addition to the call: some credentials are read-only. */
  async writing<Result>(write: Promise<Result>): Promise<Result> {
    this.#wroteAt = this.#now();
    try {
      const result = await write;
      this.#isWriteKnown = true;
      this.#writeFault = undefined;
      return result;
    } catch (error) {
      this.#isWriteKnown = true;
      this.#writeFault = error instanceof Error ? error.message : String(error);
      throw error;
    }
  }

  /** Runs work; rejects with `unavailable` if the storage does not respond for `timeoutMs`. The work may still complete. */
  async unlessSilent<Result>(begin: () => Promise<Result>): Promise<Result> {
    if (this.#silentMs >= this.#timeoutMs) throw this.#silence();
    let end: (error: LoreError) => void = () => undefined;
    const silence = new Promise<never>((_, reject) => this.#waiting.add((end = reject)));
    try {
      return await Promise.race([begin(), silence]);
    } finally {
      this.#waiting.delete(end);
    }
  }

  /** One check of the clock. */
  tick(): void {
    if (this.#silentMs >= this.#timeoutMs) for (const end of this.#waiting) end(this.#silence());
    const { read, write } = this.#probes ?? {};
    const now = this.#now();
    // `during` and `writing` record the result of a probe.
    if (read !== undefined && now - this.#calledAt >= IDLE_MS) this.during(read()).catch(() => undefined);
    const isWriteOpen = !this.#isWriteKnown || this.#writeFault !== undefined;
    if (write === undefined || !isWriteOpen || this.#isWriting || now - this.#wroteAt < WRITE_AGAIN_MS) return;
    const tried = write();
    if (tried === undefined) return;
    this.#isWriting = true;
    this.writing(tried)
      .catch(() => undefined)
      .finally(() => (this.#isWriting = false));
  }

  close(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#probes = undefined;
  }

  get #silentMs(): number {
    return this.#unansweredSince === undefined ? 0 : this.#now() - this.#unansweredSince;
  }

  #answered(): void {
    this.#readFault = undefined;
    this.#unansweredSince = this.#pending > 1 ? this.#now() : undefined;
  }

  #silence(): LoreError {
    const seconds = Math.floor(this.#silentMs / 1000);
    return new LoreError('unavailable', this.#readFault ?? `Object storage has not answered for ${seconds} s.`, {
      hint: 'Check that the object storage is reachable; storage.timeoutMs sets how long Lore waits for it. A change may have been made.',
      retryAfterSeconds: RETRY_SECONDS,
    });
  }
}
