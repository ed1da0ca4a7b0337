import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** There while a process works on the tables. */
const WORK_FILE = 'optimizing.json';

/**
 * Remembers for the next process that this one was at work on the tables. Bytes of an index file that are wrong can end the engine and the process
 * with it, and then every process that tries it again: nobody else is there to tell.
 */
export class WorkMark {
  readonly #file: string;
  /** Processes in a row that did not come back from it, before this one. */
  #lost: number;

  /** Of the folder of a store. */
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

  /** It came back, with whatever result. */
  end(): void {
    this.#lost = 0;
    this.#try(() => rmSync(this.#file, { force: true }));
  }

  /** A folder that cannot be written to says so itself, to anyone who writes something that counts. */
  #try(call: () => void): void {
    try {
      call();
    } catch {
      // See above.
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
