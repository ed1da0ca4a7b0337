/** The way out of a store and back in, as requests and results. */
import { z } from 'zod';
import type { Carried, WrittenFields } from '../entry-fields.ts';
import { Namespace, type Entry } from '../entry.ts';
import type { ExportHeader } from './export-header.ts';
import type { ArchivedEntry, EntryVersion } from '../lifecycle.ts';
import type { CallOptions } from './operations.ts';
import type { Relation } from '../relation.ts';

export const ExportRequest = z
  .strictObject({
    namespace: Namespace.optional().meta({ description: 'Only this namespace; default all.' }),
    vectors: z.boolean().optional().meta({ description: 'Add `embedding` and its model to each line. Default false.' }),
    all: z.boolean().optional().meta({
      description: 'Also export relations, the archive and earlier versions, one per line after the entries. Default false.',
    }),
  })
  .meta({ id: 'ExportRequest' });
export type ExportRequest = z.output<typeof ExportRequest>;

export const ImportRequest = z
  .strictObject({
    strict: z.boolean().optional().meta({ description: 'Store nothing if any line is bad. Default false.' }),
    dryRun: z.boolean().optional().meta({ description: 'Only check and report. Default false.' }),
    namespace: Namespace.optional().meta({ description: 'Namespace of lines without one.' }),
  })
  .meta({ id: 'ImportRequest' });
export type ImportRequest = z.output<typeof ImportRequest>;

export interface ImportLine {
  /** 1-based. */
  readonly line: number;
  readonly status: 'stored' | 'duplicate' | 'invalid';
  readonly id?: string;
  readonly error?: string;
  /** What of it was left out or replaced, in plain words. */
  readonly notes?: readonly string[];
}
export interface ImportReport {
  readonly dryRun: boolean;
  readonly lines: number;
  readonly stored: number;
  readonly duplicates: number;
  readonly invalid: number;
  /** The first 1,000 bad lines. */
  readonly errors: readonly ImportLine[];
  /** The first 1,000 lines of which something was left out or replaced; absent where there are none. */
  readonly notes?: readonly Pick<ImportLine, 'line' | 'notes'>[];
  /**
   * Vectors that came with the stored entries: `kept` as they are, `remade` where they are of another or an unnamed model, of another width,
   * or of a text that is embedded in passages.
   */
  readonly vectors?: { readonly kept: number; readonly remade: number };
  /** Stored entries whose secrets were redacted; absent where there are none. */
  readonly redacted?: number;
  /** Stored entries that seem to contain a secret and are stored as given; absent where there are none. */
  readonly withSecrets?: number;
  /**
   * Lines of what stands beside the entries, such as an export of everything has: how many there were, and what of them was stored. `stored`
   * and `duplicates` count entries alone. Absent where there were none.
   */
  readonly besides?: { readonly lines: number; readonly relations: number; readonly archived: number; readonly versions: number };
  /** What the user should know, in sentences, such as that a namespace holds more than compaction keeps. Absent where there is nothing. */
  readonly warnings?: readonly string[];
  /** Dry runs only: the first three entries as they would be stored. */
  readonly preview?: readonly ImportPreview[];
}

/** Why an import that stored nothing has failed, as a sentence; undefined where it has not. A dry run stores nothing, and an empty input has nothing to store. */
export function importFault({ dryRun, lines, stored, duplicates, invalid, besides, errors }: ImportReport): string | undefined {
  const kept = stored + duplicates + (besides === undefined ? 0 : besides.relations + besides.archived + besides.versions);
  if (dryRun || invalid === 0 || kept > 0) return undefined;
  const bad = `${invalid.toLocaleString('en-US')} of ${lines.toLocaleString('en-US')} ${lines === 1 ? 'line is' : 'lines are'} bad`;
  const [first] = errors;
  return `Nothing was stored: ${bad}.${first === undefined ? '' : ` The first is line ${first.line}: ${first.error ?? 'cannot be read'}`}`;
}

/** An entry as an import would store it. It has an id and times (ISO 8601) where its line names them; others are given when it is stored. */
export interface ImportPreview extends Omit<Entry, 'id' | 'contentHash' | 'createdAt' | 'updatedAt' | 'arrivedAt'> {
  readonly id?: string;
  readonly createdAt?: string;
  readonly updatedAt?: string;
}

/** One line of an export: the header, which comes first, an entry, or where everything was asked for what stands beside them. */
export type ExportLine = ExportHeader | ExportedEntry | BesideLine;

/** What an export of everything has after the entries, as the store keeps it: times are epoch milliseconds. */
export type BesideLine = { readonly relation: Relation } | { readonly archived: ArchivedEntry } | { readonly version: EntryVersion };

/** The reference form of an entry and what is needed to bring it back whole. */
export interface ExportedEntry {
  readonly id: string;
  readonly content: string;
  readonly metadata: {
    readonly namespace: string;
    readonly container: string;
    readonly tags: readonly string[];
    readonly timestamp: string;
    readonly updatedAt: string;
    readonly priority: string;
    readonly importance: number;
    readonly source: string;
  } & Pick<WrittenFields, 'summary' | Carried>;
  readonly contentHash: string;
  readonly embedding?: readonly number[];
  readonly embedder?: string;
}

export interface ImportOptions extends CallOptions {
  /** Told of every line, in order. */
  readonly onLine?: ((line: ImportLine) => void) | undefined;
  /** The lines are of a backup of this store: of any length, taken as they are, secrets too, and no relations are found for them. Default false. */
  readonly asTheyAre?: boolean;
}
