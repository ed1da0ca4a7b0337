import { appendFileSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { SpooledEvent } from '../../memory/operations/capture-operations.ts';
import type { CaptureState } from './capture-state.ts';

/** Events that may wait: days of work without a server. Further ones are refused until these are processed. */
const MAX_WAITING_BYTES = 32 * 1024 * 1024;
/** After this time, a process that had opened the file before it was taken has finished writing. */
const GRACE_MS = 2000;
/** The position is stored after this number of events, so at most this many are processed twice after a crash. */
const NOTED_EVERY = 50;

interface Parts {
  readonly folder: string;
  readonly name: string;
  readonly state: CaptureState;
}

/**
 * The queue of waiting events: one JSON line each, in a file to which any process of this user may append. Taking events renames the
 * file, so that appending and taking do not conflict; a taken file stays until no process can append to it. Torn or invalid lines are
 * skipped.
 */
export class CaptureSpool {
  readonly #parts: Parts;
  readonly #file: string;
  #taken = 0;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#file = path.join(parts.folder, `${parts.name}.jsonl`);
  }

  get waitingBytes(): number {
    const { state } = this.#parts;
    return this.#work().reduce((sum, file) => sum + Math.max(0, sizeOf(file) - state.mark(path.basename(file))), sizeOf(this.#file));
  }

  /** Appends an event; false if the queue is full. Throws if the disk refuses. */
  add(event: SpooledEvent): boolean {
    if (sizeOf(this.#file) > MAX_WAITING_BYTES) return false;
    mkdirSync(this.#parts.folder, { recursive: true, mode: 0o700 });
    // The newline at the start ends a line that another process left incomplete.
    appendFileSync(this.#file, `\n${JSON.stringify(event)}\n`, { mode: 0o600 });
    return true;
  }

  /** Passes every waiting event to `look` once, oldest first. `pause` may reject to stop; the rest stays queued. */
  async drain(look: (event: SpooledEvent) => Promise<void>, pause: () => Promise<void>): Promise<void> {
    for (const file of this.#work()) {
      await this.#read(file, { look, pause });
      if (Date.now() - changedAt(file) > GRACE_MS) {
        rmSync(file, { force: true });
        this.#parts.state.setMark(path.basename(file), undefined);
        await this.#parts.state.save();
      }
    }
    const taken = this.#take();
    if (taken !== undefined) await this.#read(taken, { look, pause });
  }

  /** Files that were taken, oldest first. */
  #work(): string[] {
    const { folder, name } = this.#parts;
    try {
      return readdirSync(folder)
        .filter((file) => file.startsWith(`${name}.taken-`))
        .toSorted()
        .map((file) => path.join(folder, file));
    } catch {
      return [];
    }
  }

  #take(): string | undefined {
    this.#taken += 1;
    const { folder, name } = this.#parts;
    const taken = path.join(folder, `${name}.taken-${String(Date.now()).padStart(15, '0')}-${process.pid}-${this.#taken}`);
    try {
      renameSync(this.#file, taken);
      return taken;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw error;
    }
  }

  async #read(file: string, { look, pause }: { look: (event: SpooledEvent) => Promise<void>; pause: () => Promise<void> }): Promise<void> {
    const { state } = this.#parts;
    const name = path.basename(file);
    const begin = state.mark(name);
    if (sizeOf(file) <= begin) return;
    const bytes = (await readFile(file)).subarray(begin);
    let done = 0;
    let looked = 0;
    for (let end = bytes.indexOf(10); end !== -1; end = bytes.indexOf(10, done)) {
      const event = eventIn(bytes.toString('utf8', done, end));
      if (event !== undefined) {
        await pause();
        await look(event);
        looked += 1;
      }
      done = end + 1;
      state.setMark(name, begin + done);
      if (event !== undefined && looked % NOTED_EVERY === 0) await state.save();
    }
    await state.save();
  }
}

function eventIn(line: string): SpooledEvent | undefined {
  if (line.trim() === '') return undefined;
  try {
    return SpooledEvent.safeParse(JSON.parse(line)).data;
  } catch {
    return undefined;
  }
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}

/** When the file was last written or renamed. */
function changedAt(file: string): number {
  const stat = statSync(file, { throwIfNoEntry: false });
  return stat === undefined ? 0 : Math.max(stat.mtimeMs, stat.ctimeMs);
}
