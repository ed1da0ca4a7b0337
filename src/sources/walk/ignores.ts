import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import createIgnore, { type Ignore } from 'ignore';

/** In ascending precedence. */
export const IGNORE_FILES = ['.gitignore', '.loreignore'] as const;
/** Folders that are never indexed, whether ignored or not. */
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
 * The rules of `.gitignore` and `.loreignore` in all folders below the root, with git's semantics: deeper files and later lines take
 * precedence, and nothing below an ignored folder is included again. Each file is read once: create a new instance to see changes.
 */
export class Ignores {
  readonly #root: string;
  readonly #rules = new Map<string, Ignore | undefined>();

  /** `root`: folder to which paths are relative, with `/`. */
  constructor(root: string) {
    this.#root = root;
  }

  /** Whether a file or folder, or one of its folders, is ignored. The root is not. */
  has(path: string, isFolder: boolean): boolean {
    const parts = path.split('/').filter((part) => part !== '');
    return parts.some((_, nth) => this.hasItself(parts.slice(0, nth + 1).join('/'), isFolder || nth < parts.length - 1));
  }

  /** Like `has`, if none of its folders is ignored. */
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
