import { readFileSync } from 'node:fs';
import { rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { readKeyFile } from './key-file.ts';

/** Times by the id of the key. */
const Uses = z.record(z.string(), z.iso.datetime());
type Uses = z.output<typeof Uses>;
const NOTED_EVERY_MS = 60_000;

/** In a file next to the keys, so that they are not written again and again, and an older version of Lore reads them as before. */
const usesFile = (keysFile: string): string => join(dirname(keysFile), 'key-uses.json');

/** Time of last use by key id. Empty if the file cannot be read. */
export function readKeyUses(keysFile: string): Uses {
  try {
    return Uses.parse(JSON.parse(readFileSync(usesFile(keysFile), 'utf8')));
  } catch {
    return {};
  }
}

/** Notes when keys are used in a file, of each key at most once a minute. What cannot be written is left out. */
export class KeyUses {
  readonly #keysFile: string;
  /** Milliseconds, by id. */
  readonly #noted = new Map<string, number>();
  #writing: Promise<void> = Promise.resolve();

  constructor(keysFile: string) {
    this.#keysFile = keysFile;
  }

  note(id: string): void {
    const now = Date.now();
    if (Math.abs(now - (this.#noted.get(id) ?? 0)) < NOTED_EVERY_MS) return;
    this.#noted.set(id, now);
    this.#writing = this.#writing.then(() => this.#write(id, new Date(now))).catch(() => undefined);
  }

  async #write(id: string, at: Date): Promise<void> {
    const known = new Set(readKeyFile(this.#keysFile).map(({ id }) => id));
    const uses = Object.entries({ ...readKeyUses(this.#keysFile), [id]: at.toISOString() }).filter(([one]) => known.has(one));
    const file = usesFile(this.#keysFile);
    const draft = `${file}.${process.pid}.new`;
    try {
      await writeFile(draft, `${JSON.stringify(Object.fromEntries(uses), undefined, 2)}\n`, { mode: 0o600 });
      await rename(draft, file);
    } catch (error) {
      await rm(draft, { force: true });
      throw error;
    }
  }
}
