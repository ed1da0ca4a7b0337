import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Quarantine } from '../files/quarantine.ts';
import { asStoreError } from '../errors/store-error.ts';
import { replaceFile } from '../files/sync.ts';

/** A durable version of an entry table. */
export interface TableVersion {
  readonly version: number;
  readonly rows: number;
}

/** The durable versions of the entry tables, one per shard. */
export type EntriesVersions = readonly TableVersion[];

/** Name of the checkpoint file. A start uses its versions; newer ones are unfinished. */
export const CHECKPOINT_FILE = 'head.json';

/** The checkpoint. Every part is absent in a new store, or in one older than that part. */
export interface Checkpoint {
  /** Last complete versions of the entry tables, by shard. */
  readonly entries?: readonly (Pick<TableVersion, 'version'> & Partial<TableVersion>)[];
  /** Format of the whole store. */
  readonly format?: number;
  /** Last complete versions of the auxiliary tables; an unnamed table has none. */
  readonly sides?: Readonly<Record<string, number>>;
}

/** Reads the checkpoint; empty in a new store or one older than that file. Throws if the file cannot be read. */
export function readCheckpoint(storePath: string): Checkpoint {
  const file = path.join(storePath, CHECKPOINT_FILE);
  if (!existsSync(file)) return {};
  const written = JSON.parse(readFileSync(file, 'utf8')) as { readonly [key in keyof CheckpointFile]: unknown };
  const { format, sides, shards } = written;
  const entries = (Array.isArray(shards) ? shards : [written]).flatMap(tableVersionIn);
  return {
    ...(entries.length > 0 && { entries }),
    ...(typeof format === 'number' && { format }),
    ...(typeof sides === 'object' && sides !== null && { sides: versionsIn(sides) }),
  };
}

/** Like `readCheckpoint`; quarantines an invalid file, and then the start uses the newest versions. */
export function loadCheckpoint(storePath: string, quarantine: Quarantine): Checkpoint {
  try {
    return readCheckpoint(storePath);
  } catch (error) {
    if (!(error instanceof SyntaxError || error instanceof TypeError)) asStoreError('open the store')(error);
    quarantine.move(CHECKPOINT_FILE);
    const message = `${CHECKPOINT_FILE}, which names the versions that a start begins with, could not be read and is in ${quarantine.place} now; the newest ones were taken.`;
    quarantine.note({ message, mayLose: false });
    return {};
  }
}

/** The written form: a store with one shard has no list of tables, as in earlier versions of Lore. */
interface CheckpointFile extends Omit<Checkpoint, 'entries'>, Partial<TableVersion> {
  readonly shards?: Checkpoint['entries'];
}

function tableVersionIn({ version, rows }: { readonly [key in keyof TableVersion]?: unknown }): NonNullable<Checkpoint['entries']> {
  return typeof version === 'number' ? [{ version, ...(typeof rows === 'number' && { rows }) }] : [];
}

function versionsIn(sides: object): Record<string, number> {
  return Object.fromEntries(Object.entries(sides).filter((pair): pair is [string, number] => typeof pair[1] === 'number'));
}

/** Writes the checkpoint, so that the next start uses these versions of the entries. */
export async function writeCheckpoint(
  storePath: string,
  checkpoint: Checkpoint & Required<Pick<Checkpoint, 'entries'>>,
  { synced }: { synced: boolean },
): Promise<void> {
  await replaceFile(path.join(storePath, CHECKPOINT_FILE), checkpointText(checkpoint), { synced }).catch(asStoreError('write the store'));
}

/** The text of a checkpoint. */
export function checkpointText({ entries, ...others }: Checkpoint & Required<Pick<Checkpoint, 'entries'>>): string {
  const file: CheckpointFile = entries.length === 1 ? { ...entries[0], ...others } : { shards: entries, ...others };
  return JSON.stringify(file);
}

/** Keeps the checkpoint of an open store. */
export class CheckpointKeeper {
  readonly #path: string;
  readonly #synced: boolean;
  #checkpoint: Checkpoint;
  #writing: Promise<void> = Promise.resolve();

  constructor(storePath: string, checkpoint: Checkpoint, { synced }: { synced: boolean }) {
    this.#path = storePath;
    this.#synced = synced;
    this.#checkpoint = checkpoint;
  }

  /** The last written checkpoint. */
  get now(): Checkpoint {
    return this.#checkpoint;
  }

  /** Updates these parts; when this resolves, the next start uses them. */
  write(change: Checkpoint): Promise<void> {
    const writing = this.#writing.then(async () => {
      const checkpoint = { ...this.#checkpoint, ...change };
      // Nothing to write yet: only in a new store are auxiliary tables made durable before the first versions of entry tables.
      if (checkpoint.entries !== undefined)
        await writeCheckpoint(this.#path, { ...checkpoint, entries: checkpoint.entries }, { synced: this.#synced });
      this.#checkpoint = checkpoint;
    });
    this.#writing = writing.catch(() => undefined);
    return writing;
  }
}
