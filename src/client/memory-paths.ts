/** Root of every path of the memory tool. */
export const MEMORIES = '/memories';

/** Paths are stored as containers, which have this maximum length. */
const MAX_PATH_CHARS = 256;
/** Backslashes, control characters and invisible characters. */
const UNSAFE = /[\\\p{Cc}\u200B-\u200F\u202A-\u202E\u2060-\u2069\uFEFF]/u;
/** Percent-encoded dot, slash, backslash or NUL. */
const ENCODED = /%(?:2e|2f|5c|00)/i;

/** The normalized path below `/memories`, or a sentence that says why it is invalid. A path with `..` is refused and never resolved. */
export function memoryPath(given: unknown): { readonly path: string } | { readonly fault: string } {
  if (typeof given !== 'string') return { fault: `Path must start with ${MEMORIES}, got: ${String(given)}` };
  const [root, ...rest] = given.split('/').slice(1);
  if (!given.startsWith('/') || `/${root}` !== MEMORIES) return { fault: `Path must start with ${MEMORIES}, got: ${given}` };
  const parts = rest.filter((part) => part !== '' && part !== '.');
  if (parts.includes('..') || UNSAFE.test(given) || ENCODED.test(given))
    return { fault: `Path ${given} would escape ${MEMORIES} directory` };
  const path = [MEMORIES, ...parts].join('/').normalize('NFC');
  return path.length > MAX_PATH_CHARS ? { fault: `Path ${given} is longer than ${MAX_PATH_CHARS} characters` } : { path };
}

/** A file in a listing. */
interface Listed {
  readonly path: string;
  readonly bytes: number;
}

/** Lists a directory two levels deep as lines of `size<TAB>path`; the directory itself comes first. */
export function listing(directory: string, files: readonly Listed[]): string[] {
  const sizes = new Map<string, number>();
  for (const { path, bytes } of files) {
    const parts = path.slice(directory.length + 1).split('/');
    sizes.set(directory, (sizes.get(directory) ?? 0) + bytes);
    if (parts.some((part) => part.startsWith('.') || part === 'node_modules')) continue;
    for (let depth = 1; depth <= Math.min(parts.length, 2); depth += 1) {
      const at = `${directory}/${parts.slice(0, depth).join('/')}${depth < parts.length ? '/' : ''}`;
      sizes.set(at, (sizes.get(at) ?? 0) + bytes);
    }
  }
  const below = [...sizes].filter(([path]) => path !== directory).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return [[directory, sizes.get(directory) ?? 0] as const, ...below].map(([path, bytes]) => `${readable(bytes)}\t${path}`);
}

/** A size such as `5.5K`. */
function readable(bytes: number): string {
  const units = ['B', 'K', 'M', 'G'];
  const unit = bytes === 0 ? 0 : Math.min(units.length - 1, Math.floor(Math.log2(bytes) / 10));
  const size = bytes / 1024 ** unit;
  return `${Number.isInteger(size) ? size : size.toFixed(1)}${units[unit]}`;
}
