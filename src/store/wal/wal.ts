import type { EntriesVersions } from '../format/checkpoint.ts';
import type { LogRecord } from '../format/log-record.ts';
import type { VectorSpace } from '../format/vector-space.ts';

/** Table versions that contain all changes up to a segment of the log. */
export interface WrittenVersions {
  readonly entries: EntriesVersions;
  /** Versions of the auxiliary tables, by name. */
  readonly sides: Readonly<Record<string, number>>;
  /** The space of the vectors since the last change of the model; undefined before the first one. */
  readonly space?: VectorSpace | undefined;
}

/** The end of a segment: all records since the last end belong to it. */
export interface SegmentEnd {
  readonly op: 'freeze';
  readonly segment: number;
}

/** A follower of the log, called for everything in order. */
export interface LogFollower {
  /** Called with the next events. */
  records(records: readonly LogRecord[]): void;
  freeze(end: SegmentEnd): void;
  /** Another process has flushed everything up to this segment, or a later one. */
  written(part: number, written: WrittenVersions): void;
  /** This process starts or stops maintaining the tables. */
  duty(): void;
}

/** The write-ahead log: acknowledged changes in order; they are flushed to the tables one segment at a time. */
export interface Wal {
  /** Whether appends fail until the store is reopened. */
  readonly isBroken: boolean;
  /** Whether damage was found, which every start detects again until everything is flushed. */
  readonly hasDamage: boolean;
  /** Unflushed bytes; undefined if not counted. */
  readonly bytes: number | undefined;
  /** Increases with every reported append. */
  readonly reported: number;
  /** Whether this process flushes to the tables. */
  readonly maintains: boolean;
  /** Number of servers that use the store, as far as known; absent if only this process can. */
  readonly servers?: number;
  /** Whether it has become slow, which a flush fixes. */
  readonly isLong: boolean;
  /** Sets the follower. */
  follow(follower: LogFollower): void;
  /** Starts background events for the follower. */
  begin(): void;
  /** Resolves when all changes so far were reported, so that the next decision includes them. */
  catchUp(): Promise<void>;
  /** Like `catchUp`, but also waits for this process's turn to append. Rejects with `unavailable`. */
  turn(): Promise<void>;
  /**
   * Appends records that were decided at this value of `reported`. Resolves with true if they count, after reporting them, or false if
   * another change came first; then decide again. Rejects if they are not durable; then they are not visible.
   */
  append(records: readonly LogRecord[], reported: number): Promise<boolean>;
  /** Throws if this process may no longer write the tables. */
  requireHeld(): void;
  /** Starts maintenance if no other server does it. Returns whether this process maintains now. */
  takeOver(): Promise<boolean>;
  /**
   * Ends a segment and reports it. Only for the maintainer, between two appends. Rejects with `unavailable` if another server maintains
   * now.
   */
  closePart(): Promise<void>;
  /** Whether a closed segment may still be published. */
  isOpen(part: number): boolean;
  /** Publishes these versions, which contain everything up to this segment. Rejects with `unavailable` if another server maintains now. */
  publish(part: number, written: WrittenVersions): Promise<void>;
  /** Drops the log up to this segment, which is durable in the tables. */
  drop(part: number): Promise<void>;
  close(): Promise<void>;
}
