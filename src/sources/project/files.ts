import { createHash } from 'node:crypto';
import { SPLITTING_VERSION, type SplitOptions } from '../splitting/splitting.ts';
import { readContent } from '../walk/content.ts';
import type { FoundFile, Skipped } from '../walk/walk.ts';

/** A file with its text. */
export interface ReadFile {
  readonly path: string;
  readonly text: string;
  /** Hash of its bytes and of the splitting options. */
  readonly hash: string;
}

/** Known hashes of files, valid as long as size and modification time are unchanged. */
export type HashCache = Map<string, { readonly bytes: number; readonly modifiedMs: number; readonly hash: string }>;

export interface ReadOptions {
  readonly root: string;
  readonly maxFileBytes: number;
  readonly splitting: SplitOptions;
  readonly signal?: AbortSignal | undefined;
}

/** Number of files read at once. */
const AT_ONCE = 16;
/** Minimum age of a modification time: a later change within the file system's time resolution may not change it. */
const SETTLED_MS = 2000;

/** SHA-256 (hexadecimal) of a file's bytes and everything else that determines its passages. */
function fileHash(bytes: Uint8Array, { size, overlap }: SplitOptions): string {
  return createHash('sha256').update(`${SPLITTING_VERSION} ${size} ${overlap}\n`).update(bytes).digest('hex');
}

/** Reads files in order; adds those that cannot be indexed to `skipped`. */
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

/** The cached hash of a file that is unchanged since. */
export function cachedHash(cache: HashCache, { path, bytes, modifiedMs }: FoundFile): string | undefined {
  const known = cache.get(path);
  return known?.bytes === bytes && known.modifiedMs === modifiedMs ? known.hash : undefined;
}

/** Caches the hash of a file, unless it may change without a new modification time. */
export function rememberHash(cache: HashCache, { path, bytes, modifiedMs }: FoundFile, hash: string): void {
  if (Date.now() - modifiedMs > SETTLED_MS) cache.set(path, { bytes, modifiedMs, hash });
  else cache.delete(path);
}
