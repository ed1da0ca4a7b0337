import { existsSync, mkdirSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { LoreError } from '../memory/errors.ts';
import { projectFileIn, type ProjectFile } from './project-file.ts';
import { sha256 } from './sha256.ts';

// Must not load the schema: hooks decide about trust too, and loading takes too long.

/**
 * Keys that an untrusted project file may set: none reaches beyond the project. Listed explicitly, so that new keys are not allowed by
 * accident. Left out on purpose: keys that shape the indexes of the whole store or the memory of its process.
 */
const PROJECT_KEYS: ReadonlySet<string> = new Set([
  'memory.namespace',
  'memory.container',
  'search.defaultMode',
  'search.vectorWeight',
  'search.keywordWeight',
  'search.recencyWeight',
  'search.importanceWeight',
  'search.limit',
  'search.hnswEf',
  'index.maxFileSizeKB',
  'index.maxFilesPerScan',
  'index.chunkSize',
]);

/** Whether an untrusted project file may set this key to this value. */
export function mayProjectSet(key: string, value: unknown): boolean {
  // A project may turn capture off, never on.
  return key === 'capture.enabled' ? value === false : PROJECT_KEYS.has(key);
}

/** Folder of trust records: one file per trusted file, named by the SHA-256 of path and content; it contains the path. */
const recordsFolder = (dataFolder: string): string => join(dataFolder, 'trusted');

function digestOf(path: string, text: string): string {
  return sha256(`${canonical(path)}\0${text}`);
}

/**
 * The path with symbolic links resolved in its folders. The file itself may be a link: its relative paths count from where it was found.
 */
function canonical(path: string): string {
  try {
    return join(realpathSync(dirname(path)), basename(path));
  } catch {
    return resolve(path);
  }
}

/** Whether the user trusts this file with this content. Never throws. */
export function isTrusted({ path, text }: ProjectFile, dataFolder: string): boolean {
  return text !== undefined && existsSync(join(recordsFolder(dataFolder), digestOf(path, text)));
}

/** Trusts a file with this content, and no longer with other content. Safe to repeat. Errors: `filesystem`. */
export function trustFile({ path, text }: { readonly path: string; readonly text: string }, dataFolder: string): void {
  const name = digestOf(path, text);
  const folder = recordsFolder(dataFolder);
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    writeFileSync(join(folder, name), canonical(path), { mode: 0o600 });
    for (const record of recordsOf(path, dataFolder)) if (record.name !== name) rmSync(join(folder, record.name));
  } catch (cause) {
    throw cannotWrite(folder, cause);
  }
}

/** Revokes trust in a file, whatever its content. False if it was not trusted. Errors: `filesystem`. */
export function revokeTrust(path: string, dataFolder: string): boolean {
  const records = recordsOf(path, dataFolder);
  try {
    for (const { name } of records) rmSync(join(recordsFolder(dataFolder), name), { force: true });
  } catch (cause) {
    throw cannotWrite(recordsFolder(dataFolder), cause);
  }
  return records.length > 0;
}

export interface TrustedFile {
  readonly path: string;
  /** `trusted`: unchanged since it was trusted; only this counts. `changed` files must be trusted again. */
  readonly state: 'trusted' | 'changed' | 'missing';
}

/** All trusted files that are not revoked, by path. Errors: `filesystem`. */
export function trustedFiles(dataFolder: string): TrustedFile[] {
  return records(dataFolder)
    .map(({ path }): TrustedFile => {
      const file = projectFileIn(dirname(path));
      const state = file === undefined ? 'missing' : isTrusted(file, dataFolder) ? 'trusted' : 'changed';
      return { path, state };
    })
    .toSorted((a, b) => (a.path < b.path ? -1 : 1));
}

interface TrustRecord {
  readonly name: string;
  readonly path: string;
}

function recordsOf(path: string, dataFolder: string): TrustRecord[] {
  const wanted = canonical(path);
  return records(dataFolder).filter((record) => record.path === wanted);
}

function records(dataFolder: string): TrustRecord[] {
  const folder = recordsFolder(dataFolder);
  try {
    const names = readdirSync(folder).filter((name) => /^[0-9a-f]{64}$/.test(name));
    return names.map((name) => ({ name, path: readFileSync(join(folder, name), 'utf8') }));
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw new LoreError('filesystem', `The list of trusted files in ${folder} cannot be read.`, { cause });
  }
}

function cannotWrite(folder: string, cause: unknown): LoreError {
  return new LoreError('filesystem', `The list of trusted files in ${folder} cannot be written.`, { cause });
}
