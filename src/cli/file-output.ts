import { randomBytes } from 'node:crypto';
import { open, realpath, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { LoreError } from '../memory/errors.ts';
import { onShutdown } from './shutdown.ts';

/** Lines are joined into writes of about this many characters. */
const WRITE_CHARS = 64 * 1024;

/** Texts, or bytes that are written as they are. */
type Pieces = AsyncIterable<string | Uint8Array>;

/**
 * Writes lines to a file atomically: to a temporary name, flushed to disk, then renamed. Writes directly to a pipe or device such as
 * /dev/null. Returns the number of lines. Rejects with `filesystem`, or as `lines` does, and leaves nothing behind.
 */
export async function writeFileAtomically(path: string, lines: Pieces): Promise<number> {
  const refuse = cannotWrite(path);
  const target = await realpath(path).catch(() => resolve(path));
  const existing = await stat(target).catch(() => undefined);
  if (existing && !existing.isFile()) return writeLines({ path: target, flags: 'w', lines, refuse });
  const draft = join(dirname(target), `.${basename(target)}.${randomBytes(4).toString('hex')}`);
  const discard = () => rm(draft, { force: true });
  const forget = onShutdown(discard);
  try {
    const count = await writeLines({ path: draft, flags: 'wx', lines, refuse });
    await rename(draft, target).catch(refuse);
    return count;
  } catch (error) {
    await discard();
    throw error;
  } finally {
    forget();
  }
}

interface Writing {
  readonly path: string;
  readonly flags: 'w' | 'wx';
  readonly lines: Pieces;
  /** Converts an error of the file system. */
  readonly refuse: (cause: NodeJS.ErrnoException) => never;
}

/** Opens, writes, flushes and closes. */
async function writeLines({ path, flags, lines, refuse }: Writing): Promise<number> {
  await using file = await open(path, flags).catch(refuse);
  let count = 0;
  let pending = '';
  for await (const line of lines) {
    count += 1;
    if (typeof line !== 'string') {
      await file.writeFile(line).catch(refuse);
      continue;
    }
    pending += line;
    if (pending.length < WRITE_CHARS) continue;
    await file.writeFile(pending).catch(refuse);
    pending = '';
  }
  await file.writeFile(pending).catch(refuse);
  // A pipe or a device cannot be synced.
  if ((await file.stat()).isFile()) await file.sync().catch(refuse);
  return count;
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'its folder does not exist',
  ENOTDIR: 'its folder does not exist',
  EACCES: 'access is denied',
  EPERM: 'access is denied',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
  EISDIR: 'it is a folder',
};

function cannotWrite(path: string): (cause: NodeJS.ErrnoException) => never {
  return (cause) => {
    const reason = REASONS[cause.code ?? ''] ?? cause.code ?? 'unknown reason';
    throw new LoreError('filesystem', `${path} cannot be written: ${reason}.`, { cause });
  };
}
