import { open, readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** Limits that are sufficient to detect a format. */
const MAX_PATHS = 2000;
const MAX_DEPTH = 4;
const MAX_STARTS = 20;
const START_BYTES = 4096;
const PASSED_OVER = new Set(['node_modules', '.git']);
const MARKDOWN = /\.(?:md|markdown|mdc)$/i;

/** The file names of a folder, and the beginnings of some files. */
export interface FolderView {
  /** Below the folder, with `/`, by name, hidden ones too; at most 2,000, at most four folders deep. */
  readonly paths: readonly string[];
  /** The first 4 KB of the first 20 Markdown files that are not hidden. */
  readonly starts: readonly { readonly path: string; readonly text: string }[];
}

/** Reads a folder to detect its format. Rejects if the folder itself cannot be read. */
export async function viewFolder(root: string): Promise<FolderView> {
  const paths: string[] = [];
  const look = async (below: string, depth: number): Promise<void> => {
    const entries = await readdir(join(root, below), { withFileTypes: true }).catch((error: unknown) => {
      if (below === '') throw error;
      return [];
    });
    for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
      if (paths.length >= MAX_PATHS) return;
      const path = below === '' ? entry.name : `${below}/${entry.name}`;
      if (entry.isFile()) paths.push(path);
      else if (entry.isDirectory() && depth < MAX_DEPTH && !PASSED_OVER.has(entry.name)) await look(path, depth + 1);
    }
  };
  await look('', 1);
  const shown = paths.filter((path) => MARKDOWN.test(path) && !/(?:^|\/)\./.test(path)).slice(0, MAX_STARTS);
  const starts = await Promise.all(shown.map(async (path) => ({ path, text: await startOf(join(root, path)) })));
  return { paths, starts };
}

async function startOf(path: string): Promise<string> {
  try {
    await using file = await open(path);
    const { bytesRead, buffer } = await file.read(Buffer.alloc(START_BYTES), 0, START_BYTES, 0);
    return buffer.toString('utf8', 0, bytesRead);
  } catch {
    return '';
  }
}
