import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { stat } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { LoreError } from '../../memory/errors.ts';
import { readAll, type DocumentFile } from './document-files.ts';

/** Options that stop the repository's configuration from running programs, changing the output or prompting. */
const GIT = ['--no-pager', '--no-optional-locks', '-c', 'core.quotePath=false', '-c', 'core.fsmonitor=false', '-c', 'diff.relative=false'];
const LOG = [
  'log',
  '--format=medium',
  '--date=iso-strict',
  '--name-only',
  '--no-color',
  '--no-decorate',
  '--no-notes',
  '--no-show-signature',
  '--no-ext-diff',
  '--no-textconv',
  '--encoding=UTF-8',
];
/** Variables that could redirect git to another repository or make it run programs. */
const UNSET = ['GIT_DIR', 'GIT_WORK_TREE', 'GIT_INDEX_FILE', 'GIT_EXTERNAL_DIFF', 'GIT_PAGER', 'GIT_NAMESPACE', 'GIT_TRACE'];

interface GitHistoryOptions {
  /** Only later commits: a date, or a relative time of git such as `2 weeks ago`. */
  readonly since: string | undefined;
  /** Maximum number of commits, newest first. */
  readonly limit: number;
  readonly signal: AbortSignal | undefined;
}

/**
 * The history of the repository of a folder, as a document with the output of `git log`. Loading it rejects with `filesystem` if there is
 * no repository.
 */
export function gitHistory(folder: string, options: GitHistoryOptions): DocumentFile {
  const name = `git log of ${folder}`;
  return {
    name,
    place: undefined,
    extension: '',
    isNamed: true,
    format: 'git-log',
    load: async () => await logOf(folder, name, options),
  };
}

async function logOf(folder: string, name: string, { since, limit, signal }: GitHistoryOptions): Promise<Uint8Array> {
  const isFolder = await stat(folder).then(
    (stats) => stats.isDirectory(),
    () => false,
  );
  if (!isFolder) throw new LoreError('filesystem', `${folder} cannot be read: it is not a folder.`);
  const range = [`--max-count=${limit}`, ...(since === undefined ? [] : [`--since=${since}`])];
  const child = spawn('git', [...GIT, '-C', folder, ...LOG, ...range, 'HEAD', '--'], {
    env: environment(),
    stdio: ['ignore', 'pipe', 'pipe'],
    signal,
  });
  const exit = once(child, 'close').catch((cause: unknown) => Promise.reject(cannotRun(cause)));
  try {
    const [bytes, said] = await Promise.all([readAll(child.stdout as AsyncIterable<Uint8Array>, name), text(child.stderr), exit]);
    if (child.exitCode !== 0) throw refusal(folder, said);
    return bytes;
  } finally {
    child.kill();
  }
}

function environment(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => !UNSET.includes(name));
  return { ...Object.fromEntries(kept), LC_ALL: 'C', GIT_TERMINAL_PROMPT: '0', GIT_NO_LAZY_FETCH: '1' };
}

function cannotRun(cause: unknown): unknown {
  if ((cause as NodeJS.ErrnoException).code !== 'ENOENT') return cause;
  return new LoreError('filesystem', 'git cannot be run: it is not installed, or not in PATH.', { cause });
}

function refusal(folder: string, said: string): LoreError {
  const first = said.split('\n')[0]?.replace(/^fatal: /, '') ?? '';
  if (first.startsWith('not a git repository')) return new LoreError('filesystem', `${folder} is not in a git repository.`);
  if (/ambiguous argument 'HEAD'|bad revision 'HEAD'|does not have any commits/.test(said)) {
    return new LoreError('unsupported_media_type', `${folder} is in a repository without commits.`);
  }
  return new LoreError('filesystem', `The history of ${folder} cannot be read: git says ${JSON.stringify(first)}.`);
}
