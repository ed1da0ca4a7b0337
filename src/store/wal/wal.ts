import type { EntriesHead } from '../format/checkpoint.ts';
import type { JournalRecord } from '../format/log-record.ts';

/** The tables as they hold all up to a part of the ledger. */
export interface Written {
  readonly entries: EntriesHead;
  /** Versions of the tables beside the entries, by name. */
  readonly sides: Readonly<Record<string, number>>;
}

/** That what came before it and is in no part yet is a part now. */
export interface PartEnd {
  readonly op: 'seal';
  readonly part: number;
}

/** Anyone who follows a ledger is told of everything in its order. */
export interface LedgerFollower {
  /** These came next. */
  records(records: readonly JournalRecord[]): void;
  seal(end: PartEnd): void;
  /** Another process has written all up to this part, or a later one, to the tables. */
  written(part: number, written: Written): void;
  /** This process maintains the tables from now on, or does not any more. */
  duty(): void;
}

/** What was acknowledged, in one order; the tables get it later, a part at a time. */
export interface Ledger {
  /** Whether nothing can be appended until the store is opened again. */
  readonly isBroken: boolean;
  /** Whether something of it was found damaged, and is found again until all of it is in the tables. */
  readonly hasDamage: boolean;
  /** What is not in the tables yet, bytes; undefined where nobody counts. */
  readonly bytes: number | undefined;
  /** Rises with every append that is told. */
  readonly told: number;
  /** Whether it is this process that moves what waits into the tables. */
  readonly maintains: boolean;
  /** Whether it has become slow, which writing the tables mends. */
  readonly isLong: boolean;
  /** One can follow. */
  follow(follower: LedgerFollower): void;
  /** The follower is ready for what comes in the background too. */
  begin(): void;
  /** Resolves once everything that counts so far was told: what is decided next is decided on all of it. */
  catchUp(): Promise<void>;
  /** The same, and when it is this process's turn to append: those who do it at once would be in each other's way. Rejects with `unavailable`. */
  turn(): Promise<void>;
  /**
   * Makes records safe that were decided when `told` was this. Resolves with whether they count, and then they were told: where something else
   * came first they do not, and have to be decided again. Rejects where they are not safe; then nothing of them is seen.
   */
  append(records: readonly JournalRecord[], told: number): Promise<boolean>;
  /** Throws where the tables are not this process's to write any more. */
  requireHeld(): void;
  /** Takes up maintenance, where nobody else is at it. Whether this process maintains now. */
  takeOver(): Promise<boolean>;
  /** Only who maintains, and between two appends: ends a part, which is told. Rejects with `unavailable` where another maintains by now. */
  closePart(): Promise<void>;
  /** Whether a part that was closed may still be published. */
  isOpen(part: number): boolean;
  /** Makes these versions the ones that hold all up to this part, for others too. Rejects with `unavailable` where another maintains by now. */
  publish(part: number, written: Written): Promise<void>;
  /** The tables hold all up to this part, and are secured. */
  drop(part: number): Promise<void>;
  close(): Promise<void>;
}
