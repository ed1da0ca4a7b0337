import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { linkOrCopy } from './backup-file.ts';
import { tableFiles } from './backup-tables.ts';
import type { FileSum } from '../files/file-sum.ts';
import type { FileSums } from '../tables/file-sums.ts';
import type { Database } from '../tables/database.ts';
import type { Catalog } from '../catalog/catalog.ts';
import { logFiles } from '../wal/log-files.ts';
import type { Compactor } from '../compaction/compactor.ts';
import { ENTRIES } from '../format/schema.ts';
import { asStoreError } from '../errors/store-error.ts';
import { withoutUndefined } from '../../memory/without-undefined.ts';

/** One file of a copy. */
interface CopiedFile {
  /** Below the store folder, with `/`. */
  readonly path: string;
  /** Path of the file while the copy exists. */
  readonly at: string;
  /** Number of bytes that belong to the copy, because a log keeps growing. */
  readonly bytes: number;
  /** Whether the file never changes again. */
  readonly isFinal: boolean;
  /** Expected checksum; absent if unknown. */
  readonly sum?: FileSum;
}

/** A consistent copy of a store: files from which another store can be built. */
export interface StoreCopy {
  /** Epoch milliseconds. */
  readonly takenAt: number;
  readonly entries: number;
  /** Versions of the entry tables, by shard. */
  readonly versions: readonly number[];
  readonly files: readonly CopiedFile[];
}

interface Parts {
  readonly backend: { requireFolder(): string; readonly tables: { readonly sums?: Pick<FileSums, 'at'> } };
  readonly database: Database;
  readonly catalog: Catalog;
  readonly compactor: Pick<Compactor, 'between'>;
  /** Runs work between commits. */
  readonly exclusive: (run: () => void) => Promise<void>;
}

/** Folder for the files of a copy while it is used; they are hard links, so it is on the disk of the store. */
const STAGING = 'staging';

/** Removes the staging files of a killed process. */
export async function dropStaging(storePath: string): Promise<void> {
  await rm(path.join(storePath, STAGING), { recursive: true, force: true }).catch(asStoreError('clean up the store'));
}

/**
 * Consistent copies of a store in use. A copy has the tables at the version that reads use, the auxiliary tables, and the log up to a
 * point between two commits; the log has every change that the tables lack. Table files are written once and never change, so hard links
 * preserve them as long as no maintenance runs while they are made.
 */
export class Copies {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /**
   * Makes a copy that exists until `use` is done. Blocks maintenance while it links files, and commits while it reads the log. One at a
   * time.
   */
  async during<T>(use: (copy: StoreCopy) => Promise<T>): Promise<T> {
    const { backend, compactor } = this.#parts;
    const storePath = backend.requireFolder();
    await dropStaging(storePath);
    try {
      const copy = await compactor.between(() => this.#take(storePath).catch(asStoreError('copy the store')));
      return await use(copy);
    } finally {
      // What cannot be removed now is removed before the next copy.
      await dropStaging(storePath).catch(() => undefined);
    }
  }

  async #take(storePath: string): Promise<StoreCopy> {
    const { backend, database, catalog, exclusive } = this.#parts;
    const { parts } = database.view;
    const versions = parts.map(({ version }) => version);
    let instant = { takenAt: 0, entries: 0, log: [] as ReturnType<typeof logFiles> };
    await exclusive(() => {
      instant = { takenAt: Date.now(), entries: catalog.size, log: logFiles(storePath) };
    });
    const tables = new Map(parts.map(({ name, version }) => [name, version] as const));
    const { log, ...facts } = instant;
    const files: CopiedFile[] = [];
    for (const file of [...(await tableFiles(storePath, tables)), ...log]) {
      const at = path.join(storePath, STAGING, file.path);
      await mkdir(path.dirname(at), { recursive: true, mode: 0o700 });
      await linkOrCopy(path.join(storePath, file.path), at);
      const sum = file.isFinal ? backend.tables.sums?.at(file.path) : undefined;
      files.push({ ...file, at, ...withoutUndefined({ sum }) });
    }
    return { ...facts, versions, files };
  }
}

/** Like `during`, for a store of an older format with one entry table, locked but not opened by this process. */
export async function copyOfClosed(
  storePath: string,
  { entries, version }: { readonly entries: number; readonly version: number },
): Promise<StoreCopy> {
  const files = [...(await tableFiles(storePath, new Map([[ENTRIES, version]]))), ...logFiles(storePath)];
  return {
    entries,
    versions: [version],
    takenAt: Date.now(),
    files: files.map((file) => ({ ...file, at: path.join(storePath, file.path) })),
  };
}
