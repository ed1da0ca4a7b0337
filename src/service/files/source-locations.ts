import { createHash } from 'node:crypto';
import { MAX_NAME_CHARS, type Entry } from '../../memory/entry.ts';
import type { SourceFile, SourceKind, SourcePassage } from '../../memory/operations/source-operations.ts';
import { withoutUndefined } from '../../memory/without-undefined.ts';

const ROOT_CHARS = 12;
const PATH_CHARS = 32;
const DIGEST_CHARS = 16;

const digestOf = (text: string, chars: number): string => createHash('sha256').update(text).digest('hex').slice(0, chars);

/** Prefix of the containers of all files of a root. */
export function containerPrefix(kind: SourceKind, root: string): string {
  return `${kind}:${digestOf(root, ROOT_CHARS)}:`;
}

/**
 * The container of the passages of one file. Each file has its own: identical text is stored once per container, and two files that begin
 * with the same licence must not share an entry.
 */
export function containerOf(kind: SourceKind, root: string, path: string): string {
  const prefix = containerPrefix(kind, root);
  return prefix.length + path.length <= MAX_NAME_CHARS ? prefix + path : prefix + digestOf(path, PATH_CHARS);
}

/** The part of `sourceRef` that identifies a version of a file. */
interface SourcePosition {
  readonly root: string;
  readonly file: string;
  readonly hash: string;
  /** Position from 1, and number of entries of the file. */
  readonly part: number;
  readonly of: number;
  /** Beginning of the content hash of the passage; a different hash means that its text was edited by hand. */
  readonly digest: string;
}

interface Part {
  readonly root: string;
  readonly file: SourceFile;
  readonly passage: SourcePassage;
  readonly part: number;
  readonly of: number;
  readonly contentHash: string;
}

/** `sourceRef` of the entry of a passage. */
export function sourceRefOf({ root, file, passage, part, of, contentHash }: Part): SourcePosition & Record<string, unknown> {
  const { start, end, heading, details } = passage;
  return {
    ...details,
    root,
    file: file.path,
    ...withoutUndefined({ start, end, heading }),
    part,
    of,
    hash: file.hash,
    digest: contentHash.slice(0, DIGEST_CHARS),
  };
}

/** File and position of an entry, or undefined if it has none. */
export function sourcePositionOf({ sourceRef = {} }: { readonly sourceRef?: Entry['sourceRef'] | undefined }): SourcePosition | undefined {
  const { root, file, hash, part, of, digest } = sourceRef;
  const named = typeof root === 'string' && typeof file === 'string' && typeof hash === 'string' && typeof digest === 'string';
  return named && typeof part === 'number' && typeof of === 'number' ? { root, file, hash, part, of, digest } : undefined;
}

/** Whether its text is unchanged since it was read. */
export function isAsRead(entry: Entry): boolean {
  const position = sourcePositionOf(entry);
  return position !== undefined && entry.contentHash.startsWith(position.digest);
}
