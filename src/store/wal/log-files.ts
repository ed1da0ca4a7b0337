import { close, existsSync, fdatasync, ftruncate, mkdirSync, open, readdirSync, readFileSync, statSync, writev } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { LoreError } from '../../memory/errors.ts';
import { decodeRecords, encodeAppend, type LogRecord, type LogText } from '../format/log-record.ts';
import type { Quarantine } from '../files/quarantine.ts';
import { asStoreError } from '../errors/store-error.ts';
import { syncFolder } from '../files/sync.ts';

const FOLDER = 'journal';
const SEGMENT = /^(\d{10})\.log$/;
const call = { open: promisify(open), writev: promisify(writev), fdatasync: promisify(fdatasync), ftruncate: promisify(ftruncate) };

/**
 * The files of the write-ahead log: checksummed records, each synced to disk before it is acknowledged. Appends must not overlap; the
 * writer ensures that.
 */
export class LogFiles {
  readonly #folder: string;
  readonly #synced: boolean;
  readonly #requireHeld: () => void;
  /** Number of the file that is written next or now. */
  #segment: number;
  #file: { readonly descriptor: number; bytes: number } | undefined;
  #broken: LoreError | undefined;
  #hasDamage: boolean;

  private constructor({ folder, segment, synced, hasDamage, requireHeld }: Opened) {
    this.#folder = folder;
    this.#segment = segment;
    this.#synced = synced;
    this.#hasDamage = hasDamage;
    this.#requireHeld = requireHeld;
  }

  /**
   * Opens the log of a store folder and reads its records, oldest first. A file damaged in the middle is copied to quarantine and reported.
   */
  static async open(storePath: string, settings: LogSettings): Promise<{ log: LogFiles; records: LogRecord[] }> {
    const { synced, quarantine, requireHeld = () => undefined } = settings;
    const folder = path.join(storePath, FOLDER);
    const made = mkdirSync(folder, { recursive: true, mode: 0o700 });
    if (synced && made !== undefined) await syncFolder(storePath).catch(asStoreError('write to the write-ahead log'));
    const records: LogRecord[] = [];
    let hasDamage = false;
    for (const file of logFiles(storePath)) {
      const text = decodeRecords(await readFile(path.join(storePath, file.path)).catch(asStoreError('read the write-ahead log')));
      for (const record of text.records) records.push(record);
      if (text.damagedBytes === 0) continue;
      hasDamage = true;
      await noteDamage(quarantine, file.path, text);
    }
    const segment = (segmentsOf(folder).at(-1) ?? 0) + 1;
    return { log: new LogFiles({ folder, segment, synced, hasDamage, requireHeld }), records };
  }

  /** Resolves when the records are durable. Rejects with `unavailable` if not; then none of them will reappear. */
  async append(records: readonly LogRecord[]): Promise<void> {
    if (this.#broken !== undefined) throw this.#broken;
    this.requireHeld();
    const file = await this.#open().catch(asStoreError('write to the write-ahead log'));
    const buffers = encodeAppend(records, file.bytes);
    try {
      await writeFully(file.descriptor, buffers, file.bytes);
    } catch (error) {
      await this.#undo(file);
      asStoreError('write to the write-ahead log')(error);
    }
    if (this.#synced) await call.fdatasync(file.descriptor).catch((error: unknown) => this.#refuseFromNowOn(file, error));
    for (const { length } of buffers) file.bytes += length;
  }

  /** Throws `unavailable` if another process has taken the store: then neither the log nor the tables may be written. */
  requireHeld(): void {
    this.#requireHeld();
  }

  /** Whether a write has failed: nothing more is written until the next start. */
  get isBroken(): boolean {
    return this.#broken !== undefined;
  }

  /** Whether a damaged file still exists, which the next start would find again. */
  get hasDamage(): boolean {
    return this.#hasDamage;
  }

  /** Starts a new file. Returns the number of the completed one. */
  rotate(): number {
    if (this.#file !== undefined) {
      close(this.#file.descriptor, () => undefined);
      this.#file = undefined;
      this.#segment += 1;
    }
    return this.#segment - 1;
  }

  /** Removes the files up to this one, whose records are in the tables. */
  async drop(last: number): Promise<void> {
    for (const segment of segmentsOf(this.#folder)) {
      if (segment > last) continue;
      await rm(fileOf(this.#folder, segment), { force: true });
      // Sequential and durable: a removal that a power cut undoes must not restore an older file without the newer one.
      if (this.#synced) await syncFolder(this.#folder);
    }
    // Only files from the start can be damaged, and all of those are removed together.
    this.#hasDamage = false;
  }

  close(): void {
    this.rotate();
  }

  async #open(): Promise<{ readonly descriptor: number; bytes: number }> {
    if (this.#file !== undefined) return this.#file;
    // Never over an existing file, which would have acknowledged changes of another process.
    const descriptor = await call.open(fileOf(this.#folder, this.#segment), 'wx', 0o600);
    try {
      if (this.#synced) await syncFolder(this.#folder);
    } catch (error) {
      close(descriptor, () => undefined);
      this.#segment += 1;
      throw error;
    }
    // Only now: if its name is not durable, the records in a file are lost with it.
    this.#file = { descriptor, bytes: 0 };
    return this.#file;
  }

  /** Removes an incomplete record, because reading would stop there. */
  async #undo(file: { readonly descriptor: number; bytes: number }): Promise<void> {
    await call.ftruncate(file.descriptor, file.bytes).catch((error: unknown) => {
      this.#broken = brokenError(error);
    });
  }

  /**
   * After a failed sync the contents of the disk are unknown, and the next sync would report success, so no more writes. Removes
   * unacknowledged records, if the disk allows, so that they do not reappear.
   */
  async #refuseFromNowOn(file: { readonly descriptor: number; readonly bytes: number }, cause: unknown): Promise<never> {
    this.#broken = brokenError(cause);
    await call.ftruncate(file.descriptor, file.bytes).catch(() => undefined);
    throw this.#broken;
  }
}

interface LogSettings {
  /** Whether an append waits for the disk, to survive a power cut, or only for the system, to survive the end of the process. */
  readonly synced: boolean;
  readonly quarantine: Quarantine;
  /** Called before each write; throws if the store belongs to another process. */
  readonly requireHeld?: () => void;
}

interface Opened extends Required<Omit<LogSettings, 'quarantine'>> {
  readonly folder: string;
  readonly segment: number;
  readonly hasDamage: boolean;
}

/** The file stays until its readable records are in the table. */
async function noteDamage(quarantine: Quarantine, file: string, { records, damagedBytes }: LogText): Promise<void> {
  await quarantine.copy(file);
  const read = records.length.toLocaleString('en-US');
  const message = `${damagedBytes.toLocaleString('en-US')} bytes of ${file} cannot be read; its other ${read} records were taken up. Changes of its time may be missing. A copy is in ${quarantine.place}.`;
  quarantine.note({ message, mayLose: true });
}

function brokenError(cause: unknown): LoreError {
  return new LoreError('unavailable', 'The write-ahead log could not be written to disk. Lore saves nothing more until it is restarted.', {
    cause,
    hint: 'Check the disk.',
  });
}

const fileOf = (folder: string, segment: number): string => path.join(folder, `${String(segment).padStart(10, '0')}.log`);

/** Whether a store folder has a log, even an empty one. It is created when the store is complete. */
export const hasLogFiles = (storePath: string): boolean => existsSync(path.join(storePath, FOLDER));

/** The log files of a store folder, oldest first, by path relative to the folder. */
export function logFiles(storePath: string): { readonly path: string; readonly bytes: number; readonly isFinal: false }[] {
  const folder = path.join(storePath, FOLDER);
  if (!existsSync(folder)) return [];
  return segmentsOf(folder).flatMap((segment) => {
    const file = fileOf(folder, segment);
    // Maintenance may remove it while its size is read.
    const bytes = statSync(file, { throwIfNoEntry: false })?.size;
    return bytes === undefined ? [] : [{ path: `${FOLDER}/${path.basename(file)}`, bytes, isFinal: false }];
  });
}

/** The records of the log of a store folder, oldest first. */
export function readLogFiles(storePath: string): LogRecord[] {
  return logFiles(storePath).flatMap((file) => decodeRecords(readFileSync(path.join(storePath, file.path))).records);
}

function segmentsOf(folder: string): number[] {
  return readdirSync(folder)
    .flatMap((name) => SEGMENT.exec(name)?.[1] ?? [])
    .map(Number)
    .toSorted((a, b) => a - b);
}

async function writeFully(descriptor: number, buffers: readonly Buffer[], position: number): Promise<void> {
  let rest = [...buffers];
  let at = position;
  while (rest.length > 0) {
    const { bytesWritten } = await call.writev(descriptor, rest.slice(0, 1024), at);
    at += bytesWritten;
    rest = afterBytes(rest, bytesWritten);
  }
}

function afterBytes(buffers: readonly Buffer[], written: number): Buffer[] {
  let left = written;
  const start = buffers.findIndex(({ length }) => {
    if (length > left) return true;
    left -= length;
    return false;
  });
  if (start === -1) return [];
  const [first, ...others] = buffers.slice(start) as [Buffer, ...Buffer[]];
  return [left === 0 ? first : first.subarray(left), ...others];
}
