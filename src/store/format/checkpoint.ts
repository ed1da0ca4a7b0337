import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Quarantine } from '../files/quarantine.ts';
import { asStoreError } from '../errors/store-error.ts';
import { replaceFile } from '../files/sync.ts';

/** A table of entries as it was secured. */
export interface TableHead {
  readonly version: number;
  readonly rows: number;
}

/** The entries as they were secured: one for each shard. */
export type EntriesHead = readonly TableHead[];

/** Names the versions that a start begins with: what is newer than they are was cut short. */
export const HEAD_FILE = 'head.json';

/** Every part is absent in a store that is new, or older than that part. */
export interface Head {
  /** Of the tables of entries, last known to be whole, by shard. */
  readonly entries?: readonly (Pick<TableHead, 'version'> & Partial<TableHead>)[];
  /** Where the whole store is of one format. */
  readonly format?: number;
  /** Of the tables beside the entries, last known to be whole; a table that is not named has none. */
  readonly sides?: Readonly<Record<string, number>>;
}

/** Empty in a store that is new, or older than that file. Throws where the file cannot be read. */
export function readHead(storePath: string): Head {
  const file = path.join(storePath, HEAD_FILE);
  if (!existsSync(file)) return {};
  const written = JSON.parse(readFileSync(file, 'utf8')) as { readonly [key in keyof HeadFile]: unknown };
  const { format, sides, shards } = written;
  const entries = (Array.isArray(shards) ? shards : [written]).flatMap(tableHeadIn);
  return {
    ...(entries.length > 0 && { entries }),
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

/** How it is written: the table of a store that has one shard has no list of its own, as in stores of earlier versions of Lore. */
interface HeadFile extends Omit<Head, 'entries'>, Partial<TableHead> {
  readonly shards?: Head['entries'];
}

function tableHeadIn({ version, rows }: { readonly [key in keyof TableHead]?: unknown }): NonNullable<Head['entries']> {
  return typeof version === 'number' ? [{ version, ...(typeof rows === 'number' && { rows }) }] : [];
}

function versionsIn(sides: object): Record<string, number> {
  return Object.fromEntries(Object.entries(sides).filter((pair): pair is [string, number] => typeof pair[1] === 'number'));
}

/** Makes these versions of the entries the ones that the next start begins with. */
export async function writeHead(
  storePath: string,
  head: Head & Required<Pick<Head, 'entries'>>,
  { synced }: { synced: boolean },
): Promise<void> {
  await replaceFile(path.join(storePath, HEAD_FILE), headText(head), { synced }).catch(asStoreError('write the store'));
}

/** What a head is in its file. */
export function headText({ entries, ...others }: Head & Required<Pick<Head, 'entries'>>): string {
  const file: HeadFile = entries.length === 1 ? { ...entries[0], ...others } : { shards: entries, ...others };
  return JSON.stringify(file);
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
      // Nothing to begin with yet: the tables beside the entries are secured before the first versions of those only in a new store.
      if (head.entries !== undefined) await writeHead(this.#path, { ...head, entries: head.entries }, { synced: this.#synced });
      this.#head = head;
    });
    this.#writing = writing.catch(() => undefined);
    return writing;
  }
}
