import { LoreError } from '../../../memory/errors.ts';
import type { Log } from '../../../memory/log.ts';
import type { LogRecord } from '../../format/log-record.ts';
import { FORMAT_VERSION } from '../../format/schema.ts';
import type { Wal, LogFollower, SegmentEnd, WrittenVersions } from '../wal.ts';
import { LeaseKeeper } from './lease.ts';
import type { LogEvent, LogPosition } from './log-row.ts';
import type { SharedLog } from './shared-log.ts';

interface Settings {
  readonly leaseMs: number;
  /** Whether this process keeps the lease if nobody else does: right for a server, wrong for a short command. */
  readonly mayMaintain: boolean;
  readonly log: Log;
  /** Called once if this process was away for too long and must reopen the store. */
  readonly onLost: () => void;
}

/** Rows from which each append is slow enough to start a new segment: an append lists all earlier rows, and writes that list again. */
const LONG_SEGMENT_ROWS = 256;
/** Or this many bytes to read when the store is opened. */
const LONG_SEGMENT_BYTES = 64 * 1024 * 1024;

/** The shared log as the write-ahead log of this process. Its segments end at the marks of the log. */
export class SharedWal implements Wal {
  readonly hasDamage = false;
  readonly bytes = undefined;
  readonly #shared: SharedLog;
  readonly #settings: Settings;
  readonly #keeper: LeaseKeeper;
  #follower: LogFollower | undefined;
  #reported = 0;
  #hasBegun = false;
  /** Number of the last closed segment; 0 is the checkpoint at the opening. */
  #part = 0;
  #mark: LogPosition;
  #isOwnMark = false;
  /** Set while this process writes a checkpoint: whether it was reported. */
  #publishing: { isReported: boolean } | undefined;
  #isLost = false;

  constructor(shared: SharedLog, settings: Settings) {
    this.#shared = shared;
    this.#settings = settings;
    this.#mark = shared.beginning.mark;
    this.#keeper = new LeaseKeeper({ shared: this.#watched(), leaseMs: settings.leaseMs, log: settings.log });
  }

  /** Records since the last checkpoint. */
  beginning(): (LogRecord | SegmentEnd)[] {
    return this.#shared.beginning.events.flatMap((event): (LogRecord | SegmentEnd)[] => {
      if (event.kind === 'records') return [...event.records];
      return event.kind === 'mark' ? [this.#endPart(event.position)] : [];
    });
  }

  get isBroken(): boolean {
    return this.#shared.lost;
  }

  get reported(): number {
    return this.#reported;
  }

  get maintains(): boolean {
    return this.#shared.isHolder;
  }

  get servers(): number {
    return this.#shared.servers;
  }

  get isLong(): boolean {
    const { segmentBytes, segmentsSinceCheckpoint: segmentsSinceHead } = this.#shared;
    // A segment was started after the checkpoint was written.
    return this.#isSlow || segmentBytes >= LONG_SEGMENT_BYTES || segmentsSinceHead > 1;
  }

  get #isSlow(): boolean {
    return this.#shared.segmentRows >= LONG_SEGMENT_ROWS;
  }

  follow(follower: LogFollower): void {
    this.#follower = follower;
  }

  /** Starts managing the lease, and reporting changes of other servers in the background. */
  begin(): void {
    this.#hasBegun = true;
    if (this.#settings.mayMaintain) this.#keeper.start();
  }

  /** Whether a follower is set, which receives the events. */
  get hasBegun(): boolean {
    return this.#hasBegun;
  }

  /** Handles an event of the log. */
  hear(event: LogEvent): void {
    if (event.kind === 'records') {
      this.#reported += 1;
      this.#follower?.records(event.records);
    } else if (event.kind === 'mark') {
      this.#isOwnMark = event.server === this.#shared.server;
      this.#follower?.freeze(this.#endPart(event.position));
    } else if (event.kind === 'head') {
      if (this.#publishing !== undefined && event.server === this.#shared.server) this.#publishing.isReported = true;
      else this.#follower?.written(this.#part, event.head);
    }
  }

  async catchUp(): Promise<void> {
    await this.#guard(this.#shared.refresh());
  }

  async turn(): Promise<void> {
    await this.#guard(this.#shared.turn());
  }

  async append(records: readonly LogRecord[], reported: number): Promise<boolean> {
    // Later events were not known when this was decided.
    if (reported !== this.#reported) return false;
    return await this.#guard(this.#shared.append(records));
  }

  async takeOver(): Promise<boolean> {
    const isHolder = await this.#guard(this.#shared.takeLease());
    // Also if it is taken for one task, which may take longer than the lease.
    if (isHolder) this.#keeper.start();
    return isHolder;
  }

  requireHeld(): void {
    if (!this.maintains) throw replaced();
  }

  async closePart(): Promise<void> {
    if ((await this.#guard(this.#shared.mark())) === undefined) throw replaced();
  }

  isOpen(part: number): boolean {
    return part === this.#part && this.#isOwnMark && this.#shared.isHolder;
  }

  async publish(part: number, written: WrittenVersions): Promise<void> {
    if (!this.isOpen(part)) throw replaced();
    const publishing = (this.#publishing = { isReported: false });
    try {
      const counts = await this.#guard(this.#shared.publish(this.#mark, { ...written, format: FORMAT_VERSION }));
      if (!counts) throw replaced();
    } catch (error) {
      // It counts, even if the response was lost.
      if (!publishing.isReported) throw error;
    } finally {
      this.#publishing = undefined;
    }
  }

  async drop(): Promise<void> {
    if (this.isLong) await this.#guard(this.#shared.closeSegment());
    await this.#guard(this.#shared.trim());
  }

  /** If writers leave no quiet moment for a checkpoint, a new segment keeps appends fast. */
  async #beginSegment(): Promise<void> {
    try {
      await this.#guard(this.#shared.closeSegment());
    } catch (error) {
      this.#settings.log.warn({ err: error }, 'The log of the store could not be continued in a new part; it is tried again.');
    }
  }

  async close(): Promise<void> {
    await this.#keeper.stop();
    await this.#shared.close();
  }

  #endPart(mark: LogPosition): SegmentEnd {
    this.#mark = mark;
    this.#part += 1;
    return { op: 'freeze', segment: this.#part };
  }

  /** The lease as last reported, to detect changes. */
  #watched(): ConstructorParameters<typeof LeaseKeeper>[0]['shared'] {
    const shared = this.#shared;
    const turn = async (step: Promise<boolean>): Promise<boolean> => {
      const isHolder = await this.#guard(step);
      this.#follower?.duty();
      return isHolder;
    };
    const beat = async (): Promise<boolean> => {
      const isHolder = await turn(shared.beat());
      if (isHolder && this.#isSlow) await this.#beginSegment();
      return isHolder;
    };
    return {
      get isHolder() {
        return shared.isHolder;
      },
      get lost() {
        return shared.lost;
      },
      beat,
      takeLease: () => turn(shared.takeLease()),
      renewPresence: () => this.#guard(shared.renewPresence()),
      release: () => shared.release(),
    };
  }

  async #guard<Result>(call: Promise<Result>): Promise<Result> {
    try {
      return await call;
    } catch (error) {
      if (this.#shared.lost && !this.#isLost) {
        this.#isLost = true;
        this.#settings.onLost();
      }
      throw error;
    }
  }
}

function replaced(): LoreError {
  return new LoreError('unavailable', 'Another server now maintains the store.', { retryAfterSeconds: 5 });
}
