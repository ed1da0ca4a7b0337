import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Quarantine } from './quarantine.ts';
import { asStoreError } from './store-error.ts';
import { replaceFile } from './sync.ts';

/** Names the versions that a start begins with: what is newer than they are was cut short. */
export const HEAD_FILE = 'head.json';

/** Every part is absent in a store that is new, or older than that part. */
export interface Head {
  /** Of the entries, last known to be whole. */
  readonly version?: number;
  /** Rows of that version. */
  readonly rows?: number;
  /** Where the whole store is of one format. */
  readonly format?: number;
  /** Of the tables beside the entries, last known to be whole; a table that is not named has none. */
  readonly sides?: Readonly<Record<string, number>>;
}

/** Empty in a store that is new, or older than that file. Throws where the file cannot be read. */
export function readHead(storePath: string): Head {
  const file = path.join(storePath, HEAD_FILE);
  if (!existsSync(file)) return {};
  const { version, rows, format, sides } = JSON.parse(readFileSync(file, 'utf8')) as { readonly [key in keyof Head]: unknown };
  return {
    ...(typeof version === 'number' && { version }),
    ...(typeof rows === 'number' && { rows }),
    ...(typeof format === 'number' && { format }),
    ...(typeof sides === 'object' && sides !== null && { sides: versionsIn(sides) }),
  };
}

/** The same; a file that is there and says nothing is put into quarantine first, and then the newest versions are what a start begins with. */
export function loadHead(storePath: string, quarantine: Quarantine): Head {
  try {
    return readHead(storePath);
  } catch (error) {
    if (!(error instanceof SyntaxError || error instanceof TypeError)) asStoreError('open the store')(error);
    quarantine.move(HEAD_FILE);
    const message = `${HEAD_FILE}, which names the versions that a start begins with, could not be read and is in ${quarantine.place} now; the newest ones were taken.`;
    quarantine.note({ message, mayLose: false });
    return {};
  }
}

function versionsIn(sides: object): Record<string, number> {
  return Object.fromEntries(Object.entries(sides).filter((pair): pair is [string, number] => typeof pair[1] === 'number'));
}

/** Makes this version of the entries the one that the next start begins with. */
export async function writeHead(storePath: string, head: Head & { version: number }, { synced }: { synced: boolean }): Promise<void> {
  await replaceFile(path.join(storePath, HEAD_FILE), JSON.stringify(head), { synced }).catch(asStoreError('write the store'));
}

/** The head of a store that is open. */
export class HeadKeeper {
  readonly #path: string;
  readonly #synced: boolean;
  #head: Head;
  #writing: Promise<void> = Promise.resolve();

  constructor(storePath: string, head: Head, { synced }: { synced: boolean }) {
    this.#path = storePath;
    this.#synced = synced;
    this.#head = head;
  }

  /** As it was written last. */
  get now(): Head {
    return this.#head;
  }

  /** Changes these parts; they are what the next start goes by once this resolves. */
  write(change: Head): Promise<void> {
    const writing = this.#writing.then(async () => {
      const head = { ...this.#head, ...change };
      // Nothing to begin with yet: the tables beside the entries are secured before the first version of those only in a new store.
      if (head.version !== undefined) await writeHead(this.#path, { ...head, version: head.version }, { synced: this.#synced });
      this.#head = head;
    });
    this.#writing = writing.catch(() => undefined);
    return writing;
  }
}
