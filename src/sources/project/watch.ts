import { basename, join, relative, sep } from 'node:path';
import { watch, type FSWatcher } from 'chokidar';
import { LoreError } from '../../memory/errors.ts';
import { IGNORE_FILES, Ignores } from '../walk/ignores.ts';
import { nameReason } from '../walk/names.ts';
import type { Project } from './plan.ts';

interface WatchOptions {
  readonly project: Pick<Project, 'folder' | 'scope'>;
  /** Called at the start and after every change, one call at a time; changes during a call cause another. */
  readonly onChange: () => Promise<void>;
  /** Receives errors of watching itself, such as too few file watches. */
  readonly onFault: (error: LoreError) => void;
  /** Ends watching after the current call. */
  readonly signal: AbortSignal;
}

/** Wait for this long without changes: editors and branch switches change many files in a row. */
const SETTLE_MS = 300;
/** Maximum delay while changes continue. */
const LONGEST_WAIT_MS = 3000;

/** Calls `onChange` whenever an indexable file of a project changes, until `signal`. Rejects if `onChange` does. */
export async function watchProject({ project, onChange, onFault, signal }: WatchOptions): Promise<void> {
  const changes = new Changes(signal);
  let watcher = await watching(project, changes, onFault);
  try {
    changes.note(false);
    while (await changes.settled()) {
      if (changes.takeRulesChanged()) {
        await watcher.close();
        watcher = await watching(project, changes, onFault);
      }
      await onChange();
    }
  } finally {
    await watcher.close();
  }
}

async function watching(
  { folder, scope }: WatchOptions['project'],
  changes: Changes,
  onFault: WatchOptions['onFault'],
): Promise<FSWatcher> {
  const ignores = new Ignores(folder);
  const watcher = watch(join(folder, scope), {
    ignoreInitial: true,
    followSymlinks: false,
    ignorePermissionErrors: true,
    ignored: (path, stats) => {
      const below = relative(folder, path).split(sep).join('/');
      if (below === '' || below === scope || below.startsWith('..')) return false;
      if (stats?.isFile() === true && nameReason(below) !== undefined) return true;
      return ignores.has(below, stats?.isDirectory() ?? false);
    },
  });
  watcher.on('all', (_event, path) => changes.note(IGNORE_FILES.some((name) => name === basename(path))));
  watcher.on('error', (error) => onFault(watchFault(error)));
  await new Promise<void>((resolve) => watcher.once('ready', resolve));
  return watcher;
}

function watchFault(cause: unknown): LoreError {
  const isFull = (cause as NodeJS.ErrnoException).code === 'ENOSPC' || (cause as NodeJS.ErrnoException).code === 'EMFILE';
  return new LoreError('filesystem', isFull ? 'The system has too few file watches for this project.' : 'The files could not be watched.', {
    cause,
    ...(isFull ? { hint: 'Exclude folders in .loreignore, watch part of the project, or raise fs.inotify.max_user_watches.' } : {}),
  });
}

/** Pending changes. */
class Changes {
  readonly #signal: AbortSignal;
  #pending = false;
  #rulesChanged = false;
  #firstAt = 0;
  #latestAt = 0;
  #wake: () => void = () => {};

  constructor(signal: AbortSignal) {
    this.#signal = signal;
    signal.addEventListener('abort', () => this.#wake());
  }

  /** `rules`: an ignore file changed. */
  note(rules: boolean): void {
    this.#latestAt = Date.now();
    if (!this.#pending) this.#firstAt = this.#latestAt;
    this.#pending = true;
    this.#rulesChanged ||= rules;
    this.#wake();
  }

  takeRulesChanged(): boolean {
    const changed = this.#rulesChanged;
    this.#rulesChanged = false;
    return changed;
  }

  /** Waits for changes and then for a pause; false at the end. */
  async settled(): Promise<boolean> {
    while (!this.#signal.aborted) {
      const now = Date.now();
      const dueAt = Math.min(this.#latestAt + SETTLE_MS, this.#firstAt + LONGEST_WAIT_MS);
      if (this.#pending && now >= dueAt) {
        this.#pending = false;
        return true;
      }
      await this.#woken(this.#pending ? dueAt - now : undefined);
    }
    return false;
  }

  async #woken(withinMs: number | undefined): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
      if (withinMs !== undefined) timer = setTimeout(resolve, withinMs);
    });
    clearTimeout(timer);
  }
}
