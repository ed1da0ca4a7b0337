import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import type { SkipReason } from './walk.ts';

/** The content of a file, or why it is skipped. */
type FileContent = { readonly bytes: Buffer; readonly text: string } | { readonly reason: SkipReason };

const HEAD_CHARS = 1500;
const HEAD_LINES = 12;
const COMMENT = /^\s*(?:\/\/|\/\*|\*|#|--|;|<!--|%|"""|'''|\{-|\(\*|\/\/!)/;
/** Marks of generated files in a comment at the top. */
const GENERATED_MARK =
  /^\W*@generated\b|code generated .{0,80}do not edit|\b(?:auto(?:matically)?[- ]?)?generated\b.{0,120}\bdo not (?:edit|modify|change)|\bdo not (?:edit|modify)\b.{0,120}\bgenerated\b|this file (?:is|was|has been) (?:auto(?:matically)?[- ]?)generated/i;
const PRIVATE_KEY = /^\s*(?:-----BEGIN [A-Z ]*PRIVATE KEY|PuTTY-User-Key-File|openssh-key-v1)/;
/** Code with such a long line is minified. Prose may have long lines. */
const LONGEST_CODE_LINE = 2000;
const MEAN_CODE_LINE = 250;
const CODE_NAME = /\.(?:[cm]?[jt]sx?|css|scss|less|html?|svg|xml|json|wasm|vue|svelte|py|php|java|go|rb)$/i;

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Reads at most `maxFileBytes` of a file below `root`, without following links. Never rejects because of the file. */
export async function readContent(root: string, path: string, maxFileBytes: number): Promise<FileContent> {
  let handle;
  try {
    // Non-blocking: opening a pipe instead of the file would otherwise wait for a writer.
    handle = await open(join(root, path), constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
    const stats = await handle.stat();
    if (!stats.isFile()) return { reason: 'link' };
    if (stats.size > maxFileBytes) return { reason: 'large' };
    return contentOf(path, await handle.readFile());
  } catch (error) {
    return { reason: (error as NodeJS.ErrnoException).code === 'ELOOP' ? 'link' : 'unreadable' };
  } finally {
    await handle?.close();
  }
}

function contentOf(path: string, bytes: Buffer): FileContent {
  const text = textOf(bytes);
  if (text === undefined) return { reason: 'binary' };
  if (text.trim() === '') return { reason: 'empty' };
  if (PRIVATE_KEY.test(text)) return { reason: 'secret' };
  return isGenerated(path, text) ? { reason: 'generated' } : { bytes, text };
}

function textOf(bytes: Buffer): string | undefined {
  if (bytes.includes(0)) return undefined;
  try {
    return utf8.decode(bytes);
  } catch {
    return undefined;
  }
}

function isGenerated(path: string, text: string): boolean {
  const head = text.slice(0, HEAD_CHARS).split('\n', HEAD_LINES);
  if (head.some((line) => COMMENT.test(line) && GENERATED_MARK.test(line))) return true;
  return CODE_NAME.test(path) && isMinified(text);
}

function isMinified(text: string): boolean {
  let [lines, longest, from] = [0, 0, 0];
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', from)) {
    longest = Math.max(longest, at - from);
    lines += 1;
    from = at + 1;
  }
  longest = Math.max(longest, text.length - from);
  return longest > LONGEST_CODE_LINE && text.length / (lines + 1) > MEAN_CODE_LINE;
}
