import { v7 as newId } from 'uuid';
import type { EmbedderChoice } from '../embeddings/embedder.ts';
import { GLOBAL_NAMESPACE, type Entry, type EntryFilter, type SearchMode } from '../memory/entry.ts';
import { LoreError } from '../memory/errors.ts';
import { reweighed } from '../memory/importance.ts';
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
  MemoryOperations,
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
} from '../memory/operations.ts';
import type { EntryRow } from '../store/rows.ts';
import type { Store } from '../store/store.ts';
import { spaceOf } from './vector-leg.ts';
import { Clock } from '../memory/clock.ts';
import type { BackupPlace } from '../store/format-steps.ts';
import { AutoRelations } from './auto-relations.ts';
import { Backups } from './backups.ts';
import { Capture, type CaptureSettings } from './capture.ts';
import { draftEntry, Drafting, searchTextOf, type PassageSettings } from './drafting.ts';
import { explainEntry } from './explain-report.ts';
import type { Weights } from './fusion.ts';
import type { CompactionRules } from './compaction-plan.ts';
import { Lifecycle } from './lifecycle.ts';
import { Moves } from './moves.ts';
import type { PriorWeights } from './priors.ts';
import { Recall, type Wanted } from './recall.ts';
import { Reembedding } from './reembedding.ts';
import { Relations } from './relations.ts';
import { Receipts } from './receipts.ts';
import { Reports } from './reports.ts';
import { current, filterOf, scope } from './search-filters.ts';
import { Secrets, type RedactSecrets } from './secrets.ts';
import { Sources } from './sources.ts';
import { Transfer } from './transfer.ts';

export interface ServiceSettings {
  /** Where entries go and come from when a request names no namespace. */
  readonly namespace: string;
  readonly defaultMode: SearchMode;
  readonly defaultLimit: number;
  readonly maxLimit: number;
  /** Those that the configuration sets. */
  readonly weights: Partial<Weights>;
  /** Default PRIOR_WEIGHTS. */
  readonly priors: PriorWeights;
  readonly passages: PassageSettings;
  /** Cosine from which two entries are linked as `similar`. */
  readonly similarFrom: number;
  readonly redactSecrets: RedactSecrets;
  /** Longest line of an import, bytes. */
  readonly maxLineBytes: number;
  readonly capture: CaptureSettings;
  readonly compaction: CompactionRules;
  readonly version: string;
  /** Whether vectors that are missing or of a stand-in are made behind the requests. */
  readonly background: boolean;
  readonly backups: { readonly place: BackupPlace; readonly intervalMs: number };
}

interface Parts {
  readonly store: Store;
  readonly choice: EmbedderChoice;
  readonly settings: ServiceSettings;
  readonly log: Log;
}

/** Everything Lore does, over one open store. */
export class MemoryService implements MemoryOperations {
  readonly relations: Relations;
  readonly lifecycle: Lifecycle;
  readonly backups: Backups;
  readonly capture: Capture;
  readonly moves: Moves;
  readonly sources: Sources;
  readonly #store: Store;
  readonly #settings: ServiceSettings;
  readonly #clock = new Clock();
  readonly #drafting: Drafting;
  readonly #recall: Recall;
  readonly #receipts: Receipts;
  readonly #secrets: Secrets;
  readonly #reembedding: Reembedding;
  readonly #autoRelations: AutoRelations;
  readonly #transfer: Transfer;
  readonly #reports: Reports;
  readonly #stopListening: () => void;

  constructor({ store, choice, settings, log }: Parts) {
    this.#store = store;
    this.#settings = settings;
    const { background, compaction: rules, weights, priors, passages, similarFrom } = settings;
    const onPending = (): void => this.#reembedding.fillInLater();
    this.#drafting = new Drafting({ embedder: () => choice.active, settings: passages, log, onPending });
    const [drafting, clock] = [this.#drafting, this.#clock];
    this.relations = new Relations({ store, clock });
    const onEdited = (id: string): void => this.#autoRelations.noteChanged(id);
    this.lifecycle = new Lifecycle({ store, choice, drafting, clock, rules, log, background, onEdited });
    this.#recall = new Recall({ store, choice, weights, priors, passages, log });
    this.#reembedding = new Reembedding({ store, choice, drafting, log, background });
    this.#autoRelations = new AutoRelations({ store, similarFrom, clock, background, log });
    this.#receipts = new Receipts({ store, threshold: similarFrom, log });
    this.#secrets = new Secrets(settings.redactSecrets);
    const writing = { store, secrets: this.#secrets, drafting, clock, namespace: settings.namespace };
    this.capture = new Capture({
      ...writing,
      recall: this.#recall,
      settings: settings.capture,
      background,
      log,
      onStored: (id) => this.#autoRelations.noteSaved(id),
    });
    const onImported = (id: string): void => this.#autoRelations.noteImported(id);
    this.#transfer = new Transfer({
      ...writing,
      maxLineBytes: settings.maxLineBytes,
      space: () => ({ fingerprint: choice.active.fingerprint, width: choice.active.dimensions }),
      onStored: onImported,
    });
    this.sources = new Sources({ ...writing, onIngested: onImported });
    this.moves = new Moves({ store, clock, onMoved: onImported });
    this.backups = new Backups({ store, ...settings.backups, background, log });
    this.#reports = new Reports({
      store,
      choice,
      settings,
      reembedding: this.#reembedding,
      autoRelations: this.#autoRelations,
      lifecycle: this.lifecycle,
      backups: this.backups,
    });
    this.#stopListening = choice.onChange((active) => {
      store.spaces
        .serve(spaceOf(active))
        .then(() => this.#reembedding.fillIn())
        .catch((error: unknown) => log.error({ error: String(error) }, 'the store could not take up the new model'));
    });
    this.#reembedding.fillIn();
  }

  async save(request: SaveRequest, { source = 'api', signal }: CallOptions = {}): Promise<SaveReceipt> {
    this.#autoRelations.noteRequest();
    const { global, priority = 'normal', tags = [] } = request;
    if (global === true && request.namespace !== undefined && request.namespace !== GLOBAL_NAMESPACE) {
      throw new LoreError('invalid_input', 'Give either `namespace` or `global: true`, not both.');
    }
    const namespace = global === true ? GLOBAL_NAMESPACE : (request.namespace ?? this.#settings.namespace);
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
      ...(request.importance === undefined ? {} : { importance: request.importance }),
      createdAt: now,
      updatedAt: now,
    });
    const [row] = (await this.#drafting.rows([entry], signal)) as [EntryRow];
    const result = await this.#store.entries.insert(row);
    const { id } = result.entry;
    if (result.status === 'stored') this.#autoRelations.noteSaved(id);
    return await this.#receipts.receipt({ row, result, near: request.near === true, ...found });
  }

  async recall(request: RecallRequest, options: CallOptions = {}): Promise<SearchResults> {
    const namespace = request.namespace ?? this.#settings.namespace;
    const namespaces = request.includeGlobal === true ? [...new Set([namespace, GLOBAL_NAMESPACE])] : [namespace];
    return await this.#find(request, { ...scope(request), ...current(request), namespaces }, options);
  }

  async search(request: SearchRequest, options: CallOptions = {}): Promise<SearchResults> {
    const found = await this.#find(request, filterOf(request), options);
    return request.filter === undefined ? found : { ...found, filter: request.filter };
  }

  async explain(request: ExplainRequest, { signal }: CallOptions = {}): Promise<ExplainReport> {
    const entry = await this.get(request.id);
    return await explainEntry(this.#recall, entry, this.#wanted(request, filterOf(request), signal));
  }

  diagnose(request: DiagnoseRequest): Promise<Diagnosis> {
    return this.#store.diagnose(request);
  }

  async list(request: ListRequest): Promise<EntryPage> {
    if (request.allNamespaces === true && request.namespace !== undefined) {
      throw new LoreError('invalid_input', 'Give either `namespace` or `allNamespaces`, not both.');
    }
    const namespaces = request.allNamespaces === true ? {} : { namespaces: [request.namespace ?? this.#settings.namespace] };
    const limit = this.#limit(request.limit);
    const offset = request.offset ?? 0;
    const page = await this.#store.entries.list(
      { ...scope(request), ...namespaces },
      { limit, offset, sort: request.sort ?? '-createdAt' },
    );
    this.capture.note(page.entries);
    return { ...page, offset, limit };
  }

  async get(id: string): Promise<Entry> {
    const entry = await this.#store.entries.get(id);
    this.capture.note([entry]);
    const use = await this.lifecycle.usage.of(id);
    return use === undefined ? entry : { ...entry, recalls: use.recalls, lastRecalledAt: use.lastRecalledAt };
  }

  async update(id: string, given: PatchRequest, { source = 'api', signal }: CallOptions = {}): Promise<Entry> {
    const current = await this.#store.entries.get(id);
    const patch = this.#secrets.redacts(source, current.source) ? this.#secrets.redacted(given).texts : given;
    const draft = this.#revise(current, patch);
    const edited = draft.content !== current.content;
    const [row] = edited ? await this.#drafting.rows([draft], signal) : [];
    const text = edited || patch.tags !== undefined ? await searchTextOf(draft) : undefined;
    const change = (now: EntryRow): EntryRow => {
      // What another writer changed since we read is kept wherever this patch says nothing.
      const entry = this.#revise(now.entry, patch);
      return { entry, searchText: text ?? now.searchText, vectors: edited ? row?.vectors : now.vectors };
    };
    const entry = await this.#store.entries.update(id, change, source);
    if (edited || entry.namespace !== current.namespace) this.#autoRelations.noteChanged(id);
    return entry;
  }

  forget(id: string): Promise<void> {
    return this.#store.entries.remove(id);
  }

  namespaces(): Promise<readonly NamespaceSummary[]> {
    return Promise.resolve(this.#store.directory.namespaces());
  }

  health(): Promise<Health> {
    return this.#reports.health();
  }

  stats(): Promise<Stats> {
    return this.#reports.stats();
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

  /** Stops work behind the requests. The store and the embedder are closed by who opened them. */
  async close(): Promise<void> {
    this.#stopListening();
    await this.capture.close();
    await this.#autoRelations.close();
    await this.#reembedding.close();
    await this.moves.close();
    await this.lifecycle.close();
    await this.backups.close();
  }

  async #find(request: RecallRequest | SearchRequest, filter: EntryFilter, { signal }: CallOptions): Promise<SearchResults> {
    this.#autoRelations.noteRequest();
    const { collapse, explain } = request;
    const wanted = this.#wanted(request, filter, signal);
    const results = await this.#recall.find({ ...wanted, collapse, explain });
    this.lifecycle.usage.count(results.map(({ entry }) => entry.id));
    this.capture.note(results.map(({ entry }) => entry));
    return { query: request.query, mode: wanted.mode, results };
  }

  #wanted(
    { query, searchMode, limit, minScore }: Pick<SearchRequest, 'query' | 'searchMode' | 'limit' | 'minScore'>,
    filter: EntryFilter,
    signal: AbortSignal | undefined,
  ): Wanted {
    return { query, mode: searchMode ?? this.#settings.defaultMode, filter, limit: this.#limit(limit), minScore, signal };
  }

  #limit(limit: number = this.#settings.defaultLimit): number {
    if (limit > this.#settings.maxLimit) throw new LoreError('invalid_input', `limit must be at most ${this.#settings.maxLimit}`);
    return limit;
  }

  #revise(entry: Entry, patch: PatchRequest): Entry {
    const content = patch.content ?? entry.content;
    const { summary: _, entities, ...facts } = entry;
    const tags = patch.tags === undefined ? entry.tags : [...new Set(patch.tags)];
    const priority = patch.priority ?? entry.priority;
    return draftEntry({
      ...facts,
      content,
      // Names that were changed by hand stay as long as the content does.
      ...(content === entry.content && entities !== undefined ? { entities } : {}),
      namespace: patch.namespace ?? entry.namespace,
      container: patch.container ?? (entry.container === entry.namespace ? (patch.namespace ?? entry.container) : entry.container),
      tags,
      priority,
      importance: patch.importance ?? reweighed(entry, { priority, tags }),
      updatedAt: this.#clock.now(),
    });
  }
}
