import { open, readdir, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';

/** Files synced side by side: each takes three turns of the event loop, which other work makes slow. */
const AT_ONCE = 32;

/** Makes the names in a folder survive a power cut. Systems that cannot sync folders keep them themselves. */
export async function syncFolder(folder: string): Promise<void> {
  await syncFile(folder).catch(ignore('EISDIR', 'EPERM', 'EINVAL', 'EACCES'));
}

async function syncFile(file: string): Promise<void> {
  const handle = await open(file, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Syncs a folder of files that are written once and never changed, each file once. */
export class TreeSync {
  readonly #folder: string;
  #done = new Set<string>();

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Resolves once everything that was in the folder when it was called survives a power cut. */
  async run(): Promise<void> {
    const found = await readdir(this.#folder, { recursive: true, withFileTypes: true });
    const paths = found.map((entry) => ({ file: path.join(entry.parentPath, entry.name), isFolder: entry.isDirectory() }));
    const files = paths.flatMap(({ file, isFolder }) => (isFolder || this.#done.has(file) ? [] : [file]));
    await syncAll(files, syncFile);
    await syncAll([this.#folder, ...paths.flatMap(({ file, isFolder }) => (isFolder ? [file] : []))], syncFolder);
    this.#done = new Set(paths.flatMap(({ file, isFolder }) => (isFolder ? [] : [file])));
  }
}

async function syncAll(paths: readonly string[], sync: (file: string) => Promise<void>): Promise<void> {
  for (let start = 0; start < paths.length; start += AT_ONCE) {
    await Promise.all(paths.slice(start, start + AT_ONCE).map((file) => sync(file).catch(ignoreMissing)));
  }
}

const ignore =
  (...codes: readonly string[]) =>
  (error: unknown): void => {
    if (!(error instanceof Error && 'code' in error && codes.includes(String(error.code)))) throw error;
  };

/** A file that was removed meanwhile needs no sync. */
const ignoreMissing = ignore('ENOENT');

/** Puts a small file in the place of another one: whoever reads it, also after a power cut, finds the old or the new text whole. */
export async function replaceFile(file: string, text: string, { synced }: { synced: boolean }): Promise<void> {
  const fresh = `${file}.new`;
  await writeFile(fresh, text, { mode: 0o600, flush: synced });
  await rename(fresh, file);
  if (synced) await syncFolder(path.dirname(file));
}
