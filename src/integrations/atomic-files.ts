import { createHash, randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { access, chmod, lstat, mkdir, open, readFile, realpath, rename, rm, rmdir, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { LoreError } from '../memory/errors.ts';

const MARK = '\uFEFF';

/** The current state of a client's file. */
export interface FileState {
  /** The path that the client uses. */
  readonly path: string;
  /** The path after resolving symbolic links: this file is read and written. */
  readonly real: string;
  /** Undefined if the file does not exist. */
  readonly bytes: Buffer | undefined;
  /** Without byte order mark; empty if the file does not exist. */
  readonly text: string;
  /** The byte order mark; empty if there is none. */
  readonly mark: string;
  /** Permission bits; undefined if the file does not exist. */
  readonly mode: number | undefined;
}

/** Reads a file that may not exist. Errors: `filesystem` (a folder, no access, a dangling link), `invalid_input` (not UTF-8). */
export async function readState(path: string): Promise<FileState> {
  try {
    const real = await realPath(path);
    const found = await stat(real).catch(missingAsUndefined);
    if (found === undefined) return { path, real, bytes: undefined, text: '', mark: '', mode: undefined };
    if (!found.isFile()) throw new LoreError('filesystem', `${path} is not a file.`);
    const bytes = await readFile(real);
    const decoded = decode(path, bytes);
    const mark = decoded.startsWith(MARK) ? MARK : '';
    return { path, real, bytes, text: decoded.slice(mark.length), mark, mode: found.mode & 0o777 };
  } catch (error) {
    throw asOurs(error, `${path} cannot be read`);
  }
}

function decode(path: string, bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw new LoreError('invalid_input', `${path} is not UTF-8 text and was not changed.`, { cause });
  }
}

/** Resolves symbolic links, also for a file that does not exist yet. */
async function realPath(path: string): Promise<string> {
  const real = await realpath(path).catch(missingAsUndefined);
  if (real !== undefined) return real;
  const link = await lstat(path).catch(missingAsUndefined);
  if (link?.isSymbolicLink() === true) throw new LoreError('filesystem', `${path} is a dangling symbolic link.`);
  return dirname(path) === path ? path : join(await realPath(dirname(path)), basename(path));
}

function missingAsUndefined(error: unknown): undefined {
  if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  return undefined;
}

/** SHA-256 of the bytes of a file, hex. */
export function digest(bytes: Buffer | string): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** Whether anything exists at a path. */
export async function exists(path: string): Promise<boolean> {
  return (await lstat(path).catch(() => undefined)) !== undefined;
}

/** The planned change of a file. */
export interface FileChange {
  readonly state: FileState;
  /** The whole new content; undefined removes the file. */
  readonly content: Buffer | undefined;
}

/** Checks that a file can be written, without writing. Errors: `filesystem`. */
export async function checkWritable({ path, real, mode }: FileState): Promise<void> {
  // Root can write every file, and a file in a writable folder can be replaced. But a read-only file was made so on purpose.
  if (mode !== undefined && (mode & 0o222) === 0) throw new LoreError('filesystem', `${path} is read-only.`);
  try {
    if (mode !== undefined) await access(real, constants.W_OK);
    await access(await existingFolder(dirname(real)), constants.W_OK);
  } catch (error) {
    throw asOurs(error, `${path} cannot be written`);
  }
}

async function existingFolder(folder: string): Promise<string> {
  const found = await stat(folder).catch(missingAsUndefined);
  if (found === undefined && dirname(folder) !== folder) return await existingFolder(dirname(folder));
  if (found?.isDirectory() !== true) throw new LoreError('filesystem', `${folder} is not a folder.`);
  return folder;
}

/**
 * Makes all changes or none. Each new content is written to a temporary file in the same folder, flushed, and renamed over the old file with its
 * permissions. After a failure the earlier changes are rolled back and created folders are removed. Errors: `filesystem`, also if a file was
 * changed since it was read.
 */
export async function writeFiles(changes: readonly FileChange[]): Promise<void> {
  const folders: string[] = [];
  const drafts = new Map<FileChange, string>();
  const done: FileChange[] = [];
  let failing = '';
  try {
    for (const change of changes) {
      failing = change.state.path;
      folders.push(...(await missingFolders(change.state)));
      await mkdir(dirname(change.state.real), { recursive: true });
      if (change.content !== undefined) drafts.set(change, await writeDraft(change.state, change.content));
    }
    for (const change of changes) {
      failing = change.state.path;
      await refuseChanged(change.state);
      await replace(change.state.real, drafts.get(change));
      done.push(change);
    }
  } catch (error) {
    // A failed rollback of one file does not stop the others; its backup still exists.
    for (const { state } of done.toReversed()) await putBack(state).catch(() => {});
    for (const draft of drafts.values()) await rm(draft, { force: true });
    await removeEmpty(folders);
    throw asOurs(error, `${failing} cannot be written`);
  }
}

/** Removes empty folders, innermost first. */
export async function removeEmpty(folders: readonly string[]): Promise<void> {
  for (const folder of [...folders].sort((a, b) => b.length - a.length)) await rmdir(folder).catch(() => {});
}

/** The folders that must be created for a file, outermost first. Errors: `filesystem`. */
export async function missingFolders({ real }: FileState): Promise<string[]> {
  const existing = await existingFolder(dirname(real));
  const missing: string[] = [];
  for (let at = dirname(real); at !== existing; at = dirname(at)) missing.unshift(at);
  return missing;
}

async function writeDraft({ real, mode }: FileState, content: Buffer): Promise<string> {
  const draft = join(dirname(real), `.${basename(real)}.${randomBytes(4).toString('hex')}.lore`);
  try {
    await using file = await open(draft, 'wx', mode ?? 0o600);
    await file.writeFile(content);
    await file.sync();
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
  if (mode !== undefined) await chmod(draft, mode);
  return draft;
}

async function replace(real: string, draft: string | undefined): Promise<void> {
  await (draft === undefined ? rm(real, { force: true }) : rename(draft, real));
}

async function putBack(state: FileState): Promise<void> {
  if (state.bytes === undefined) await rm(state.real, { force: true });
  else await replace(state.real, await writeDraft(state, state.bytes));
}

async function refuseChanged({ path, real, bytes }: FileState): Promise<void> {
  const now = await readFile(real).catch(missingAsUndefined);
  const isSame = now === undefined || bytes === undefined ? now === bytes : now.equals(bytes);
  if (isSame) return;
  throw new LoreError('filesystem', `Another program changed ${path} at the same time.`, { hint: 'Run the command again.' });
}

const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'access is denied',
  EPERM: 'access is denied',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
  EISDIR: 'it is a folder',
  ENOTDIR: 'its parent is a file',
  ELOOP: 'its symbolic links form a loop',
};

function asOurs(error: unknown, what: string): LoreError {
  if (error instanceof LoreError) return error;
  const { code } = error as NodeJS.ErrnoException;
  return new LoreError('filesystem', `${what}: ${REASONS[code ?? ''] ?? code ?? 'unknown reason'}.`, { cause: error });
}
