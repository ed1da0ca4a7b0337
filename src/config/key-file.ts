import { createHash } from 'node:crypto';
import { chmodSync, readFileSync, statSync } from 'node:fs';
import { mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import { LoreError } from '../memory/errors.ts';
import { storedName } from '../memory/names.ts';

/** A generated key as it is kept: never the key itself. */
const KeyRecord = z.strictObject({
  id: z.string().regex(/^[0-9a-f]{12}$/),
  name: z.string().min(1),
  access: z.enum(['full', 'read']),
  /** One that an older version wrote is read as its entries are now named: a key must not stop all others from being read. */
  namespace: z.string().transform(storedName).optional(),
  /** Hex, of the UTF-8 bytes of the whole key. */
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  createdAt: z.iso.datetime(),
});
export type KeyRecord = z.output<typeof KeyRecord>;
const KeyFile = z.strictObject({ version: z.literal(1), keys: z.array(KeyRecord) });

/** SHA-256 of a key. A plain hash is enough: keys are 32 random bytes, so there is nothing to guess. */
export function digestOf(key: string): Buffer {
  return createHash('sha256').update(key, 'utf8').digest();
}

/** Where generated keys are kept by default. */
export function keysFilePath(configDirectory: string): string {
  return join(configDirectory, 'keys.json');
}

/** The records of the file, oldest first; none where there is no file. Errors: `filesystem` (unreadable), `config` (not a keys file). */
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

/** Anyone who may write it could let himself in. Where it is not ours to change, it is as its owner wants it. */
function closeToOthers(file: string): void {
  if (process.platform === 'win32' || (statSync(file).mode & 0o077) === 0) return;
  try {
    chmodSync(file, 0o600);
  } catch {
    // It is read all the same: refusing it would lock its owner out.
  }
}

/** What a change of the file leaves, and what it hands back to its caller. */
interface Change<T> {
  readonly keys: readonly KeyRecord[];
  readonly result: T;
}

/**
 * Replaces the records by what `change` makes of them, whole or not at all, readable by this user only. Processes that change the file at
 * the same time do so one after the other. Errors: those of `readKeyFile` and of `change`; `filesystem`.
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
      // Windows renames no file that is open.
      await handle.close();
      await rename(draft, file);
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

/** Creating the draft is the lock: it exists exactly while one process changes the file. */
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
