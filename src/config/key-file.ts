import { createHash } from 'node:crypto';
import { chmodSync, readFileSync, statSync } from 'node:fs';
import { mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import { LoreError } from '../memory/errors.ts';
import { storedName } from '../memory/names.ts';

/** The stored record of a generated key, without the key itself. */
const KeyRecord = z.strictObject({
  id: z.string().regex(/^[0-9a-f]{12}$/),
  name: z.string().min(1),
  access: z.enum(['full', 'read']),
  /** Namespaces of older versions are converted to their stored form, so that one record does not make the file unreadable. */
  namespace: z.string().transform(storedName).optional(),
  /** Of the UTF-8 bytes of the whole key, hexadecimal. */
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  createdAt: z.iso.datetime(),
});
export type KeyRecord = z.output<typeof KeyRecord>;
const KeyFile = z.strictObject({ version: z.literal(1), keys: z.array(KeyRecord) });

/** SHA-256 of a key. A plain hash suffices: keys are 32 random bytes and cannot be guessed. */
export function digestOf(key: string): Buffer {
  return createHash('sha256').update(key, 'utf8').digest();
}

/** Default path of the keys file. */
export function keysFilePath(configDirectory: string): string {
  return join(configDirectory, 'keys.json');
}

/** The records of the file, oldest first; empty if it does not exist. Errors: `filesystem` (unreadable), `config` (not a keys file). */
export function readKeyFile(file: string): KeyRecord[] {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
    closeToOthers(file);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw new LoreError('filesystem', `The keys file ${file} cannot be read.`, { cause });
  }
  try {
    return KeyFile.parse(JSON.parse(text)).keys;
  } catch (cause) {
    throw new LoreError('config', `The keys file ${file} is damaged.`, {
      cause,
      hint: 'Remove it and make new keys with `lore auth generate-key`.',
    });
  }
}

/**
 * Restricts the file to its owner: anyone who can write it could grant themselves access. If this user may not change the mode, it stays.
 */
function closeToOthers(file: string): void {
  if (process.platform === 'win32' || (statSync(file).mode & 0o077) === 0) return;
  try {
    chmodSync(file, 0o600);
  } catch {
    // Read it anyway: refusing it would lock the owner out.
  }
}

let changes = 0;
/** Number of changes by this process: it sees its own changes at once, without checking the file. */
export const ownChanges = (): number => changes;

/** The new content of the file, and the result for the caller. */
interface Change<T> {
  readonly keys: readonly KeyRecord[];
  readonly result: T;
}

/**
 * Replaces the records with the result of `change`, atomically, readable by this user only. Concurrent changes by other processes run one
 * after the other. Errors: those of `readKeyFile` and `change`; `filesystem`.
 */
export async function changeKeyFile<T>(file: string, change: (keys: readonly KeyRecord[]) => Change<T>): Promise<T> {
  const draft = `${file}.new`;
  try {
    await mkdir(dirname(file), { recursive: true, mode: 0o700 });
    const handle = await openAlone(draft);
    try {
      const { keys, result } = change(readKeyFile(file));
      await handle.writeFile(`${JSON.stringify({ version: 1, keys }, undefined, 2)}\n`);
      await handle.sync();
      // Windows cannot rename an open file.
      await handle.close();
      await rename(draft, file);
      changes += 1;
      return result;
    } catch (error) {
      await handle.close();
      await rm(draft, { force: true });
      throw error;
    }
  } catch (cause) {
    if (cause instanceof LoreError) throw cause;
    throw new LoreError('filesystem', `The keys file ${file} cannot be written.`, { cause });
  }
}

const ABANDONED_AFTER_MS = 10_000;
const RETRY_MS = 20;

/** Opens the draft file, which is also the lock: it exists while one process changes the keys file. */
async function openAlone(draft: string) {
  for (;;) {
    try {
      return await open(draft, 'wx', 0o600);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    const born = await stat(draft).then(
      ({ mtimeMs }) => mtimeMs,
      () => Date.now(),
    );
    if (Date.now() - born > ABANDONED_AFTER_MS) await rm(draft, { force: true });
    else await pause(RETRY_MS);
  }
}
