import { createHash } from 'node:crypto';
import { SPLITTING_VERSION, type SplitOptions } from '../splitting/splitting.ts';
import { readContent } from '../walk/content.ts';
import type { FoundFile, Skipped } from '../walk/walk.ts';

/** A file that was read. */
export interface ReadFile {
  readonly path: string;
  readonly text: string;
  /** Of its bytes and of how it is split. */
  readonly hash: string;
}

/** What was read of a file before, as long as its size and its time stay. */
export type HashCache = Map<string, { readonly bytes: number; readonly modifiedMs: number; readonly hash: string }>;

export interface ReadOptions {
  readonly root: string;
  readonly maxFileBytes: number;
  readonly splitting: SplitOptions;
  readonly signal?: AbortSignal | undefined;
}

/** Files that are open at once. */
const AT_ONCE = 16;
/** A change within the time that the file system can tell apart may leave size and time as they were. */
const SETTLED_MS = 2000;

/** SHA-256 (hex) of the bytes of a file, and of what else its passages follow from. */
function fileHash(bytes: Uint8Array, { size, overlap }: SplitOptions): string {
  return createHash('sha256').update(`${SPLITTING_VERSION} ${size} ${overlap}\n`).update(bytes).digest('hex');
}

/** Reads files, in order; those that turn out to be none for the index are named in `skipped`. */
export async function* readFiles(
  files: readonly FoundFile[],
  options: ReadOptions,
  skipped: Skipped[],
): AsyncGenerator<ReadFile & { readonly found: FoundFile }> {
  const { root, maxFileBytes, splitting, signal } = options;
  for (let start = 0; start < files.length; start += AT_ONCE) {
    signal?.throwIfAborted();
    const slice = files.slice(start, start + AT_ONCE);
    const contents = await Promise.all(slice.map(({ path }) => readContent(root, path, maxFileBytes)));
    for (const [nth, found] of slice.entries()) {
      const content = contents[nth];
      if (content === undefined) continue;
      if ('reason' in content) skipped.push({ path: found.path, reason: content.reason });
      else yield { path: found.path, text: content.text, hash: fileHash(content.bytes, splitting), found };
    }
  }
}

/** The hash that the cache has of a file that has not been written since. */
export function cachedHash(cache: HashCache, { path, bytes, modifiedMs }: FoundFile): string | undefined {
  const known = cache.get(path);
  return known?.bytes === bytes && known.modifiedMs === modifiedMs ? known.hash : undefined;
}

/** Remembers the hash of a file, unless it may be written again without a trace. */
export function rememberHash(cache: HashCache, { path, bytes, modifiedMs }: FoundFile, hash: string): void {
  if (Date.now() - modifiedMs > SETTLED_MS) cache.set(path, { bytes, modifiedMs, hash });
  else cache.delete(path);
}
