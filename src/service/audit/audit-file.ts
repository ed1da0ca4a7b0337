import { mkdirSync } from 'node:fs';
import { chmod, open, rename, rm, stat, type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import type { AuditRecord, AuditSink } from '../../memory/audit.ts';
import { DEGRADED } from '../../memory/degraded.ts';
import type { Log } from '../../memory/log.ts';

interface AuditFileSettings {
  /** Readable by this user only; created if missing. */
  readonly folder: string;
  /** A file that would grow beyond this size is rotated. */
  readonly maxFileBytes: number;
  /** Rotated files to keep; older ones are removed. */
  readonly keepFiles: number;
}

const NAME = 'audit';
const NEWLINE = 10;
/** Records that may wait while the disk is slow or refuses writes. Further ones are dropped and counted. */
const MAX_WAITING = 10_000;

/**
 * Records as JSON Lines in `audit.jsonl`, the newest last; earlier files are `audit.1.jsonl` and so on. Written in the background, in
 * order, so that no operation waits for it or fails because of it. If it cannot be written, `degraded` reports that, and lost records are
 * counted.
 */
export class AuditFile implements AuditSink {
  readonly #settings: AuditFileSettings;
  readonly #log: Pick<Log, 'warn'>;
  #waiting: string[] = [];
  #lost = 0;
  #failing = false;
  #closed = false;
  #file: { readonly handle: FileHandle; bytes: number } | undefined;
  #writing: Promise<void> | undefined;

  constructor(settings: AuditFileSettings, log: Pick<Log, 'warn'>) {
    this.#settings = settings;
    this.#log = log;
  }

  write(record: AuditRecord): void {
    if (this.#closed || this.#waiting.length >= MAX_WAITING) this.#lost += 1;
    else this.#waiting.push(`${JSON.stringify(record)}\n`);
    if (!this.#closed) this.#start();
  }

  /** The problem as a sentence, while records cannot be written; without `counts`, without the number of lost records. */
  degraded({ counts }: { readonly counts: boolean } = { counts: true }): string | undefined {
    if (!this.#failing) return undefined;
    return DEGRADED.audit(counts ? this.#lost : 0);
  }

  /** Writes waiting records if possible. Safe to repeat. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#writing;
    this.#start();
    await this.#writing;
    await this.#drop();
  }

  /** One at a time: two would write the same lines. */
  #start(): void {
    if (this.#writing === undefined && this.#waiting.length > 0) this.#writing = this.#drain();
  }

  async #drain(): Promise<void> {
    while (this.#waiting.length > 0) {
      const lost = this.#lost;
      const batch = this.#fitting();
      const lines = lost === 0 ? batch : [`${JSON.stringify({ time: new Date().toISOString(), lost })}\n`, ...batch];
      try {
        await this.#append(Buffer.from(lines.join('')));
      } catch (err) {
        if (!this.#failing) this.#log.warn({ err }, 'the audit log cannot be written');
        this.#failing = true;
        await this.#drop();
        break;
      }
      this.#waiting.splice(0, batch.length);
      this.#lost -= lost;
      this.#failing = false;
    }
    // Synchronous after the last check of the queue: records that arrive later start the next run.
    this.#writing = undefined;
  }

  /** As many records as fit into one file, at least one. */
  #fitting(): string[] {
    let bytes = 0;
    const until = this.#waiting.findIndex((line, at) => (bytes += Buffer.byteLength(line)) > this.#settings.maxFileBytes && at > 0);
    return this.#waiting.slice(0, until === -1 ? undefined : until);
  }

  async #append(bytes: Buffer): Promise<void> {
    let file = await this.#open();
    if (file.bytes > 0 && file.bytes + bytes.length > this.#settings.maxFileBytes) {
      await this.#rotate();
      file = await this.#open();
    }
    let written = 0;
    try {
      while (written < bytes.length) written += (await file.handle.write(bytes, written)).bytesWritten;
      file.bytes += bytes.length;
    } catch (error) {
      // An incomplete line would join with the next one.
      if (written > 0) await file.handle.truncate(file.bytes).catch(() => undefined);
      throw error;
    }
  }

  async #open(): Promise<{ readonly handle: FileHandle; bytes: number }> {
    const at = this.#path(0);
    const size = this.#file && (await this.#sizeThere(this.#file.handle));
    if (this.#file !== undefined && size !== undefined) {
      // Other processes append too: count what they wrote, and do not truncate it together with an incomplete line of ours.
      this.#file.bytes = size;
      return this.#file;
    }
    await this.#drop();
    mkdirSync(this.#settings.folder, { recursive: true, mode: 0o700 });
    const handle = await open(at, 'a+', 0o600);
    this.#file = { handle, bytes: 0 };
    await chmod(at, 0o600);
    this.#file.bytes = await endedLines(handle);
    return this.#file;
  }

  /** Undefined if the file was replaced, for example by log rotation. */
  async #sizeThere(handle: FileHandle): Promise<number | undefined> {
    const [held, there] = await Promise.all([handle.stat(), stat(this.#path(0)).catch(() => undefined)]);
    return held.ino === there?.ino ? held.size : undefined;
  }

  async #drop(): Promise<void> {
    const file = this.#file;
    this.#file = undefined;
    await file?.handle.close().catch(() => undefined);
  }

  async #rotate(): Promise<void> {
    await this.#drop();
    const { keepFiles } = this.#settings;
    await rm(this.#path(keepFiles), { force: true });
    for (let nth = keepFiles - 1; nth >= 0; nth -= 1) {
      await rename(this.#path(nth), this.#path(nth + 1)).catch((error: unknown) => {
        if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      });
    }
  }

  #path(nth: number): string {
    return path.join(this.#settings.folder, nth === 0 ? `${NAME}.jsonl` : `${NAME}.${nth}.jsonl`);
  }
}

/** Size of the file. Ends a last line that a crash has cut, so that the next record does not join it. */
async function endedLines(handle: FileHandle): Promise<number> {
  const { size } = await handle.stat();
  if (size === 0) return 0;
  const { buffer } = await handle.read(Buffer.alloc(1), 0, 1, size - 1);
  if (buffer[0] === NEWLINE) return size;
  return size + (await handle.write('\n')).bytesWritten;
}
