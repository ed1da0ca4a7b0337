import { journalFiles, type Journal } from './log-files.ts';
import type { JournalRecord } from '../format/log-record.ts';
import type { Ledger, LedgerFollower } from './wal.ts';

/** The write-ahead log of an exclusive store: every append counts. Its segments are files. */
export class FolderLedger implements Ledger {
  readonly told = 0;
  readonly maintains = true;
  readonly isLong = false;
  readonly #path: string;
  readonly #journal: Journal;
  #follower: Pick<LedgerFollower, 'records' | 'seal'> | undefined;

  constructor(path: string, journal: Journal) {
    this.#path = path;
    this.#journal = journal;
  }

  get isBroken(): boolean {
    return this.#journal.isBroken;
  }

  get hasDamage(): boolean {
    return this.#journal.hasDamage;
  }

  get bytes(): number {
    return journalFiles(this.#path).reduce((sum, { bytes }) => sum + bytes, 0);
  }

  follow(follower: LedgerFollower): void {
    this.#follower = follower;
  }

  begin(): void {}

  catchUp(): Promise<void> {
    return Promise.resolve();
  }

  turn(): Promise<void> {
    return Promise.resolve();
  }

  async append(records: readonly JournalRecord[]): Promise<true> {
    await this.#journal.append(records);
    this.#follower?.records(records);
    return true;
  }

  requireHeld(): void {
    this.#journal.requireHeld();
  }

  takeOver(): Promise<true> {
    return Promise.resolve(true);
  }

  closePart(): Promise<void> {
    this.#follower?.seal({ op: 'seal', part: this.#journal.rotate() });
    return Promise.resolve();
  }

  isOpen(): true {
    return true;
  }

  publish(): Promise<void> {
    return Promise.resolve();
  }

  drop(part: number): Promise<void> {
    return this.#journal.drop(part);
  }

  close(): Promise<void> {
    this.#journal.close();
    return Promise.resolve();
  }
}
