import { existsSync, mkdirSync, readdirSync, renameSync, rmdirSync } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import path from 'node:path';
import type { Log } from '../../memory/log.ts';
import { isRemote } from '../../memory/store-address.ts';
import { asStoreError } from '../errors/store-error.ts';
import { isRecorded, recordedLosses, recordLoss } from './loss-record.ts';

/** Folder below that of the store. */
const QUARANTINE = 'quarantine';

/** Something that was found damaged while the store was opened. */
export interface Damage {
  /** In plain words, a sentence or two. */
  readonly message: string;
  /** Whether something that was acknowledged may be missing because of it. */
  readonly mayLose: boolean;
  /** Every start finds it again, so that nothing has to remember it. */
  readonly isFoundAgain?: true;
}

export interface FoundDamage extends Damage {
  /** When it was found, epoch milliseconds. */
  readonly at: number;
  /** The folder below the store that records it: it is reported until someone removes that folder. */
  readonly recordedIn?: string;
}

/** What is said where the disk did not take the files of a table. */
export const unsynced = (table: string): Damage => ({
  message: `The disk did not take what was written to the table ${table}: nothing more is written there until Lore is started again. Look at the health of the disk; what is saved stays in the journal meanwhile.`,
  mayLose: false,
});

/**
 * What could not be read while a store was opened: the files go into a folder of their own, where they stay until someone removes them. What was
 * found is reported while the process runs; a loss, also an earlier one, until someone removes that folder.
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

  /** In the order in which they were found. */
  get damages(): readonly FoundDamage[] {
    return this.#damages.filter(({ recordedIn }) => recordedIn === undefined || isRecorded(path.join(this.#storePath, recordedIn)));
  }

  /** Where the files of this start go, below the store folder. */
  get place(): string {
    return `${QUARANTINE}/${this.#name}`;
  }

  /** Moves a file or a folder there, by its path below the store folder. Rejects with what a store rejects with. */
  move(file: string): void {
    try {
      renameSync(path.join(this.#storePath, file), this.#targetOf(file));
    } catch (error) {
      asStoreError('put a damaged file aside')(error);
    }
  }

  /** Takes such a move back. */
  putBack(file: string): void {
    try {
      renameSync(this.#targetOf(file), path.join(this.#storePath, file));
    } catch (error) {
      asStoreError('put a damaged file back')(error);
    }
    this.#dropEmpty(file);
  }

  /** Puts a copy of a file there. */
  async copy(file: string): Promise<void> {
    await copyFile(path.join(this.#storePath, file), this.#targetOf(file)).catch(asStoreError('put a damaged file aside'));
  }

  /** Reports that something was found, in the log too. */
  note(damage: Damage): void {
    const found = { ...damage, at: Date.now() };
    this.#damages.push(this.#isRecorded(found) ? { ...found, recordedIn: this.place } : found);
    this.#log.warn({ store: this.#storePath }, damage.message);
  }

  /** Puts a loss on record. Where the disk does not let it, the loss is reported as long as the process runs. */
  #isRecorded({ message, at, mayLose, isFoundAgain }: FoundDamage): boolean {
    if (!mayLose || isFoundAgain || isRemote(this.#storePath)) return false;
    try {
      recordLoss(path.join(this.#storePath, this.place), { message, at });
      return true;
    } catch (err) {
      this.#log.warn({ err, store: this.#storePath }, 'a loss could not be put on record');
      return false;
    }
  }

  /** Folders that a move has made and that hold nothing now would be reported as if something lay in them. */
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

/** The folders of quarantine of a store, oldest first, by their paths. Opens nothing. */
export function quarantined(storePath: string): string[] {
  const folder = path.join(storePath, QUARANTINE);
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .toSorted()
    .map((name) => path.join(folder, name));
}
