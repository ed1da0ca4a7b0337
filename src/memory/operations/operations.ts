/**
 * All operations of Lore: requests, results and one interface. HTTP, command line, MCP and the HTTP client use these types. The zod schemas
 * are the only source of validation, types and the OpenAPI document.
 */
import { z } from 'zod';
import {
  Container,
  Content,
  EntryId,
  IdPrefix,
  ListSort,
  MAX_QUERY_BYTES,
  MAX_RESULTS,
  Namespace,
  PriorityInput,
  SearchMode,
  Tags,
  type Entry,
  type ScoredEntry,
  type Source,
} from '../entry.ts';
import { givenShape } from '../entry-fields.ts';
import { isVisible } from '../names.ts';
import type { BulkOperations } from './bulk-operations.ts';
import type { CaptureOperations } from './capture-operations.ts';
import type { DetailOperations } from './detail-operations.ts';
import type { EventOperations } from './event-operations.ts';
import type { DiagnoseRequest, Diagnosis } from './diagnosis.ts';
import type { VerifyReport } from './verification.ts';
import { ENTRY_CONDITIONS, LIST_CONDITIONS, Ratio, SelectedIds } from './entry-conditions.ts';
import type { Explanation } from './explanation.ts';
import type { IdempotentRequest } from '../idempotency.ts';
import type { LifecycleOperations } from './lifecycle-operations.ts';
import type { NamespaceOperations } from './namespace-operations.ts';
import type { RelationOperations } from './relation-operations.ts';
import { ResultsOffset, type PageCounts } from './result-pages.ts';
import type { ServerOperations } from './server-operations.ts';
import type { SourceOperations } from './source-operations.ts';

import type { Health, MigrationReport, NamespaceSummary, Stats } from './reports.ts';
import type { StatisticsOperations, StatsRequest } from './statistics-operations.ts';
import type { ExportLine, ExportRequest, ImportOptions, ImportReport, ImportRequest } from './transfer-operations.ts';

export { DiagnoseRequest, type Diagnosis } from './diagnosis.ts';
export { MAX_VERIFIED_IDS, type VerifiedFiles, type VerifyReport, type WrongFile } from './verification.ts';
export { Instant } from './entry-conditions.ts';
export type { EmbedderReport, Health, MigrationProgress, MigrationReport, NamespaceSummary, Stats, StorageFigures } from './reports.ts';
export {
  type AuxiliaryLine,
  type ExportLine,
  ExportRequest,
  type ExportedEntry,
  type ImportLine,
  type ImportOptions,
  type ImportPreview,
  importFault,
  type ImportReport,
  ImportRequest,
} from './transfer-operations.ts';

const Limit = z.int().min(1).max(MAX_RESULTS).meta({ description: 'Maximum number of results; default `search.limit`.' });
const Query = z
  .string()
  .refine((text) => text.isWellFormed(), 'must be well-formed Unicode (it has a lone surrogate)')
  .refine(isVisible, 'must not be blank')
  .refine((text) => Buffer.byteLength(text) <= MAX_QUERY_BYTES, `must be at most ${MAX_QUERY_BYTES} bytes`)
  .meta({
    description: `Natural language or keywords, at most ${MAX_QUERY_BYTES} bytes of UTF-8.`,
    examples: ['where is the database password'],
  });
const MaxContentChars = z.int().min(100).max(1_000_000).optional().meta({
  description:
    'Maximum length of `content` in the response, in UTF-16 units. Longer content is cut, and `contentLength` has the full length. Default: no limit.',
});

const SearchOptions = {
  minScore: Ratio.optional().meta({ description: 'Leave out results with a lower `score`. Default 0.' }),
  collapse: z.boolean().optional().meta({ description: 'Fold near-identical results into the best of them. Default false.' }),
  explain: z.boolean().optional().meta({ description: 'Explain the rank of each result. Default false.' }),
  includeSuperseded: z.boolean().optional().meta({ description: 'Also find superseded entries. Default false.' }),
  includeArchived: z
    .boolean()
    .optional()
    .meta({ description: 'Also find archived entries, by their words; they have `archived`. Default false.' }),
  newerFirst: z.boolean().optional().meta({
    description:
      'Put the newer of two results on one subject first if it mentions a change or another number, regardless of the scores. Default false.',
  }),
  countUse: z.boolean().optional().meta({
    description:
      'Whether the results count as used, which affects importance and statistics. False for a lookup, such as a search as you type. Default true.',
  }),
  maxContentChars: MaxContentChars,
};

const givenOrNull = Object.fromEntries(
  Object.entries<z.ZodType>(givenShape).map(([name, schema]) => [name, schema.nullable()]),
) as unknown as { readonly [Name in keyof typeof givenShape]: z.ZodNullable<(typeof givenShape)[Name]> };

export const SaveRequest = z
  .strictObject({
    content: Content,
    tags: Tags.optional(),
    namespace: Namespace.optional(),
    global: z.boolean().optional().meta({ description: 'Save into the global namespace.' }),
    container: Container.optional(),
    priority: PriorityInput.optional(),
    importance: Ratio.optional().meta({ description: 'Importance; default by priority, tags and source.' }),
    ...givenShape,
    near: z.boolean().optional().meta({
      description:
        'List in the receipt entries that say nearly the same, or give another value for the same subject. Costs a search. Default false.',
    }),
    supersedes: SelectedIds.optional().meta({
      description: 'Ids of entries that this one replaces. If one does not exist, nothing is saved.',
    }),
  })
  .meta({ id: 'SaveRequest' });
export type SaveRequest = z.output<typeof SaveRequest>;

const { namespace: _namespace, container: _container, ...conditions } = ENTRY_CONDITIONS;
const { tags, priority, source, kind, importance, createdAfter, createdBefore, ...others } = conditions;
export const SearchFilter = z
  .strictObject({
    tags,
    priority,
    source,
    kind,
    importance,
    createdAfter,
    createdBefore,
    ...others,
  })
  .meta({ id: 'SearchFilter', description: 'Entries must match all given conditions.' });
export type SearchFilter = z.output<typeof SearchFilter>;

export const RecallRequest = z
  .strictObject({
    query: Query,
    namespace: Namespace.optional(),
    tags: Tags.optional().meta({ description: 'Only entries with all of these tags.' }),
    limit: Limit.optional(),
    container: Container.optional(),
    searchMode: SearchMode.optional().meta({ description: 'Default `search.defaultMode`.' }),
    includeGlobal: z.boolean().optional().meta({ description: 'Add the entries of the global namespace. Default false.' }),
    filter: SearchFilter.optional(),
    ...SearchOptions,
  })
  .meta({ id: 'RecallRequest' });
export type RecallRequest = z.output<typeof RecallRequest>;

export const SearchRequest = z
  .strictObject({
    query: Query,
    tags: Tags.optional(),
    namespace: Namespace.optional().meta({ description: 'Only this namespace; default all.' }),
    container: Container.optional(),
    limit: Limit.optional(),
    offset: ResultsOffset,
    searchMode: SearchMode.optional(),
    filter: SearchFilter.optional(),
    ...SearchOptions,
  })
  .meta({ id: 'SearchRequest' });
export type SearchRequest = z.output<typeof SearchRequest>;

export const ExplainRequest = z
  .strictObject({
    query: Query,
    id: EntryId,
    namespace: Namespace.optional().meta({ description: 'The same as in the search; default all.' }),
    container: Container.optional(),
    tags: Tags.optional(),
    searchMode: SearchMode.optional(),
    limit: Limit.optional(),
    minScore: Ratio.optional(),
    includeSuperseded: SearchOptions.includeSuperseded,
    filter: SearchFilter.optional(),
  })
  .meta({ id: 'ExplainRequest' });
export type ExplainRequest = z.output<typeof ExplainRequest>;

export const ListRequest = z
  .strictObject({
    namespace: Namespace.optional(),
    allNamespaces: z.boolean().optional().meta({ description: 'Every namespace instead of one. Default false.' }),
    tags: Tags.optional(),
    container: Container.optional(),
    priority,
    source,
    kind,
    createdAfter,
    createdBefore,
    ...LIST_CONDITIONS,
    idPrefix: IdPrefix.optional(),
    pending: z.boolean().optional().meta({ description: 'Only captured entries that were not confirmed or changed since. Default false.' }),
    limit: Limit.optional(),
    offset: z.int().min(0).optional().meta({ description: 'Default 0.' }),
    sort: ListSort.optional().meta({ description: 'Default `-createdAt`, newest first.' }),
    maxContentChars: MaxContentChars,
  })
  .meta({ id: 'ListRequest' });
export type ListRequest = z.output<typeof ListRequest>;

export const PatchRequest = z
  .strictObject({
    content: Content.optional(),
    tags: Tags.optional().meta({ description: 'Replaces all tags.' }),
    priority: PriorityInput.optional(),
    importance: Ratio.optional().meta({ description: 'A value set here stays when tags or priority change later.' }),
    namespace: Namespace.optional(),
    container: Container.optional(),
    ...givenOrNull,
  })
  .refine((patch) => Object.values(patch).some((value) => value !== undefined), 'must change at least one field')
  .meta({ id: 'PatchRequest' });
export type PatchRequest = z.output<typeof PatchRequest>;

export const UseRequest = z.strictObject({}).meta({ id: 'UseRequest', description: 'Has no fields.' });

export const MigrateRequest = z
  .strictObject({
    dryRun: z.boolean().optional().meta({ description: 'Only report what would change. Default false.' }),
    wait: z
      .boolean()
      .optional()
      .meta({ description: 'If false, respond at once with `running`; `migration` in health shows the progress. Default true.' }),
    namespace: Namespace.optional().meta({ description: 'Only this namespace; default all.' }),
  })
  .meta({ id: 'MigrateRequest' });
export type MigrateRequest = z.output<typeof MigrateRequest>;

/** An entry similar to a saved text. Without `differs` and `repeats` it says nearly the same. */
export interface NearEntry {
  readonly id: string;
  /** Word similarity, 0..1; of single sentences if only those are similar. */
  readonly similarity: number;
  /** Different values for the same subject: in the new text (`here`) and in the entry (`there`). One may be empty. */
  readonly differs?: readonly { readonly here: string; readonly there: string }[];
  /** Sentences of the new text that the entry already contains. */
  readonly repeats?: readonly string[];
}

export interface SaveOutcome {
  readonly id: string;
  readonly status: 'stored' | 'duplicate';
  /** `pending`: no model responded in time; the entry is stored and found by keyword, its vector follows. */
  readonly vector: 'stored' | 'pending';
  /** Number of embedded passages; 1 for short text. */
  readonly passages: number;
  /**
   * Only if `near` was requested: entries that say nearly the same, most similar first, and entries with another value for the same
   * subject. All are kept.
   */
  readonly near?: readonly NearEntry[];
  /** Entries that this one replaced, in the same commit. */
  readonly supersedes?: readonly string[];
  /** Kinds of secrets that were redacted before the text was stored. */
  readonly redactions?: readonly string[];
  /** Warnings, such as that the text seems to contain a secret. */
  readonly warnings?: readonly string[];
}
export interface SaveReceipt {
  readonly ids: readonly string[];
  readonly message: string;
  readonly outcomes: readonly SaveOutcome[];
  /** The stored entry; for a duplicate with merged tags. */
  readonly entry: Entry;
}

export interface SearchResults extends PageCounts {
  readonly query: string;
  readonly mode: SearchMode;
  readonly results: readonly ScoredEntry[];
  /**
   * Number of archived entries that `includeArchived` would find with a score of 0.3 or more, at most 100. Only if the best result scores
   * less and there is at least one.
   */
  readonly archivedMatches?: number;
  /** Echo of the filter of a search. */
  readonly filter?: SearchFilter;
}

/** Explains why a search returned an entry or not. */
export interface ExplainReport {
  readonly query: string;
  readonly mode: SearchMode;
  readonly id: string;
  /** Whether a search with this limit returns it. */
  readonly returned: boolean;
  /** 1-based rank among all matches; absent if it does not match or is filtered out. */
  readonly rank?: number;
  readonly score?: number;
  /** One sentence in plain words. */
  readonly reason: string;
  /** Every filter of the request and whether the entry passes it. */
  readonly filters: readonly { readonly filter: string; readonly passed: boolean }[];
  /** Score breakdown; also if filters or the limit excluded the entry. */
  readonly explanation?: Explanation;
}

export interface EntryPage {
  readonly entries: readonly Entry[];
  readonly total: number;
  readonly offset: number;
  readonly limit: number;
}

export interface CallOptions {
  /** Source of the request, recorded on what it writes. Default `api`. */
  readonly source?: Source;
  readonly signal?: AbortSignal | undefined;
  /**
   * The namespace that the caller's key is bound to: entries of other namespaces do not exist for it. Used only by the process that has the
   * store open.
   */
  readonly namespace?: string;
  /**
   * Idempotency key for this change: visible ASCII without quotes and backslashes. A repeated request with the same key does not repeat the
   * change. Used only by the HTTP client; docs/api.md lists what accepts one.
   */
  readonly idempotencyKey?: string | undefined;
  /** The idempotent request, in the process that has the store open. */
  readonly idempotent?: IdempotentRequest | undefined;
}
/**
 * Every operation, with validated requests. service/memory-service.ts implements it over a store, client/http-client.ts over a running
 * server. All methods reject with LoreError; an unknown id is `not_found`.
 */
export interface MemoryOperations extends ServerOperations {
  readonly relations: RelationOperations;
  readonly lifecycle: LifecycleOperations;
  readonly capture: CaptureOperations;
  readonly moves: NamespaceOperations;
  readonly sources: SourceOperations;
  readonly bulk: BulkOperations;
  readonly details: DetailOperations;
  readonly statistics: StatisticsOperations;
  readonly changes: EventOperations;
  save(request: SaveRequest, options?: CallOptions): Promise<SaveReceipt>;
  recall(request: RecallRequest, options?: CallOptions): Promise<SearchResults>;
  search(request: SearchRequest, options?: CallOptions): Promise<SearchResults>;
  /** Rejects with `not_found` if no entry has the id. */
  explain(request: ExplainRequest, options?: CallOptions): Promise<ExplainReport>;
  diagnose(request: DiagnoseRequest, options?: CallOptions): Promise<Diagnosis>;
  /** Reads every entry from disk and compares it with its checksum. */
  verify(options?: CallOptions): Promise<VerifyReport>;
  list(request: ListRequest, options?: CallOptions): Promise<EntryPage>;
  get(id: string, options?: CallOptions): Promise<Entry>;
  /** Counts one use of an entry, as a recall does: a person opened or copied a result. Rejects with `not_found`. */
  markUsed(id: string, options?: CallOptions): Promise<Entry>;
  update(id: string, patch: PatchRequest, options?: CallOptions): Promise<Entry>;
  forget(id: string, options?: CallOptions): Promise<void>;
  namespaces(options?: CallOptions): Promise<readonly NamespaceSummary[]>;
  health(options?: CallOptions): Promise<Health>;
  stats(request?: StatsRequest, options?: CallOptions): Promise<Stats>;
  migrate(request: MigrateRequest, options?: CallOptions): Promise<MigrationReport>;
  /** The header, then the entries, oldest first. Holds at most one batch in memory. */
  export(request: ExportRequest, options?: CallOptions): AsyncIterable<ExportLine>;
  /** Reads JSON Lines from chunks of UTF-8. The report lists bad lines; they do not stop the import, unless `strict`. */
  import(chunks: AsyncIterable<Uint8Array>, request: ImportRequest, options?: ImportOptions): Promise<ImportReport>;
}
