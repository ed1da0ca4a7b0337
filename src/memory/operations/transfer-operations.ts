/** Requests and results of export and import. */
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
  /** What was left out or replaced, in plain words. */
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
  /** The first 1,000 lines with omitted or replaced parts; absent if there are none. */
  readonly notes?: readonly Pick<ImportLine, 'line' | 'notes'>[];
  /**
   * Vectors of stored entries: `kept`: used as given; `remade`: computed again, because they are of another or an unnamed model, of another
   * width, or of a text that is embedded in passages.
   */
  readonly vectors?: { readonly kept: number; readonly remade: number };
  /** Stored entries with redacted secrets; absent if there are none. */
  readonly redacted?: number;
  /** Stored entries that seem to contain a secret and were stored as given; absent if there are none. */
  readonly withSecrets?: number;
  /**
   * Lines that are not entries, as in a full export: their number, and what was stored of them. `stored` and `duplicates` count entries
   * only. Absent if there are none.
   */
  readonly besides?: { readonly lines: number; readonly relations: number; readonly archived: number; readonly versions: number };
  /** Warnings, such as that a namespace has more entries than compaction keeps. Absent if there are none. */
  readonly warnings?: readonly string[];
  /** Dry runs only: the first three entries as they would be stored. */
  readonly preview?: readonly ImportPreview[];
}

/** Why an import failed: a sentence if it stored nothing because of bad lines, else undefined. Dry runs and empty inputs do not fail. */
export function importFault({ dryRun, lines, stored, duplicates, invalid, besides, errors }: ImportReport): string | undefined {
  const kept = stored + duplicates + (besides === undefined ? 0 : besides.relations + besides.archived + besides.versions);
  if (dryRun || invalid === 0 || kept > 0) return undefined;
  const bad = `${invalid.toLocaleString('en-US')} of ${lines.toLocaleString('en-US')} ${lines === 1 ? 'line is' : 'lines are'} bad`;
  const [first] = errors;
  return `Nothing was stored: ${bad}.${first === undefined ? '' : ` The first is line ${first.line}: ${first.error ?? 'cannot be read'}`}`;
}

/** An entry as an import would store it. Id and times (ISO 8601) are present only if the line has them; the rest is assigned on storing. */
export interface ImportPreview extends Omit<Entry, 'id' | 'contentHash' | 'createdAt' | 'updatedAt' | 'arrivedAt'> {
  readonly id?: string;
  readonly createdAt?: string;
  readonly updatedAt?: string;
}

/** One line of an export: the header (first), an entry, or in a full export a relation, an archived entry or an earlier version. */
export type ExportLine = ExportHeader | ExportedEntry | AuxiliaryLine;

/** A line after the entries in a full export, as stored: times are epoch milliseconds. */
export type AuxiliaryLine = { readonly relation: Relation } | { readonly archived: ArchivedEntry } | { readonly version: EntryVersion };

/** The reference representation of an entry and the fields to restore it completely. */
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
  /** Called for every line, in order. */
  readonly onLine?: ((line: ImportLine) => void) | undefined;
  /**
   * The lines are a backup of this store: lines of any length are stored unchanged, secrets included, and no relations are searched.
   * Default false.
   */
  readonly asTheyAre?: boolean;
}
