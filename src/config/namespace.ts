import { createHash } from 'node:crypto';
import { realpath } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, dirname, resolve } from 'node:path';
import { Namespace } from '../memory/entry.ts';
import { storedName } from '../memory/names.ts';
import { findRepository, repositoryOfPath, type GitRepository } from './git-repository.ts';
import { localPath, repositoryName } from './git-remote.ts';
import { withoutUndefined } from '../memory/without-undefined.ts';

export const DEFAULT_NAMESPACE = 'default';
const MAX_FOLDER_CHARS = 200;
/** Maximum number of clones of clones to follow. */
const MAX_CLONES = 8;

export interface DetectedNamespace {
  readonly namespace: string;
  /** The reason in plain words, such as `the git remote origin`. */
  readonly why: string;
  /** The folder that gives the name: on another machine the same project would get another name. */
  readonly folder?: string;
}

interface DetectOptions {
  readonly cwd: string;
  /** `memory.namespace`. */
  readonly configured?: string | undefined;
  /** Default: the home directory of this user. */
  readonly home?: string | undefined;
}

/**
 * The namespace for a working directory: as configured; else `owner/repo` of its git remote; else the namespace of the local repository
 * it was cloned from; else the name of the main worktree's folder (without git, of the folder) with a short hash of its real path; else
 * `default` for the home directory and the root. Reads git's files and starts no process. Never rejects.
 */
export async function detectNamespace({ cwd, configured, home = homedir() }: DetectOptions): Promise<DetectedNamespace> {
  if (configured !== undefined) return { namespace: configured, why: 'memory.namespace is set' };
  const folder = await realFolder(cwd);
  const top = await realFolder(home);
  if (folder === top || folder === dirname(folder)) {
    return { namespace: DEFAULT_NAMESPACE, why: `the working directory is ${folder === top ? 'the home directory' : 'the root'}` };
  }
  const repository = await findRepository(folder, top);
  if (!repository) return { namespace: folderNamespace(folder), why: `the folder ${folder}, which has no git repository`, folder };
  return await namespaceOf(repository, MAX_CLONES);
}

async function namespaceOf({ remotes, mainFolder }: GitRepository, clones: number): Promise<DetectedNamespace> {
  for (const { name, url } of remotes) {
    const parsed = Namespace.safeParse(storedName(repositoryName(url) ?? ''));
    if (parsed.success) return { namespace: parsed.data, why: `the git remote ${name}` };
  }
  const main = await realFolder(mainFolder);
  const origin = remotes.find(({ name }) => name === 'origin');
  const path = origin && localPath(origin.url, main);
  if (path !== undefined && clones > 0) {
    const source = await realFolder(path);
    const repository = await repositoryOfPath(source);
    // Also if the source is currently missing, such as on another disk: the name must not change with that.
    const { namespace, folder } = repository
      ? await namespaceOf(repository, clones - 1)
      : { namespace: folderNamespace(source), folder: source };
    return { namespace, why: `the repository ${source}, which this one was cloned from`, ...withoutUndefined({ folder }) };
  }
  return { namespace: folderNamespace(main), why: `the git repository ${main}, which has no remote on a server`, folder: main };
}

async function realFolder(folder: string): Promise<string> {
  return realpath(folder).catch(() => resolve(folder));
}

/** A folder name with a hash, which distinguishes folders of the same name. */
function folderNamespace(folder: string): string {
  const hash = createHash('sha256').update(folder).digest('hex').slice(0, 8);
  const name = storedName(basename(folder).toWellFormed())
    .replaceAll(/\p{Cc}/gu, '_')
    .slice(0, MAX_FOLDER_CHARS)
    .toWellFormed();
  return `${name}-${hash}`;
}
