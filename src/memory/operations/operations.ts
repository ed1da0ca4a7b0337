/**
 * All operations of Lore: requests, results and one interface. HTTP, command line, MCP and the HTTP client use these types. The zod schemas
 * are the only source of validation, types and the OpenAPI document.
 */
import { z } from 'zod';
import { Namespace, type Entry, type Source } from '../entry.ts';
import type { IdempotentRequest } from '../idempotency.ts';
import type { BulkOperations } from './bulk-operations.ts';
import type { CaptureOperations } from './capture-operations.ts';
import type { DetailOperations } from './detail-operations.ts';
import type { DiagnoseRequest, Diagnosis } from './diagnosis.ts';
import type { PatchRequest, SaveReceipt, SaveRequest } from './entry-operations.ts';
import type { EventOperations } from './event-operations.ts';
import type {
  EntryPage,
  ExplainReport,
  ExplainRequest,
  ListRequest,
  RecallRequest,
  SearchRequest,
  SearchResults,
} from './finding-operations.ts';
import type { LifecycleOperations } from './lifecycle-operations.ts';
import type { NamespaceOperations } from './namespace-operations.ts';
import type { RelationOperations } from './relation-operations.ts';
import type { Health, MigrationReport, NamespaceSummary, Stats } from './reports.ts';
import type { ServerOperations } from './server-operations.ts';
import type { SourceOperations } from './source-operations.ts';
import type { StatisticsOperations, StatsRequest } from './statistics-operations.ts';
import type { ExportLine, ExportRequest, ImportOptions, ImportReport, ImportRequest } from './transfer-operations.ts';
import type { VerifyReport } from './verification.ts';

export * from './diagnosis.ts';
export * from './entry-operations.ts';
export * from './finding-operations.ts';
export * from './reports.ts';
export * from './transfer-operations.ts';
export * from './verification.ts';
export { Instant } from './entry-conditions.ts';

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
