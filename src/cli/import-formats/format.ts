import type { ReadHeader } from '../../memory/operations/export-header.ts';
import type { ImportLine, MemoryOperations } from '../../memory/operations/operations.ts';
import type { NoteOptions } from '../../sources/readers/markdown-note.ts';
import type { FolderOutcome } from './markdown-entries.ts';
import type { Input } from './input.ts';

export const FORMAT_NAMES = [
  'jsonl',
  'json',
  'csv',
  'markdown',
  'lore-markdown',
  'claude-code',
  'instructions',
  'cursor',
  'mcp-memory',
  'mcp-memory-service',
  'mem0',
  'zep',
  'basic-memory',
  'claude-mem',
] as const;
export type FormatName = (typeof FORMAT_NAMES)[number];

/** JSON Lines for the import, with their positions in the input. */
export interface Reading {
  readonly chunks: AsyncIterable<Uint8Array>;
  /** Total amount, in the unit of `weigh`; undefined if unknown. */
  readonly total: number | undefined;
  /** The amount of a chunk, counted towards `total`. */
  weigh(chunk: Uint8Array): number;
  /** Position of a sent line in the input, such as `notes.csv row 3`. */
  place(line: number): string;
  /** Why the reader could not make an entry of this item. */
  problem(line: number): string | undefined;
  /** Call for each processed line. */
  settle(line: ImportLine): void;
  /** Of a Lore export. */
  readonly header?: ReadHeader | undefined;
  /** Updates existing entries, after all lines are processed. */
  finish?(how: { readonly dryRun: boolean }): Promise<FolderOutcome>;
}

export interface ReadOptions extends NoteOptions {
  /** The target store, for comparison. */
  readonly memories?: MemoryOperations | undefined;
  /** Forgets the entries of files that were removed from an exported folder. */
  readonly forgetMissing?: boolean | undefined;
}

/** An import format. */
export interface Format {
  readonly name: FormatName;
  /** Whether folders are accepted too. */
  readonly readsFolders?: true;
  /** Name of an input item, singular and plural. */
  readonly unit: readonly [one: string, many: string];
  /** Why the input is of this format, as a clause (`its name ends in .csv`), or undefined. Content takes precedence over the name. */
  recognise(input: Input): string | undefined;
  /** Reads lazily; the stream rejects with `invalid_input` if the input as a whole is not of this format. */
  read(input: Input, options: ReadOptions): Reading;
}
