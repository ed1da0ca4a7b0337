import { open, readdir, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { LoreError } from '../../memory/errors.ts';

/** Files synced concurrently: each takes three turns of the event loop, which other work makes slow. */
const AT_ONCE = 32;

/** Makes the names in a folder durable. Systems that cannot sync folders do this themselves. */
export async function syncFolder(folder: string, refused: Refused = () => undefined): Promise<void> {
  await syncFile(folder, (error) => {
    if (!isOneOf(error, NO_FOLDERS)) refused(error);
  }).catch(ignore(...NO_FOLDERS));
}

const NO_FOLDERS = ['EISDIR', 'EPERM', 'EINVAL', 'EACCES'];

/** Called for a failed sync, but not for a file that could not be opened for it. */
type Refused = (error: unknown) => void;

async function syncFile(file: string, refused: Refused): Promise<void> {
  const handle = await open(file, 'r');
  try {
    await handle.sync();
  } catch (error) {
    refused(error);
    throw error;
  } finally {
    await handle.close();
  }
}

/**
 * Syncs a folder of immutable files, each file once. After a failed sync the contents of the disk are unknown, and the next sync would
 * report success, so every later run is refused.
 */
export class FolderSync {
  readonly #folder: string;
  readonly #onRefused: () => void;
  #done = new Set<string>();
  #refused: LoreError | undefined;

  /** `onRefused` is called once. */
  constructor(folder: string, onRefused: () => void = () => undefined) {
    this.#folder = folder;
    this.#onRefused = onRefused;
  }

  /**
   * Resolves when everything in the folder at the time of the call is durable. Rejects with `unavailable` if the disk refuses, and from
   * then on always.
   */
  async run(): Promise<void> {
    if (this.#refused !== undefined) throw this.#refused;
    try {
      await this.#run();
    } catch (error) {
      throw this.#refused ?? error;
    }
  }

  readonly #refuse: Refused = (cause) => {
    if (this.#refused !== undefined || isOneOf(cause, GONE)) return;
    this.#refused = new LoreError('unavailable', 'The data could not be written to disk. Lore writes it again after a restart.', {
      cause,
      hint: 'Check the disk, then restart Lore.',
    });
    this.#onRefused();
  };

  async #run(): Promise<void> {
    const found = await readdir(this.#folder, { recursive: true, withFileTypes: true });
    const paths = found.map((entry) => ({ file: path.join(entry.parentPath, entry.name), isFolder: entry.isDirectory() }));
    const files = paths.flatMap(({ file, isFolder }) => (isFolder || this.#done.has(file) ? [] : [file]));
    await syncAll(files, (file) => syncFile(file, this.#refuse));
    const folders = [this.#folder, ...paths.flatMap(({ file, isFolder }) => (isFolder ? [file] : []))];
    await syncAll(folders, (folder) => syncFolder(folder, this.#refuse));
    this.#done = new Set(paths.flatMap(({ file, isFolder }) => (isFolder ? [] : [file])));
  }
}

async function syncAll(paths: readonly string[], sync: (file: string) => Promise<void>): Promise<void> {
  for (let start = 0; start < paths.length; start += AT_ONCE) {
    await Promise.all(paths.slice(start, start + AT_ONCE).map((file) => sync(file).catch(ignoreMissing)));
  }
}

const isOneOf = (error: unknown, codes: readonly string[]): boolean =>
  error instanceof Error && 'code' in error && codes.includes(String(error.code));

const ignore =
  (...codes: readonly string[]) =>
  (error: unknown): void => {
    if (!isOneOf(error, codes)) throw error;
  };

/** A file that was removed meanwhile needs no sync. */
const GONE = ['ENOENT'];
const ignoreMissing = ignore(...GONE);

/** Replaces a small file atomically: readers, even after a power cut, find the complete old or new text. */
export async function replaceFile(file: string, text: string | Buffer, { synced }: { synced: boolean }): Promise<void> {
  const fresh = `${file}.new`;
  await writeFile(fresh, text, { mode: 0o600, flush: synced });
  await rename(fresh, file);
  if (synced) await syncFolder(path.dirname(file));
}
