import { rmSync, type Stats } from 'node:fs';
import { lstat, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { HOUR_MS } from '../../memory/durations.ts';

/** Where the native engine, which is not part of Node, looks for temporary files. */
const VARIABLE = process.platform === 'win32' ? 'TMP' : 'TMPDIR';
const PREFIX = 'lore-engine-';
const NAME = /^lore-engine-(\d+)-/;
/** Prefix of the engine's folder for one task. */
const WORK = /^\.tmp/;
/** A process in another container may seem dead. A folder in use has recent files. */
const ABANDONED_AFTER_MS = HOUR_MS;
const OTHERS = 0o077;

interface Place {
  /** Parent of such folders: the system's or the user's temporary folder. */
  readonly outer: string;
  folder: string;
}

let place: Promise<Place | undefined> | undefined;
let building = 0;

/**
 * Gives the engine a separate temporary folder, which is removed when this process ends, and removes those of killed processes: LanceDB
 * leaves files behind for every vector index that it builds, with all of the vectors. Changes the environment, so it is only for a process
 * that belongs to Lore alone, and must be called before the engine starts, whose threads may read the environment later. Safe to repeat. If
 * the folder cannot be created, the engine uses the system's.
 */
export async function useOwnEngineTemp(): Promise<void> {
  place ??= openPlace(tmpdir());
  await place;
}

/** Folder for Lore's temporary files. It is created again if a cleanup of the system removed it. */
export async function temporaryFolder(): Promise<string> {
  return (await place)?.outer ?? tmpdir();
}

/** Runs a build of the engine, and removes its temporary files if it has a separate folder. Rejects as `build` does. */
export async function withEngineCleanup<T>(build: () => Promise<T>): Promise<T> {
  const own = await place;
  if (own === undefined) return await build();
  building += 1;
  try {
    if (building === 1 && !isOurs(await lstat(own.folder).catch(() => undefined))) await renew(own);
    return await build();
  } finally {
    building -= 1;
    // With several concurrent builds the owner of a file is unknown, so the last one cleans up.
    if (building === 0) await clean(own.folder);
  }
}

async function openPlace(outer: string): Promise<Place | undefined> {
  try {
    const own: Place = { outer, folder: outer };
    await renew(own);
    // However the process ends, except by a signal that cannot be caught.
    process.once('exit', () => remove(own.folder));
    await dropAbandoned(outer);
    return own;
  } catch {
    return undefined;
  }
}

async function renew(own: Place): Promise<void> {
  own.folder = await mkdtemp(path.join(own.outer, `${PREFIX}${process.pid}-`));
  process.env[VARIABLE] = own.folder;
}

function remove(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true });
  } catch {
    // A thread of the engine may still write: the next process removes it.
  }
}

async function clean(folder: string): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  const left = names.filter((name) => WORK.test(name)).map((name) => path.join(folder, name));
  await Promise.all(left.map((work) => rm(work, { recursive: true, force: true }).catch(() => {})));
}

/** Folders of this user whose process is gone. */
async function dropAbandoned(outer: string): Promise<void> {
  for (const name of await readdir(outer)) {
    const pid = NAME.exec(name)?.[1];
    if (pid === undefined || isAlive(Number(pid))) continue;
    const folder = path.join(outer, name);
    const found = await lstat(folder).catch(() => undefined);
    if (isOurs(found) && Date.now() - found.mtimeMs > ABANDONED_AFTER_MS)
      await rm(folder, { recursive: true, force: true }).catch(() => {});
  }
}

/** Whether this user owns the folder, and nobody else can write to it. */
function isOurs(found: Stats | undefined): found is Stats {
  if (found?.isDirectory() !== true) return false;
  return process.platform === 'win32' || (found.uid === process.getuid?.() && (found.mode & OTHERS) === 0);
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}
