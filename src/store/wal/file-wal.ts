import { logFiles, type LogFiles } from './log-files.ts';
import type { LogRecord } from '../format/log-record.ts';
import type { Wal, LogFollower } from './wal.ts';

/** The write-ahead log of an exclusive store: every append counts. Its segments are files. */
export class FileWal implements Wal {
  readonly told = 0;
  readonly maintains = true;
  readonly isLong = false;
  readonly #path: string;
  readonly #journal: LogFiles;
  #follower: Pick<LogFollower, 'records' | 'seal'> | undefined;

  constructor(path: string, journal: LogFiles) {
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
    return logFiles(this.#path).reduce((sum, { bytes }) => sum + bytes, 0);
  }

  follow(follower: LogFollower): void {
    this.#follower = follower;
  }

  begin(): void {}

  catchUp(): Promise<void> {
    return Promise.resolve();
  }

  turn(): Promise<void> {
    return Promise.resolve();
  }

  async append(records: readonly LogRecord[]): Promise<true> {
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
