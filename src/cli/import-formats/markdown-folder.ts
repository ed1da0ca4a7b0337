import { constants } from 'node:fs';
import { open, readdir } from 'node:fs/promises';
import { extname, join } from 'node:path';
import type { Findings } from '../../sources/readers/findings.ts';
import { asUtf8, utf8Text } from './text-encoding.ts';

/** A longer file is no note. */
const MAX_FILE_BYTES = 64 * 1024 * 1024;
const MARKDOWN = new Set(['.md', '.markdown']);

/** A Markdown file of a folder, or the reason why it cannot be read. */
type FoundFile = {
  /** Below the folder, with `/`. */
  readonly path: string;
} & ({ readonly text: string; readonly modifiedMs: number } | { readonly problem: string });

/**
 * The Markdown files of a folder and its subfolders, by name. Skips hidden files and folders and node_modules. Never follows symbolic
 * links: the target is outside of the folder, or is read anyway.
 */
export async function* markdownFiles(root: string, findings: Findings, below = ''): AsyncGenerator<FoundFile> {
  const entries = await readdir(join(root, below), { withFileTypes: true }).catch((error: unknown) => {
    if (below === '') throw error;
    findings.leaveOut('folders that cannot be read', below);
    return [];
  });
  for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    if (entry.name.startsWith('.') || entry.name === 'node_modules') continue;
    const path = below === '' ? entry.name : `${below}/${entry.name}`;
    if (entry.isSymbolicLink()) findings.leaveOut('symbolic links', path);
    else if (entry.isDirectory()) yield* markdownFiles(root, findings, path);
    else if (!MARKDOWN.has(extname(entry.name).toLowerCase()))
      findings.leaveOut('files that are not Markdown', extname(entry.name) || entry.name);
    else if (!entry.isFile()) findings.leaveOut('special files', path);
    else yield { path, ...(await contentOf(join(root, path))) };
  }
}

async function contentOf(path: string): Promise<{ text: string; modifiedMs: number } | { problem: string }> {
  try {
    // Also if a link replaced the file just now.
    await using file = await open(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
    const { size, mtimeMs } = await file.stat();
    if (size > MAX_FILE_BYTES) return { problem: `is larger than ${MAX_FILE_BYTES / 1024 / 1024} MB` };
    const bytes: Uint8Array[] = [];
    for await (const chunk of asUtf8(file.createReadStream({ autoClose: false }) as AsyncIterable<Uint8Array>, path)) bytes.push(chunk);
    const text = utf8Text(Buffer.concat(bytes));
    return text === undefined ? { problem: 'is not valid UTF-8' } : { text, modifiedMs: mtimeMs };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return { problem: code === 'EACCES' ? 'cannot be read: access is denied' : `cannot be read: ${code ?? 'it is not valid text'}` };
  }
}
