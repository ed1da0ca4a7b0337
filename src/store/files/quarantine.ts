import { existsSync, mkdirSync, readdirSync, renameSync, rmdirSync } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import path from 'node:path';
import type { Log } from '../../memory/log.ts';
import { isRemote } from '../../memory/store-address.ts';
import { asStoreError } from '../errors/store-error.ts';
import { isRecorded, recordedLosses, recordLoss } from './loss-record.ts';

/** Folder inside the store folder. */
const QUARANTINE = 'quarantine';

/** Damage found while the store was opened. */
export interface Damage {
  /** One or two sentences for people. */
  readonly message: string;
  /** Whether acknowledged changes may be missing because of it. */
  readonly mayLose: boolean;
  /** Damage that every start detects again, so it need not be recorded. */
  readonly isFoundAgain?: true;
}

export interface FoundDamage extends Damage {
  /** Time of detection, epoch milliseconds. */
  readonly at: number;
  /** The folder in the store that records it; it is reported until that folder is removed. */
  readonly recordedIn?: string;
}

/** The message for files of a table that could not be synced. */
export const unsynced = (table: string): Damage => ({
  message: `The disk did not store a write to the table ${table}. Lore does not write to this table again until it is restarted. Check the disk; saved entries stay in the log until then.`,
  mayLose: false,
});

/**
 * Moves files that could not be read at the opening into a folder, where they stay until someone removes them. Damage is reported while
 * the process runs; a loss, even an earlier one, until that folder is removed.
 */
export class Quarantine {
  readonly #storePath: string;
  readonly #log: Log;
  readonly #damages: FoundDamage[] = [];
  readonly #name = new Date().toISOString().replaceAll(':', '-');

  constructor(storePath: string, log: Log) {
    this.#storePath = storePath;
    this.#log = log;
    if (isRemote(storePath)) return;
    for (const { name, loss } of recordedLosses(path.join(storePath, QUARANTINE)))
      this.#damages.push({ ...loss, mayLose: true, recordedIn: `${QUARANTINE}/${name}` });
  }

  /** Damage in the order of detection. */
  get damages(): readonly FoundDamage[] {
    return this.#damages.filter(({ recordedIn }) => recordedIn === undefined || isRecorded(path.join(this.#storePath, recordedIn)));
  }

  /** Folder for the files of this start, relative to the store. */
  get place(): string {
    return `${QUARANTINE}/${this.#name}`;
  }

  /** Moves a file or folder to quarantine, by its path relative to the store. Rejects with a store error. */
  move(file: string): void {
    try {
      renameSync(path.join(this.#storePath, file), this.#targetOf(file));
    } catch (error) {
      asStoreError('quarantine a damaged file')(error);
    }
  }

  /** Undoes such a move. */
  putBack(file: string): void {
    try {
      renameSync(this.#targetOf(file), path.join(this.#storePath, file));
    } catch (error) {
      asStoreError('restore a quarantined file')(error);
    }
    this.#dropEmpty(file);
  }

  /** Adds a copy of a file to the quarantine. */
  async copy(file: string): Promise<void> {
    await copyFile(path.join(this.#storePath, file), this.#targetOf(file)).catch(asStoreError('quarantine a damaged file'));
  }

  /** Reports damage, also in the log. */
  note(damage: Damage): void {
    const found = { ...damage, at: Date.now() };
    this.#damages.push(this.#isRecorded(found) ? { ...found, recordedIn: this.place } : found);
    this.#log.warn({ store: this.#storePath }, damage.message);
  }

  /** Records a loss. If the disk refuses that, the loss is reported while the process runs. */
  #isRecorded({ message, at, mayLose, isFoundAgain }: FoundDamage): boolean {
    if (!mayLose || isFoundAgain || isRemote(this.#storePath)) return false;
    try {
      recordLoss(path.join(this.#storePath, this.place), { message, at });
      return true;
    } catch (err) {
      this.#log.warn({ err, store: this.#storePath }, 'a loss could not be recorded');
      return false;
    }
  }

  /** Removes empty folders of an undone move, which would otherwise be reported. */
  #dropEmpty(file: string): void {
    for (let folder = path.dirname(path.join(this.place, file)); folder !== '.'; folder = path.dirname(folder)) {
      try {
        rmdirSync(path.join(this.#storePath, folder));
      } catch {
        return;
      }
    }
  }

  #targetOf(file: string): string {
    const target = path.join(this.#storePath, this.place, file);
    mkdirSync(path.dirname(target), { recursive: true, mode: 0o700 });
    return target;
  }
}

/** Paths of the quarantine folders of a store, oldest first. Opens nothing. */
export function quarantined(storePath: string): string[] {
  const folder = path.join(storePath, QUARANTINE);
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .toSorted()
    .map((name) => path.join(folder, name));
}
