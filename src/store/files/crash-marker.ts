import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** The file exists while a process works on the tables. */
const WORK_FILE = 'optimizing.json';

/**
 * Marks on disk that this process is working on the tables. A damaged index file can crash the engine and the process, and every later
 * process that tries again; the marker detects that.
 */
export class CrashMarker {
  readonly #file: string;
  /** Number of consecutive earlier processes that crashed at it. */
  #lost: number;

  /** In the folder of a store. */
  constructor(folder: string) {
    this.#file = path.join(folder, WORK_FILE);
    this.#lost = lostIn(this.#file);
  }

  get lost(): number {
    return this.#lost;
  }

  begin(): void {
    this.#try(() => writeFileSync(this.#file, JSON.stringify({ lost: this.#lost + 1 }), { mode: 0o600 }));
  }

  /** Removes the marker when the work has returned, with any result. */
  end(): void {
    this.#lost = 0;
    this.#try(() => rmSync(this.#file, { force: true }));
  }

  /** Ignores an unwritable folder: the next real write reports it. */
  #try(call: () => void): void {
    try {
      call();
    } catch {
      // As in `start`.
    }
  }
}

function lostIn(file: string): number {
  try {
    const { lost } = JSON.parse(readFileSync(file, 'utf8')) as { lost?: unknown };
    return Number.isSafeInteger(lost) ? Number(lost) : 1;
  } catch {
    return 0;
  }
}
