import { logFiles, type LogFiles } from './log-files.ts';
import type { LogRecord } from '../format/log-record.ts';
import type { Wal, LogFollower } from './wal.ts';

/** The write-ahead log of an exclusive store: every append counts. Its segments are files. */
export class FileWal implements Wal {
  readonly reported = 0;
  readonly maintains = true;
  readonly isLong = false;
  readonly #path: string;
  readonly #log: LogFiles;
  #follower: Pick<LogFollower, 'records' | 'freeze'> | undefined;

  constructor(path: string, log: LogFiles) {
    this.#path = path;
    this.#log = log;
  }

  get isBroken(): boolean {
    return this.#log.isBroken;
  }

  get hasDamage(): boolean {
    return this.#log.hasDamage;
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
    await this.#log.append(records);
    this.#follower?.records(records);
    return true;
  }

  requireHeld(): void {
    this.#log.requireHeld();
  }

  takeOver(): Promise<true> {
    return Promise.resolve(true);
  }

  closePart(): Promise<void> {
    this.#follower?.freeze({ op: 'freeze', segment: this.#log.rotate() });
    return Promise.resolve();
  }

  isOpen(): true {
    return true;
  }

  publish(): Promise<void> {
    return Promise.resolve();
  }

  drop(part: number): Promise<void> {
    return this.#log.drop(part);
  }

  close(): Promise<void> {
    this.#log.close();
    return Promise.resolve();
  }
}
