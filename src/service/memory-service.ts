import { v7 as newId } from 'uuid';
import type { Embedder, EmbedderChoice } from '../embeddings/embedder.ts';
import { givenOf } from '../memory/entry-fields.ts';
import { GLOBAL_NAMESPACE, type Entry, type EntryFilter } from '../memory/entry.ts';
import { Scheduler } from '../jobs/scheduler.ts';
import { LoreError } from '../memory/errors.ts';
import { withConvertedResult } from '../memory/idempotency.ts';
import type { Log } from '../memory/log.ts';
import type {
  CallOptions,
  DiagnoseRequest,
  Diagnosis,
  EntryPage,
  ExplainReport,
  ExplainRequest,
  ExportLine,
  ExportRequest,
  Health,
  ImportOptions,
  ImportReport,
  ImportRequest,
  ListRequest,
  MigrateRequest,
  MigrationReport,
  NamespaceSummary,
  PatchRequest,
  RecallRequest,
  SaveReceipt,
  SaveRequest,
  SearchRequest,
  SearchResults,
  Stats,
  VerifyReport,
} from '../memory/operations/operations.ts';
import { withContentLimit } from '../memory/content-limit.ts';
import { noTelemetry, type Telemetry } from '../memory/telemetry.ts';
import type { StatsRequest } from '../memory/operations/statistics-operations.ts';
import type { StoreOperations } from '../memory/operations/sync-operations.ts';
import type { EntryRow } from '../store/format/rows.ts';
import type { Store } from '../store/store.ts';
import { spaceOf } from './recall/vector-leg.ts';
import { Clock } from '../memory/clock.ts';
import { AutoRelations } from './relations/auto-relations.ts';
import { backupsOf, type StoreBackups } from './backups/backups.ts';
import { Bulk } from './changes/bulk.ts';
import { Capture } from './capture/capture.ts';
import { ContextFiles } from './capture/context-files.ts';
import { draftEntry, Drafting } from './changes/drafting.ts';
import { Editing } from './changes/editing.ts';
import { Details } from './recall/details.ts';
import { Events } from './events/events.ts';
import { Lifecycle } from './lifecycle/lifecycle.ts';
import { Uses } from './lifecycle/uses.ts';
import { ArchiveSearch } from './recall/archive-search.ts';
import { NamespaceMoves } from './transfer/namespace-moves.ts';
import { Recall } from './recall/recall.ts';
import { Reembedding } from './embedding/reembedding.ts';
import { Relations } from './relations/relations.ts';
import { Receipts } from './changes/receipts.ts';
import { Reports } from './reports/reports.ts';
import { Scrub } from './scrub.ts';
import { listFilter, searchFilter } from './search-filters.ts';
import { Searching } from './recall/searching.ts';
import { Secrets } from './secrets.ts';
import type { ServiceSettings } from './service-settings.ts';
import { Sources } from './files/sources.ts';
import { Statistics } from './reports/statistics.ts';
import { Syncing } from './transfer/syncing.ts';
import { Transfer } from './transfer/transfer.ts';
import { WriteLimiter } from './write-limiter.ts';
import { requestedNamespace, namespaceOfSave } from './requested-namespace.ts';
import { withoutUndefined } from '../memory/without-undefined.ts';

interface Parts {
  readonly store: Store;
  readonly choice: EmbedderChoice;
  readonly settings: ServiceSettings;
  readonly log: Log;
  /** Called for each use of entries; default none. */
  readonly telemetry?: Telemetry;
}

/** Everything Lore does, over one open store. */
export class MemoryService implements StoreOperations {
  readonly relations: Relations;
  readonly lifecycle: Lifecycle;
  readonly backups: StoreBackups;
  readonly capture: Capture;
  readonly moves: NamespaceMoves;
  readonly sources: Sources;
  readonly statistics: Statistics;
  readonly bulk: Bulk;
  readonly details: Details;
  readonly changes: Events;
  readonly sync: Syncing;
  readonly #store: Store;
  readonly #settings: ServiceSettings;
  readonly #clock = new Clock();
  readonly #limiter: WriteLimiter;
  readonly #drafting: Drafting;
  readonly #editing: Editing;
  readonly #searching: Searching;
  readonly #uses: Uses;
  readonly #receipts: Receipts;
  readonly #secrets: Secrets;
  readonly #reembedding: Reembedding;
  readonly #autoRelations: AutoRelations;
  readonly #transfer: Transfer;
  readonly #reports: Reports;
  readonly #scrub: Scrub;
  readonly #contexts: ContextFiles;
  readonly #scheduler: Scheduler;
  readonly #stopListening: () => void;

  constructor({ store, choice, settings, log, telemetry = noTelemetry }: Parts) {
    this.#store = store;
    this.#settings = settings;
    this.#limiter = new WriteLimiter(settings.writes);
    const { background, compaction: rules, weights, priors, passages, similarFrom } = settings;
    const scheduler = new Scheduler({ background, log, telemetry });
    this.#scheduler = scheduler;
    const onPending = (): void => this.#reembedding.fillInLater();
    this.#drafting = new Drafting({ embedder: () => choice.active, settings: passages, log, onPending });
    const [drafting, clock, limiter] = [this.#drafting, this.#clock, this.#limiter];
    this.statistics = new Statistics(store);
    this.relations = new Relations({ store, clock, limiter });
    this.details = new Details({ store, passages, namespace: settings.namespace, threshold: similarFrom });
    this.changes = new Events({ store });
    const onEdited = (id: string): void => this.#autoRelations.noteChanged(id);
    this.lifecycle = new Lifecycle({ store, drafting, clock, limiter, rules, scheduler, log, onEdited });
    const recall = new Recall({ store, choice, weights, priors, passages, log, telemetry });
    const uses = new Uses({ usage: this.lifecycle.usage, recalls: this.statistics.recalls });
    const archive = new ArchiveSearch({ store, passages, log });
    this.#uses = uses;
    this.#searching = new Searching({ store, recall, archive, uses, settings, limitOf: (limit) => this.#limit(limit) });
    this.#reembedding = new Reembedding({ store, choice, drafting, scheduler, log });
    this.#autoRelations = new AutoRelations({ store, similarFrom, clock, scheduler, log, telemetry });
    this.#receipts = new Receipts({ store, threshold: similarFrom, log });
    this.#secrets = new Secrets(settings.redactSecrets);
    const writing = { store, secrets: this.#secrets, drafting, clock, limiter, namespace: settings.namespace };
    this.capture = new Capture({
      ...writing,
      recall,
      settings: settings.capture,
      scheduler,
      log,
      telemetry,
      onStored: (id) => this.#autoRelations.noteSaved(id),
      uses,
      onWork: (name) => this.#contexts.want(name),
      onJudged: () => this.#contexts.hurry(),
    });
    const contextOf = (name: string): Promise<string> => this.capture.openingOf(name);
    this.#contexts = new ContextFiles({ store, place: settings.capture.contexts, contextOf, scheduler, log });
    for (const name of [GLOBAL_NAMESPACE, settings.namespace]) this.#contexts.want(name);
    const onImported = (id: string): void => this.#autoRelations.noteImported(id);
    const { maxLineBytes } = settings;
    const incoming = { ...writing, rules, maxLineBytes, space: () => spaceOf(choice.active), onStored: onImported };
    this.#transfer = new Transfer(incoming);
    this.sync = new Syncing({ ...incoming, onEdited });
    this.#editing = new Editing({ ...writing, onChanged: onEdited });
    this.sources = new Sources({ ...writing, onIngested: onImported });
    this.bulk = new Bulk(writing);
    this.moves = new NamespaceMoves({ store, clock, limiter, onMoved: onImported });
    const lines = (): AsyncIterable<ExportLine> => this.#transfer.export({ vectors: true, all: true });
    this.backups = backupsOf({ store, ...settings.backups, lines, scheduler, log, telemetry });
    this.#scrub = new Scrub({ store, scheduler, log, intervalMs: settings.scrubIntervalMs });
    const { lifecycle, backups } = this;
    const [scrub, reembedding, autoRelations] = [this.#scrub, this.#reembedding, this.#autoRelations];
    this.#reports = new Reports({ scrub, scheduler, store, choice, settings, recall, reembedding, autoRelations, lifecycle, backups });
    telemetry.watch('service', () => this.#reports.gauges());
    this.#stopListening = choice.onChange((active) => void this.#takeUp(active, log));
    this.#reembedding.fillIn();
  }

  get keys(): ServiceSettings['keys'] {
    return this.#settings.keys;
  }

  get settings(): ServiceSettings['settings'] {
    return this.#settings.settings;
  }

  save(request: SaveRequest, options: CallOptions = {}): Promise<SaveReceipt> {
    return this.#limiter.one(request.content.length, () => this.#save(request, options));
  }

  async #save(request: SaveRequest, { source = 'api', signal, idempotent }: CallOptions): Promise<SaveReceipt> {
    this.#scheduler.noteRequest();
    const { priority = 'normal', tags = [] } = request;
    const namespace = namespaceOfSave(request, this.#settings.namespace);
    const now = this.#clock.now();
    const { texts, ...found } = this.#secrets.ofSaved({ content: request.content, tags }, source);
    const entry = draftEntry({
      id: newId(),
      content: texts.content,
      namespace,
      container: request.container ?? namespace,
      tags: [...new Set(texts.tags)],
      priority,
      source,
      ...withoutUndefined({ importance: request.importance }),
      ...givenOf(request),
      createdAt: now,
      updatedAt: now,
    });
    const [row] = (await this.#drafting.rows([entry], signal)) as [EntryRow];
    const { near = false, supersedes = [] } = request;
    const receiptOf = await this.#receipts.prepare({ row, near, supersedes, ...found });
    const succession = supersedes.length > 0 ? { ids: supersedes, at: now } : undefined;
    const result = await this.#store.entries.insert(row, withConvertedResult(idempotent, receiptOf), succession);
    if (result.status === 'stored') this.#autoRelations.noteSaved(result.entry.id);
    return receiptOf(result);
  }

  async recall(request: RecallRequest, options: CallOptions = {}): Promise<SearchResults> {
    const { namespace = this.#settings.namespace } = request;
    const namespaces = request.includeGlobal === true ? [...new Set([namespace, GLOBAL_NAMESPACE])] : [namespace];
    return await this.#find(request, { ...searchFilter(request), namespaces }, options);
  }

  async search(request: SearchRequest, options: CallOptions = {}): Promise<SearchResults> {
    const found = await this.#find(request, searchFilter(request), options);
    return request.filter === undefined ? found : { ...found, filter: request.filter };
  }

  async explain(request: ExplainRequest, { signal }: CallOptions = {}): Promise<ExplainReport> {
    const entry = await this.get(request.id);
    return await this.#searching.explain(entry, request, searchFilter(request), signal);
  }

  diagnose(request: DiagnoseRequest, { signal }: CallOptions = {}): Promise<Diagnosis> {
    return this.#reports.diagnose(request, signal);
  }

  verify({ signal }: CallOptions = {}): Promise<VerifyReport> {
    return this.#scrub.verify(signal);
  }

  async list(request: ListRequest): Promise<EntryPage> {
    const { allNamespaces, namespace, maxContentChars, ...conditions } = request;
    const only = requestedNamespace({ namespace, allNamespaces }, this.#settings.namespace);
    const limit = this.#limit(request.limit);
    const offset = request.offset ?? 0;
    const page = await this.#store.entries.list(
      { ...listFilter(conditions), ...(only !== undefined && { namespaces: [only] }) },
      { limit, offset, sort: request.sort ?? '-createdAt' },
    );
    this.capture.note(page.entries);
    return { ...page, entries: page.entries.map((entry) => withContentLimit(entry, maxContentChars)), offset, limit };
  }

  async get(id: string): Promise<Entry> {
    const entry = await this.#store.entries.get(id);
    this.capture.note([entry]);
    const use = await this.lifecycle.usage.of(id);
    return use === undefined ? entry : { ...entry, recalls: use.recalls, lastRecalledAt: use.lastRecalledAt };
  }

  async markUsed(id: string, { source = 'api' }: CallOptions = {}): Promise<Entry> {
    const entry = await this.#store.entries.get(id);
    this.#uses.note({ entries: [entry], source, namespace: entry.namespace });
    return await this.get(id);
  }

  update(id: string, patch: PatchRequest, options: CallOptions = {}): Promise<Entry> {
    return this.#limiter.one(patch.content?.length ?? 0, () => this.#editing.update(id, patch, options));
  }

  forget(id: string, { idempotent }: CallOptions = {}): Promise<void> {
    return this.#limiter.one(0, () => this.#store.entries.remove(id, idempotent, { deletedAt: this.#clock.now() }));
  }

  namespaces(): Promise<readonly NamespaceSummary[]> {
    return Promise.resolve(this.#store.catalog.namespaces());
  }

  health({ namespace }: CallOptions = {}): Promise<Health> {
    return this.#reports.health(namespace);
  }

  stats(request?: StatsRequest): Promise<Stats> {
    return this.#reports.stats(request);
  }

  migrate(request: MigrateRequest): Promise<MigrationReport> {
    return this.#reembedding.migrate(request);
  }

  export(request: ExportRequest): AsyncIterable<ExportLine> {
    return this.#transfer.export(request);
  }

  import(chunks: AsyncIterable<Uint8Array>, request: ImportRequest, options: ImportOptions = {}): Promise<ImportReport> {
    return this.#transfer.import(chunks, request, options);
  }

  /** Stops background work. The caller closes the store and the embedder. */
  async close(): Promise<void> {
    this.#stopListening();
    this.changes.close();
    this.#searching.close();
    this.bulk.close();
    await this.moves.close();
    await this.lifecycle.close();
    await this.#scheduler.close();
  }

  /** Called when another model becomes active. */
  async #takeUp(active: Embedder, log: Log): Promise<void> {
    try {
      await this.#store.spaces.serve(spaceOf(active));
      this.#reembedding.fillIn();
    } catch (error) {
      log.error({ error: String(error) }, 'the store could not take up the new model');
    }
  }

  async #find(request: RecallRequest | SearchRequest, filter: EntryFilter, options: CallOptions): Promise<SearchResults> {
    this.#scheduler.noteRequest();
    const found = await this.#searching.find(request, filter, options);
    this.capture.note(found.results.map(({ entry }) => entry));
    return found;
  }

  #limit(limit: number = this.#settings.defaultLimit): number {
    if (limit > this.#settings.maxLimit) throw new LoreError('invalid_input', `limit must be at most ${this.#settings.maxLimit}`);
    return limit;
  }
}
