import { readFile, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';

interface GitRemote {
  readonly name: string;
  readonly url: string;
}

export interface GitRepository {
  /** Folder of the main worktree; for a bare repository, the repository itself. */
  readonly mainFolder: string;
  /** `origin` first, then in the order of git's config file. */
  readonly remotes: readonly GitRemote[];
}

/**
 * The repository that contains a folder, searched upward but not in `top` or the root: a home directory in git does not identify the
 * projects below it.
 */
export async function findRepository(folder: string, top: string): Promise<GitRepository | undefined> {
  for (let at = folder; at !== top && at !== dirname(at); at = dirname(at)) {
    const found = await repositoryAt(at);
    if (found) return found;
  }
  return undefined;
}

/** The repository at a path, as `git clone` accepts it: a worktree, a bare repository, or either without `.git`. */
export async function repositoryOfPath(path: string): Promise<GitRepository | undefined> {
  const folder = basename(path) === '.git' ? dirname(path) : path;
  return (await repositoryAt(folder)) ?? (await bareAt(folder)) ?? (await bareAt(`${folder}.git`));
}

async function bareAt(folder: string): Promise<GitRepository | undefined> {
  const isBare = (await textOf(join(folder, 'HEAD'))) !== undefined && (await textOf(join(folder, 'config'))) !== undefined;
  return isBare ? { mainFolder: folder, remotes: await remotesOf(folder) } : undefined;
}

async function repositoryAt(folder: string): Promise<GitRepository | undefined> {
  const dotGit = join(folder, '.git');
  const kind = await stat(dotGit).catch(() => undefined);
  if (!kind) return undefined;
  if (kind.isDirectory()) return { mainFolder: folder, remotes: await remotesOf(dotGit) };
  const pointer = /^gitdir:\s*(.+?)\s*$/m.exec((await textOf(dotGit)) ?? '')?.[1];
  if (pointer === undefined) return undefined;
  const gitDir = resolve(folder, pointer);
  const common = (await textOf(join(gitDir, 'commondir')))?.trim();
  // Without commondir it is a submodule, which is a separate project.
  if (common === undefined) return { mainFolder: folder, remotes: await remotesOf(gitDir) };
  const commonDir = resolve(gitDir, common);
  return { mainFolder: basename(commonDir) === '.git' ? dirname(commonDir) : commonDir, remotes: await remotesOf(commonDir) };
}

async function textOf(file: string): Promise<string | undefined> {
  return readFile(file, 'utf8').catch(() => undefined);
}

async function remotesOf(gitDir: string): Promise<readonly GitRemote[]> {
  const remotes = parseRemotes((await textOf(join(gitDir, 'config'))) ?? '');
  return remotes.toSorted((a, b) => Number(b.name === 'origin') - Number(a.name === 'origin'));
}

/** The `url` of every `[remote "…"]` section, in the syntax of `git help config`. */
export function parseRemotes(config: string): GitRemote[] {
  const remotes: GitRemote[] = [];
  let remote: string | undefined;
  for (const line of config.replaceAll(/\\\r?\n/g, '').split(/\r?\n/)) {
    const section = /^\s*\[\s*([\w.-]+)(?:\s+"((?:[^"\\]|\\.)*)")?\s*\]/.exec(line);
    if (section) remote = section[1]?.toLowerCase() === 'remote' ? section[2]?.replaceAll(/\\(.)/g, '$1') : undefined;
    const url = /^(?:\s*\[[^\]]*\])?\s*url\s*=\s*(.*)$/i.exec(line)?.[1];
    if (remote === undefined || url === undefined || remotes.some(({ name }) => name === remote)) continue;
    remotes.push({ name: remote, url: unquoted(url) });
  }
  return remotes;
}

/** Strips quotes and comments. */
function unquoted(value: string): string {
  return value
    .replaceAll(/"((?:[^"\\]|\\.)*)"|[#;].*$|\\(.)/g, (_whole, quoted?: string, escaped?: string) =>
      quoted === undefined ? (escaped ?? '') : quoted.replaceAll(/\\(.)/g, '$1'),
    )
    .trim();
}
