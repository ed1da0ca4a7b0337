import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Quarantine } from '../files/quarantine.ts';
import { asStoreError } from '../errors/store-error.ts';
import { replaceFile } from '../files/sync.ts';

/** A durable version of an entry table. */
export interface TableHead {
  readonly version: number;
  readonly rows: number;
}

/** The durable versions of the entry tables, one per shard. */
export type EntriesHead = readonly TableHead[];

/** Name of the checkpoint file. A start uses its versions; newer ones are unfinished. */
export const HEAD_FILE = 'head.json';

/** The checkpoint. Every part is absent in a new store, or in one older than that part. */
export interface Head {
  /** Last complete versions of the entry tables, by shard. */
  readonly entries?: readonly (Pick<TableHead, 'version'> & Partial<TableHead>)[];
  /** Format of the whole store. */
  readonly format?: number;
  /** Last complete versions of the auxiliary tables; an unnamed table has none. */
  readonly sides?: Readonly<Record<string, number>>;
}

/** Reads the checkpoint; empty in a new store or one older than that file. Throws if the file cannot be read. */
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

/** Like `readHead`; quarantines an invalid file, and then the start uses the newest versions. */
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

/** The written form: a store with one shard has no list of tables, as in earlier versions of Lore. */
interface HeadFile extends Omit<Head, 'entries'>, Partial<TableHead> {
  readonly shards?: Head['entries'];
}

function tableHeadIn({ version, rows }: { readonly [key in keyof TableHead]?: unknown }): NonNullable<Head['entries']> {
  return typeof version === 'number' ? [{ version, ...(typeof rows === 'number' && { rows }) }] : [];
}

function versionsIn(sides: object): Record<string, number> {
  return Object.fromEntries(Object.entries(sides).filter((pair): pair is [string, number] => typeof pair[1] === 'number'));
}

/** Writes the checkpoint, so that the next start uses these versions of the entries. */
export async function writeHead(
  storePath: string,
  head: Head & Required<Pick<Head, 'entries'>>,
  { synced }: { synced: boolean },
): Promise<void> {
  await replaceFile(path.join(storePath, HEAD_FILE), headText(head), { synced }).catch(asStoreError('write the store'));
}

/** The text of a checkpoint. */
export function headText({ entries, ...others }: Head & Required<Pick<Head, 'entries'>>): string {
  const file: HeadFile = entries.length === 1 ? { ...entries[0], ...others } : { shards: entries, ...others };
  return JSON.stringify(file);
}

/** Keeps the checkpoint of an open store. */
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

  /** The last written checkpoint. */
  get now(): Head {
    return this.#head;
  }

  /** Updates these parts; when this resolves, the next start uses them. */
  write(change: Head): Promise<void> {
    const writing = this.#writing.then(async () => {
      const head = { ...this.#head, ...change };
      // Nothing to write yet: only in a new store are auxiliary tables made durable before the first versions of entry tables.
      if (head.entries !== undefined) await writeHead(this.#path, { ...head, entries: head.entries }, { synced: this.#synced });
      this.#head = head;
    });
    this.#writing = writing.catch(() => undefined);
    return writing;
  }
}
