/** Files and other documents whose passages are entries, as requests and results. */
import { z } from 'zod';
import { Content, Namespace, Tags } from '../entry.ts';
import { Instant, type CallOptions } from './operations.ts';

/** `index` keeps a project in step with its folder; `ingest` takes documents in once. Each sees its own alone. */
export const SOURCE_KINDS = ['index', 'ingest'] as const;
export type SourceKind = (typeof SOURCE_KINDS)[number];

export const MAX_PATH_CHARS = 1024;
/** Of one request, and so of one file. */
export const MAX_PASSAGES = 20_000;
export const MAX_FILES = 1000;
export const MAX_PATHS = 10_000;
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
/** Where a document is below its root, with `/` between its parts. */
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

/** One file of which passages are stored. */
export interface StoredSource {
  readonly kind: SourceKind;
  readonly root: string;
  readonly path: string;
  /** Absent where its entries are not all there, or of several versions of it: it is to be read again. */
  readonly hash?: string;
  readonly entries: number;
  /** When the last of its entries was stored or changed. Epoch milliseconds. */
  readonly updatedAt: number;
}

export interface SourcePage {
  /** In an order that stays as long as the files do. */
  readonly sources: readonly StoredSource[];
  readonly total: number;
  readonly offset: number;
  readonly limit: number;
}

/** What became of one file; its counts are entries. */
export interface ReplacedSource {
  readonly path: string;
  readonly stored: number;
  /** Of those that were there: they say the same, and only where they stand may have changed. */
  readonly kept: number;
  readonly removed: number;
  /** Kinds of secrets that its text looks as if it holds; absent where there are none. */
  readonly secrets?: readonly string[];
}

export interface RemovedSource {
  readonly path: string;
  /** Entries that are gone; 0 where nothing was there. */
  readonly removed: number;
}

/**
 * Documents whose passages are entries. Each is stored as a whole or not at all. Entries that someone saved by other ways are never touched,
 * and one whose text was changed by hand stays, as an entry of its own. Every method rejects with LoreError.
 */
export interface SourceOperations {
  /** The files whose passages are stored. */
  list(request: SourcesRequest, options?: CallOptions): Promise<SourcePage>;
  /**
   * Puts the passages of each file in the place of those that it had; an entry whose text is still in the file keeps its id. Without
   * passages nothing of the file stays. In the order of the files; repeating it changes nothing.
   */
  replace(request: ReplaceSourcesRequest, options?: CallOptions): Promise<readonly ReplacedSource[]>;
  /** Removes what is stored of these files. */
  remove(request: RemoveSourcesRequest, options?: CallOptions): Promise<readonly RemovedSource[]>;
}
