import { closeSync, openSync, readFileSync, readSync, statSync } from 'node:fs';
import path from 'node:path';
import { LoreError } from '../../memory/errors.ts';
import { fragmentsOf } from '../format/manifest-text.ts';
import { manifestsOf, tableFolder, VERSIONS } from '../format/manifests.ts';
import { refuseFaults } from '../errors/store-error.ts';

/** The last bytes of every data file. */
const ENDING = 'LANC';

/**
 * Turns a failure to read rows of a table into an error that names the damaged files and what to do, for `.catch(damagedData(path,
 * 'entries'))`. System errors stay as they are.
 */
export function damagedData(storePath: string, table: string): (cause: unknown) => never {
  return (cause) => {
    if (cause instanceof LoreError && cause.code !== 'internal') throw cause;
    refuseFaults('read the store')(cause instanceof LoreError ? cause.cause : cause);
    throw new LoreError('filesystem', `The store in ${storePath} is damaged: ${whatOf(storePath, table)}. Nothing was removed.`, {
      cause,
      hint: HINT,
    });
  };
}

const HINT =
  '`lore doctor --repair` builds a new store from the readable data and keeps this one under another name; `lore export` exports the readable entries.';

/** The error for an altered manifest of a table. */
export function wrongFile(storePath: string, file: string): LoreError {
  return new LoreError('filesystem', `The store in ${storePath} is damaged: ${file} was altered. Nothing was removed.`, {
    hint: HINT,
  });
}

function whatOf(storePath: string, table: string): string {
  const broken = brokenFiles(storePath, table);
  const [first] = broken;
  if (first === undefined) return `rows of its table ${table} cannot be read`;
  const rows = broken.reduce((sum, fragment) => sum + fragment.rows, 0).toLocaleString('en-US');
  const others = broken.length - 1;
  const more = others === 0 ? '' : ` and ${others} more ${others === 1 ? 'file' : 'files'}`;
  return `${first.file}${more} cannot be read, which held up to ${rows} rows`;
}

/** Data files of the newest version that are missing, empty or truncated. */
function brokenFiles(storePath: string, table: string): { readonly file: string; readonly rows: number }[] {
  const folder = path.join(storePath, tableFolder(table));
  const [newest] = manifestsOf(storePath, table);
  if (newest === undefined) return [];
  try {
    return fragmentsOf(readFileSync(path.join(folder, VERSIONS, newest.name))).flatMap(({ files, deletions, rows }) => {
      const data = files.filter((file) => !isWholeFile(path.join(folder, file)));
      const deleted = deletions !== undefined && !hasBytes(path.join(folder, deletions.file)) ? [deletions.file] : [];
      // One missing file loses the same rows as all files of the fragment.
      return [...data, ...deleted].map((file, nth) => ({ file: `${tableFolder(table)}/${file}`, rows: nth === 0 ? rows : 0 }));
    });
  } catch {
    return [];
  }
}

function isWholeFile(file: string): boolean {
  if (!hasBytes(file)) return false;
  const descriptor = openSync(file, 'r');
  try {
    const ending = Buffer.alloc(ENDING.length);
    readSync(descriptor, ending, 0, ending.length, Math.max(0, statSync(file).size - ending.length));
    return ending.toString('latin1') === ENDING;
  } finally {
    closeSync(descriptor);
  }
}

function hasBytes(file: string): boolean {
  try {
    return statSync(file).size > 0;
  } catch {
    return false;
  }
}
