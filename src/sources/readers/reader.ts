import { LoreError } from '../../memory/errors.ts';
import { MAX_PASSAGES, type SourcePassage } from '../../memory/operations/source-operations.ts';
import type { LeftOut } from './findings.ts';

export const FORMATS = [
  'text',
  'markdown',
  'html',
  'json',
  'jsonl',
  'csv',
  'pdf',
  'docx',
  'claude-chats',
  'chatgpt-chats',
  'git-log',
] as const;
export type FormatName = (typeof FORMATS)[number];

/** How text is split into entries: short passages, whole sections, or not at all. */
export const SPLITS = ['passages', 'headings', 'none'] as const;
type Split = (typeof SPLITS)[number];

/** A document as bytes, with its name and extension. */
export interface ReaderInput {
  readonly bytes: Uint8Array;
  /** Name as the user wrote it; begins every message about it. */
  readonly name: string;
  /** Lower case, with the dot; empty if there is none. */
  readonly extension: string;
}

export interface ReadOptions {
  readonly split: Split;
  /** Maximum passage length, UTF-16 units. */
  readonly size: number;
  /** UTF-16 units repeated from the previous passage. */
  readonly overlap: number;
}

/** A unit that is stored and replaced as a whole: a file, or a named part of it. */
export interface SourceDocument {
  /** Its own key, independent of the location of its file; absent if it is the whole file. */
  readonly key?: { readonly root: string; readonly path: string };
  readonly passages: readonly SourcePassage[];
}

/** Result of reading a file. */
export interface Reading {
  readonly format: FormatName;
  readonly documents: readonly SourceDocument[];
  /** Contents of the file by kind (plural). */
  readonly found: Readonly<Record<string, number>>;
  /** Omitted parts. */
  readonly leftOut: readonly LeftOut[];
  /** Notes for the user, as clauses after the file name. */
  readonly notes: readonly string[];
}

/**
 * Reads one format. `read` has no side effects; time and memory are linear in the input below `isolatedFrom`. Rejects with `invalid_input`
 * for damaged or locked documents, `unsupported_media_type` for documents without text, `too_large` above its limits.
 */
export interface Reader {
  readonly name: FormatName;
  /** Maximum file size, bytes. */
  readonly maxBytes: number;
  /** Size in bytes from which hostile input could block the process: such files are read in a worker thread with limits. */
  readonly isolatedFrom: number;
  read(input: ReaderInput, options: ReadOptions): Promise<Reading> | Reading;
}

export const MEGABYTE = 1024 * 1024;

/** The error for a document with more passages than can be stored. */
export function tooManyEntries(name: string): LoreError {
  return new LoreError('too_large', `${name} would make more than ${MAX_PASSAGES.toLocaleString('en-US')} entries.`, { hint: SPLIT_HINT });
}

/** Hint for a document that is too large. */
export const SPLIT_HINT = 'Split the file, or use --split headings for longer entries. `lore import` reads any number of records.';
