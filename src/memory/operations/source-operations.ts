/** Requests and results for files and other documents whose passages are entries. */
import { z } from 'zod';
import { Content, Namespace, Tags } from '../entry.ts';
import type { Result } from '../result.ts';
import { Time } from '../timestamp.ts';
import { Instant, type CallOptions } from './operations.ts';

/** `index`: files of a project, kept in sync with its folder; `ingest`: documents read once. Each sees only its own files. */
export const SOURCE_KINDS = ['index', 'ingest'] as const;
export type SourceKind = (typeof SOURCE_KINDS)[number];

const MAX_PATH_CHARS = 1024;
/** Maximum number of passages in one request, and therefore of one file. */
export const MAX_PASSAGES = 20_000;
const MAX_FILES = 1000;
const MAX_PATHS = 10_000;
export const MAX_SOURCES = 10_000;
const MAX_HASH_CHARS = 128;
const MAX_HEADING_CHARS = 500;
const MAX_DETAILS = 16;
const CONTROL = /\p{Cc}/u;

const Line = z.int().min(1);
const line = (max: number) =>
  z
    .string()
    .min(1, 'must not be empty')
    .max(max, `must be at most ${max} characters`)
    .refine((text) => text.isWellFormed(), 'must be well-formed Unicode (it has a lone surrogate)')
    .refine((text) => !CONTROL.test(text), 'must not contain control characters')
    .refine((text) => text.trim() !== '', 'must not be blank');

const SourceKindField = z.enum(SOURCE_KINDS).meta({ description: 'Owner of the file: `index` and `ingest` see only their own files.' });
const Root = line(MAX_PATH_CHARS).meta({
  description: 'Root of the paths: a folder, or the name of a repository.',
  examples: ['owner/repo'],
});
/** Path of a document relative to its root, with `/` as separator. */
export const SourcePath = line(MAX_PATH_CHARS).meta({
  description: 'Path of the file relative to the root, or another unique name.',
  examples: ['src/app.ts'],
});
const Hash = line(MAX_HASH_CHARS).meta({ description: 'Hash of the whole file; a different hash means that the file has changed.' });
const Detail = z.union([z.string().max(MAX_PATH_CHARS), z.number(), z.boolean()]);

export const SourcePassage = z
  .strictObject({
    content: Content,
    start: Line.optional().meta({ description: 'First line, from 1.' }),
    end: Line.optional().meta({ description: 'Last line, included.' }),
    heading: line(MAX_HEADING_CHARS).optional().meta({ description: 'Headings above it, such as `Deploying > Rolling back`.' }),
    tags: Tags.optional().meta({ description: 'Tags of the entry, such as the language.' }),
    createdAt: Instant.optional().meta({ description: 'Time of writing; default now.' }),
    details: z
      .record(z.string().min(1).max(64), Detail)
      .refine((details) => Object.keys(details).length <= MAX_DETAILS, `must have at most ${MAX_DETAILS} fields`)
      .optional()
      .meta({ description: 'More about its position, such as a page; stored in `sourceRef`.' }),
  })
  .meta({ id: 'SourcePassage' });
export type SourcePassage = z.output<typeof SourcePassage>;

export const SourceFile = z
  .strictObject({
    path: SourcePath,
    hash: Hash,
    from: SourcePath.optional().meta({ description: 'Former path of the file: its entries move to the new path.' }),
    passages: z.array(SourcePassage).max(MAX_PASSAGES, `must have at most ${MAX_PASSAGES} passages`),
  })
  .meta({ id: 'SourceFile' });
export type SourceFile = z.output<typeof SourceFile>;

const countPassages = (files: readonly SourceFile[]): number => files.reduce((sum, { passages }) => sum + passages.length, 0);

export const ReplaceSourcesRequest = z
  .strictObject({
    namespace: Namespace.optional(),
    kind: SourceKindField,
    root: Root,
    files: z
      .array(SourceFile)
      .min(1, 'must name at least one file')
      .max(MAX_FILES, `must have at most ${MAX_FILES} files`)
      .refine((files) => countPassages(files) <= MAX_PASSAGES, `must have at most ${MAX_PASSAGES} passages`)
      .refine((files) => new Set(files.map(({ path }) => path)).size === files.length, 'must name each path once'),
  })
  .meta({ id: 'ReplaceSourcesRequest' });
export type ReplaceSourcesRequest = z.output<typeof ReplaceSourcesRequest>;

export const RemoveSourcesRequest = z
  .strictObject({
    namespace: Namespace.optional(),
    kind: SourceKindField,
    root: Root,
    paths: z.array(SourcePath).min(1, 'must name at least one path').max(MAX_PATHS, `must have at most ${MAX_PATHS} paths`),
  })
  .meta({ id: 'RemoveSourcesRequest' });
export type RemoveSourcesRequest = z.output<typeof RemoveSourcesRequest>;

export const SourcesRequest = z
  .strictObject({
    namespace: Namespace.optional(),
    kind: SourceKindField.optional(),
    root: Root.optional().meta({ description: 'Only files of this root; default all.' }),
    limit: z.int().min(1).max(MAX_SOURCES).optional().meta({ description: 'Default 100.' }),
    offset: z.int().min(0).optional().meta({ description: 'Default 0.' }),
  })
  .meta({ id: 'SourcesRequest' });
export type SourcesRequest = z.output<typeof SourcesRequest>;

const count = z.int().min(0);

/** A file with stored passages. */
export const StoredSource = z
  .object({
    kind: z.enum(SOURCE_KINDS),
    root: z.string(),
    path: z.string(),
    hash: z.string().exactOptional().meta({ description: 'Absent if entries are missing or belong to several versions of the file.' }),
    entries: count,
    /** Time of the last change to its entries. */
    updatedAt: Time,
  })
  .meta({ id: 'StoredSource' });
export type StoredSource = Result<typeof StoredSource>;

/** In a stable order. */
export const SourcePage = z.object({ total: count, offset: count, limit: count, sources: z.array(StoredSource) });
export type SourcePage = Result<typeof SourcePage>;

/** Result for one file; counts are entries. */
export const ReplacedSource = z
  .object({
    path: z.string(),
    stored: count.meta({ description: 'New entries.' }),
    /** Only their position may have changed. */
    kept: count.meta({ description: 'Unchanged entries.' }),
    removed: count.meta({ description: 'Removed entries.' }),
    secrets: z.array(z.string()).exactOptional().meta({ description: 'Kinds of secrets that the text seems to contain.' }),
  })
  .meta({ id: 'ReplacedSource' });
export type ReplacedSource = Result<typeof ReplacedSource>;

export const RemovedSource = z.object({ path: z.string(), removed: count });
export type RemovedSource = Result<typeof RemovedSource>;

/**
 * Operations on files whose passages are entries. Each file is stored as a whole or not at all. They never touch other entries; a passage
 * edited by hand stays as an independent entry. Every method rejects with LoreError.
 */
export interface SourceOperations {
  /** Files with stored passages. */
  list(request: SourcesRequest, options?: CallOptions): Promise<SourcePage>;
  /**
   * Replaces the passages of each file; an entry whose text is still in the file keeps its id. A file without passages is removed. Results
   * are in the order of the files. Safe to repeat.
   */
  replace(request: ReplaceSourcesRequest, options?: CallOptions): Promise<readonly ReplacedSource[]>;
  /** Removes the stored passages of these files. */
  remove(request: RemoveSourcesRequest, options?: CallOptions): Promise<readonly RemovedSource[]>;
}
