import type { ReadHeader } from '../../memory/operations/export-header.ts';
import type { ImportLine, MemoryOperations } from '../../memory/operations/operations.ts';
import type { Findings } from '../../sources/readers/findings.ts';
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

/** An entry on its way to the import, where it is validated like any other line; what is undefined is not said. */
export interface EntryLine {
  readonly content: string;
  readonly id?: string | number | undefined;
  readonly namespace?: string | undefined;
  readonly container?: string | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly priority?: string | undefined;
  readonly importance?: number | undefined;
  readonly source?: string | undefined;
  readonly sourceRef?: Readonly<Record<string, unknown>> | undefined;
  /** ISO 8601. */
  readonly createdAt?: string | undefined;
  readonly updatedAt?: string | undefined;
}

/** What stands at one place of the input: something to import, or the reason why it is none. */
export type Item = { readonly place: string } & ({ readonly entry: unknown } | { readonly problem: string });

/** JSON Lines for the import, and where each of them comes from. */
export interface Reading {
  readonly chunks: AsyncIterable<Uint8Array>;
  /** How much there is, in the unit of `weigh`; undefined when unknown. */
  readonly total: number | undefined;
  /** What a chunk counts towards `total`. */
  weigh(chunk: Uint8Array): number;
  /** Where a line that was sent comes from, as in `notes.csv row 3`. */
  place(line: number): string;
  /** Why the reader could make no entry of what stands there. */
  problem(line: number): string | undefined;
  /** To be told of each line that is done with. */
  settle(line: ImportLine): void;
  /** Of a Lore export. */
  readonly header?: ReadHeader | undefined;
  /** Changes entries that were there already, once all lines are done with. */
  finish?(how: { readonly dryRun: boolean }): Promise<FolderOutcome>;
}

export interface ReadOptions {
  /** Where everything goes, whatever the file says; undefined leaves it to the file. */
  readonly namespace?: string | undefined;
  /** Makes each section of a Markdown text an entry. */
  readonly split?: 'headings' | undefined;
  readonly findings: Findings;
  /** The store that is imported into, for what is compared with it. */
  readonly memories?: MemoryOperations | undefined;
  /** Forgets the entries of files that were removed from an exported folder. */
  readonly forgetMissing?: boolean | undefined;
}

/** One form in which memories come. */
export interface Format {
  readonly name: FormatName;
  /** Whether it is read from folders, too. */
  readonly readsFolders?: true;
  /** What a line of the import was in the input, singular and plural. */
  readonly unit: readonly [one: string, many: string];
  /** What shows that the input is of this format, as a clause (`its name ends in .csv`), or undefined. Content counts before the name. */
  recognise(input: Input): string | undefined;
  /** Reads lazily; rejects with `invalid_input` within the stream where the input as a whole is not of this format. */
  read(input: Input, options: ReadOptions): Reading;
}
