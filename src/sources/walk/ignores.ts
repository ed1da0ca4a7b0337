import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import createIgnore, { type Ignore } from 'ignore';

/** In this order: what `.loreignore` says counts more. */
export const IGNORE_FILES = ['.gitignore', '.loreignore'] as const;
/** Folders that no project means when it says "my files", whether or not it ignores them. */
const NEVER = new Set([
  '.git',
  '.hg',
  '.svn',
  '.jj',
  'node_modules',
  'bower_components',
  '__pycache__',
  '.venv',
  '.tox',
  '.nox',
  '.mypy_cache',
  '.pytest_cache',
  '.ruff_cache',
  '.gradle',
  '.terraform',
  '.next',
  '.nuxt',
  '.svelte-kit',
  '.turbo',
  '.cache',
  '.parcel-cache',
  '.yarn',
  '.pnpm-store',
]);

/**
 * What `.gitignore` and `.loreignore` leave out, in any folder below the root, as git reads them: the deeper file counts more, the later line
 * too, and nothing below a folder that is left out comes back. Each file is read once: make another one to see changes.
 */
export class Ignores {
  readonly #root: string;
  readonly #rules = new Map<string, Ignore | undefined>();

  /** `root` is a folder; paths count from it, with `/`. */
  constructor(root: string) {
    this.#root = root;
  }

  /** Whether this file or folder, or a folder that it lies in, is left out. The root is not. */
  has(path: string, isFolder: boolean): boolean {
    const parts = path.split('/').filter((part) => part !== '');
    return parts.some((_, nth) => this.hasItself(parts.slice(0, nth + 1).join('/'), isFolder || nth < parts.length - 1));
  }

  /** The same, where no folder that it lies in is left out. */
  hasItself(path: string, isFolder: boolean): boolean {
    const parts = path.split('/');
    if (NEVER.has(parts.at(-1) ?? '')) return true;
    for (let depth = parts.length - 1; depth >= 0; depth -= 1) {
      const below = parts.slice(depth).join('/');
      const verdict = this.#rulesOf(parts.slice(0, depth).join('/'))?.test(isFolder ? `${below}/` : below);
      if (verdict?.ignored === true) return true;
      if (verdict?.unignored === true) return false;
    }
    return false;
  }

  #rulesOf(folder: string): Ignore | undefined {
    if (this.#rules.has(folder)) return this.#rules.get(folder);
    const names = folder === '' ? ['.git/info/exclude', ...IGNORE_FILES] : IGNORE_FILES;
    const texts = names.flatMap((name) => textOf(join(this.#root, folder, name)) ?? []);
    const rules = texts.length === 0 ? undefined : createIgnore({ ignorecase: false }).add(texts.join('\n'));
    this.#rules.set(folder, rules);
    return rules;
  }
}

function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8').replace(/^\ufeff/, '');
  } catch {
    return undefined;
  }
}
