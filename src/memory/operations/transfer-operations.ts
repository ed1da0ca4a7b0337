/** Requests and results of export and import. */
import { z } from 'zod';
import { optionalShape, type Carried, type WrittenFields } from '../entry-fields.ts';
import { Namespace, PRIORITIES, SOURCES, type Entry } from '../entry.ts';
import type { ExportHeader } from './export-header.ts';
import type { ArchivedEntry, EntryVersion } from '../lifecycle.ts';
import type { CallOptions } from './operations.ts';
import type { Relation } from '../relation.ts';
import type { Result } from '../result.ts';
import { Timestamp } from '../timestamp.ts';

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

const count = z.int().min(0);
const texts = z.array(z.string()).readonly().exactOptional();

export const ImportLine = z
  .object({
    line: z.int().min(1),
    status: z.enum(['stored', 'duplicate', 'invalid']),
    id: z.string().exactOptional(),
    error: z.string().exactOptional(),
    notes: texts.meta({ description: 'Parts of the line that were left out or replaced.' }),
  })
  .meta({ id: 'ImportLine' });
export type ImportLine = Result<typeof ImportLine>;

/** An entry as an import would store it. Id and times (ISO 8601) are present only if the line has them; the rest is assigned on storing. */
export interface ImportPreview extends Omit<Entry, 'id' | 'contentHash' | 'createdAt' | 'updatedAt' | 'arrivedAt'> {
  readonly id?: string;
  readonly createdAt?: string;
  readonly updatedAt?: string;
}

const { sourceRef: _described, entities, ...carried } = optionalShape({ carried: true });
const ImportPreview = z
  .object({
    id: z.string().exactOptional().meta({ description: 'Only if the line has an id that is kept.' }),
    content: z.string(),
    namespace: z.string(),
    container: z.string(),
    tags: z.array(z.string()).readonly(),
    priority: z.enum(PRIORITIES),
    importance: z.number().min(0).max(1),
    source: z.enum(SOURCES),
    sourceRef: z.record(z.string(), z.unknown()).readonly().exactOptional(),
    summary: z.string().exactOptional(),
    entities,
    ...carried,
    createdAt: Timestamp.exactOptional(),
    updatedAt: Timestamp.exactOptional(),
  })
  .meta({ id: 'ImportPreview' }) as z.ZodType as z.ZodType<ImportPreview, ImportPreview>;

export const ImportReport = z.object({
  dryRun: z.boolean(),
  lines: count,
  stored: count,
  duplicates: count,
  invalid: count,
  errors: z.array(ImportLine).readonly().meta({ description: 'The first 1,000 bad lines.' }),
  notes: z
    .array(ImportLine.pick({ line: true, notes: true }))
    .readonly()
    .exactOptional()
    .meta({ description: 'The first 1,000 lines with parts that were left out or replaced; absent if there are none.' }),
  vectors: z
    .object({ kept: count, remade: count })
    .exactOptional()
    .meta({ description: 'Vectors of the stored entries in the file: kept, or computed again because they belong to another model.' }),
  redacted: count.exactOptional().meta({ description: 'Stored entries with redacted secrets; absent if there are none.' }),
  withSecrets: count
    .exactOptional()
    .meta({ description: 'Stored entries that seem to contain a secret and were stored unchanged; absent if there are none.' }),
  besides: z.object({ lines: count, relations: count, archived: count, versions: count }).exactOptional().meta({
    description:
      'Lines with relations, archived entries and versions, and how many of them were stored; `stored` and `duplicates` count entries only.',
  }),
  warnings: texts.meta({
    description: 'Warnings, such as that a namespace has more entries than compaction keeps.',
  }),
  preview: z
    .array(ImportPreview)
    .readonly()
    .exactOptional()
    .meta({ description: 'Dry runs only: the first three entries as they would be stored.' }),
});
export type ImportReport = Result<typeof ImportReport>;

/** Why an import failed: a sentence if it stored nothing because of bad lines, else undefined. Dry runs and empty inputs do not fail. */
export function importFault({ dryRun, lines, stored, duplicates, invalid, besides, errors }: ImportReport): string | undefined {
  const kept = stored + duplicates + (besides === undefined ? 0 : besides.relations + besides.archived + besides.versions);
  if (dryRun || invalid === 0 || kept > 0) return undefined;
  const bad = `${invalid.toLocaleString('en-US')} of ${lines.toLocaleString('en-US')} ${lines === 1 ? 'line is' : 'lines are'} bad`;
  const [first] = errors;
  return `Nothing was stored: ${bad}.${first === undefined ? '' : ` The first is line ${first.line}: ${first.error ?? 'cannot be read'}`}`;
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
