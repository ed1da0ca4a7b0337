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

/** How a running text becomes entries: pieces of a few sentences, whole sections under headings, or all of it as one. */
export const SPLITS = ['passages', 'headings', 'none'] as const;
export type Split = (typeof SPLITS)[number];

/** A document as bytes, and what is known of it from outside. */
export interface ReaderInput {
  readonly bytes: Uint8Array;
  /** As the user wrote it; begins every message about it. */
  readonly name: string;
  /** Lower case, with its dot; empty where there is none. */
  readonly extension: string;
}

export interface ReadOptions {
  readonly split: Split;
  /** Most UTF-16 units in a passage. */
  readonly size: number;
  /** UTF-16 units that a passage repeats from the one before. */
  readonly overlap: number;
}

/** What is stored, replaced and found again as one: a file, or one of several things in it that have names of their own. */
export interface SourceDocument {
  /** Its own name, the same wherever its file lies; absent where it is the file. */
  readonly key?: { readonly root: string; readonly path: string };
  readonly passages: readonly SourcePassage[];
}

/** What a reader makes of a file. */
export interface Reading {
  readonly format: FormatName;
  readonly documents: readonly SourceDocument[];
  /** How much of what it holds, by the plural of its kind. */
  readonly found: Readonly<Record<string, number>>;
  /** What is not taken in. */
  readonly leftOut: readonly LeftOut[];
  /** What the user should know of it, as clauses after the name of the file. */
  readonly notes: readonly string[];
}

/**
 * One form of documents. `read` has no effects, and takes time and memory in proportion to the input below `isolatedFrom`. Rejects with
 * `invalid_input` for what is damaged or locked, `unsupported_media_type` for what holds no text to take in, `too_large` beyond its limits.
 */
export interface Reader {
  readonly name: FormatName;
  /** Longest file, bytes. */
  readonly maxBytes: number;
  /** From this many bytes on, hostile input could keep the process busy: it is read in a thread of its own, with limits. */
  readonly isolatedFrom: number;
  read(input: ReaderInput, options: ReadOptions): Promise<Reading> | Reading;
}

export const MEGABYTE = 1024 * 1024;

/** The refusal of a document of more passages than can be stored as one. */
export function tooManyEntries(name: string): LoreError {
  return new LoreError('too_large', `${name} would make more than ${MAX_PASSAGES.toLocaleString('en-US')} entries.`, { hint: SHORTER });
}

/** What to do about a document that is too large to be stored as one. */
export const SHORTER = 'Cut it into parts, or make longer entries of it with --split headings; `lore import` reads any number of records.';
