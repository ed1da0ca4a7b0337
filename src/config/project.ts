import { realpath, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join, relative, sep } from 'node:path';
import { LoreError } from '../memory/errors.ts';
import { DEFAULT_NAMESPACE, detectNamespace } from './namespace.ts';

/** The project of a path. */
export interface ProjectLocation {
  /** Real path of its folder; for a repository, the top of the worktree. */
  readonly folder: string;
  /** Its name: equal in all clones and worktrees of a repository, unique for other folders. */
  readonly root: string;
  /** The path relative to the folder, with `/`; empty for the folder itself. */
  readonly scope: string;
}

interface FindProjectOptions {
  readonly path: string;
  /** The working directory: paths in it that are in no repository belong to it. */
  readonly cwd: string;
  /** Default: the home directory of this user. */
  readonly home?: string | undefined;
}

/** The project of a file or folder. Rejects with `filesystem` if it does not exist. */
export async function findProject({ path, cwd, home = homedir() }: FindProjectOptions): Promise<ProjectLocation> {
  const real = await realpath(path).catch((cause: unknown) => {
    throw new LoreError('filesystem', `No file or folder at ${path}.`, { cause });
  });
  const [top, work] = (await Promise.all([home, cwd].map((folder) => realpath(folder).catch(() => folder)))) as [string, string];
  const start = (await stat(real)).isDirectory() ? real : dirname(real);
  const folder = (await worktreeOf(start, top)) ?? (isBelow(start, work) && work !== top && work !== dirname(work) ? work : start);
  const { namespace } = await detectNamespace({ cwd: folder, home });
  const root = namespace === DEFAULT_NAMESPACE ? folder : namespace;
  return { folder, root, scope: relative(folder, real).split(sep).join('/') };
}

function isBelow(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

/** The worktree of a folder, searched as in `findRepository`. */
async function worktreeOf(folder: string, top: string): Promise<string | undefined> {
  for (let at = folder; at !== top && at !== dirname(at); at = dirname(at)) {
    if ((await stat(join(at, '.git')).catch(() => undefined)) !== undefined) return at;
  }
  return undefined;
}
