import { rmSync, type Stats } from 'node:fs';
import { lstat, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** Where the engine, which is not of Node, looks for the folder of temporary files. */
const VARIABLE = process.platform === 'win32' ? 'TMP' : 'TMPDIR';
const PREFIX = 'lore-engine-';
const NAME = /^lore-engine-(\d+)-/;
/** What the engine calls a folder that it makes for one piece of work. */
const WORK = /^\.tmp/;
/** A process in another container may look as if it were gone. A folder that it uses has just been written to. */
const ABANDONED_AFTER_MS = 3_600_000;
const OTHERS = 0o077;

interface Place {
  /** Where such folders belong: that of the system, or of the user. */
  readonly outer: string;
  folder: string;
}

let place: Promise<Place | undefined> | undefined;
let building = 0;

/**
 * LanceDB leaves behind what it wrote down while it built a vector index, all of the vectors, for every index. This gives it a folder of its own to
 * do that in, which goes with this process, and removes those of processes that were killed. It changes the environment of the process, so it is
 * for one that belongs to Lore alone; to be called before the engine is at work, because its threads may be reading the environment later. Safe to
 * repeat. Where there can be no such folder, the engine has that of the system.
 */
export async function ownEngineTemp(): Promise<void> {
  place ??= openPlace(tmpdir());
  await place;
}

/** Folder for temporary files of ours. It is there also when a folder of the engine was cleaned away below a server that runs for weeks. */
export async function temporaryFolder(): Promise<string> {
  return (await place)?.outer ?? tmpdir();
}

/** Runs a build of the engine, and removes its temporary files if it has a separate folder. Rejects as `build` does. */
export async function cleanedUp<T>(build: () => Promise<T>): Promise<T> {
  const own = await place;
  if (own === undefined) return await build();
  building += 1;
  try {
    if (building === 1 && !isOurs(await lstat(own.folder).catch(() => undefined))) await renew(own);
    return await build();
  } finally {
    building -= 1;
    // Whose of several it is nobody knows: the last one cleans up after all of them.
    if (building === 0) await clean(own.folder);
  }
}

async function openPlace(outer: string): Promise<Place | undefined> {
  try {
    const own: Place = { outer, folder: outer };
    await renew(own);
    // Whatever ends the process but a signal that cannot be caught; what still uses it then is at its end as well.
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

/** Those of this user whose process is gone. */
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

/** Whether it is a folder that this user made, and nobody else may write to. */
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
