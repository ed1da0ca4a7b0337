import { v7 as newId } from 'uuid';
import type { EmbedderChoice } from '../embeddings/embedder.ts';
import { GLOBAL_NAMESPACE, type Entry, type EntryFilter, type SearchMode } from '../memory/entry.ts';
import { LoreError } from '../memory/errors.ts';
import { importance } from '../memory/importance.ts';
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
import { searchText } from '../memory/tokens.ts';
import type { EntryRow } from '../store/rows.ts';
import type { Store } from '../store/store.ts';
import { Clock } from '../memory/clock.ts';
import { draftEntry, Drafting, type PassageSettings } from './drafting.ts';
import { explainEntry } from './explain-report.ts';
import type { Weights } from './fusion.ts';
import type { PriorWeights } from './priors.ts';
import { Recall, type Wanted } from './recall.ts';
import { Reembedding } from './reembedding.ts';
import { Reports } from './reports.ts';
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
  /** Longest line of an import, bytes. */
  readonly maxLineBytes: number;
  readonly autoCapture: boolean;
  readonly version: string;
  /** Whether vectors that are missing or of a stand-in are made behind the requests. */
  readonly background: boolean;
}

interface Parts {
  readonly store: Store;
  readonly choice: EmbedderChoice;
  readonly settings: ServiceSettings;
  readonly log: Log;
}

/** Everything Lore does, over one open store. */
export class MemoryService implements MemoryOperations {
  readonly #store: Store;
  readonly #settings: ServiceSettings;
  readonly #clock = new Clock();
  readonly #drafting: Drafting;
  readonly #recall: Recall;
  readonly #reembedding: Reembedding;
  readonly #transfer: Transfer;
  readonly #reports: Reports;
  readonly #stopListening: () => void;

  constructor({ store, choice, settings, log }: Parts) {
    this.#store = store;
    this.#settings = settings;
    this.#drafting = new Drafting({ embedder: () => choice.active, settings: settings.passages, log });
    const { weights, priors, passages } = settings;
    this.#recall = new Recall({ store, choice, weights, priors, passages, log });
    this.#reembedding = new Reembedding({ store, choice, drafting: this.#drafting, log, background: settings.background });
    this.#transfer = new Transfer({
      store,
      drafting: this.#drafting,
      clock: this.#clock,
      namespace: settings.namespace,
      maxLineBytes: settings.maxLineBytes,
      space: () => ({ fingerprint: choice.active.fingerprint, width: choice.active.dimensions }),
    });
    this.#reports = new Reports({ store, choice, settings, reembedding: this.#reembedding });
    this.#stopListening = choice.onChange((active) => {
      store
        .serve({ fingerprint: active.fingerprint, width: active.dimensions, kind: active.kind })
        .then(() => this.#reembedding.fillIn())
        .catch((error: unknown) => log.error({ error: String(error) }, 'the store could not take up the new model'));
    });
    this.#reembedding.fillIn();
  }

  async save(request: SaveRequest, { source = 'api', signal }: CallOptions = {}): Promise<SaveReceipt> {
    const { global, priority = 'normal', tags = [] } = request;
    if (global === true && request.namespace !== undefined && request.namespace !== GLOBAL_NAMESPACE) {
      throw new LoreError('invalid_input', 'Give either `namespace` or `global: true`, not both.');
    }
    const namespace = global === true ? GLOBAL_NAMESPACE : (request.namespace ?? this.#settings.namespace);
    const now = this.#clock.now();
    const entry = draftEntry({
      id: newId(),
      content: request.content,
      namespace,
      container: request.container ?? namespace,
      tags: [...new Set(tags)],
      priority,
      source,
      createdAt: now,
      updatedAt: now,
    });
    const [row] = (await this.#drafting.rows([entry], signal)) as [EntryRow];
    const { status, entry: stored } = await this.#store.entries.insert(row);
    const pending = (this.#store.directory.get(stored.id)?.embedder ?? '') === '';
    if (pending) this.#reembedding.fillInLater();
    return {
      ids: [stored.id],
      entry: stored,
      message:
        status === 'stored' ? 'Saved.' : 'Already there: exactly this text is stored in this namespace; its tags were merged (duplicate).',
      outcomes: [{ id: stored.id, status, vector: pending ? 'pending' : 'stored', passages: 1 + (row.vectors?.further.length ?? 0) }],
    };
  }

  async recall(request: RecallRequest, options: CallOptions = {}): Promise<SearchResults> {
    const namespace = request.namespace ?? this.#settings.namespace;
    const namespaces = request.includeGlobal === true ? [...new Set([namespace, GLOBAL_NAMESPACE])] : [namespace];
    return await this.#find(request, { ...scope(request), namespaces }, options);
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
    return { ...page, offset, limit };
  }

  get(id: string): Promise<Entry> {
    return this.#store.entries.get(id);
  }

  async update(id: string, patch: PatchRequest, { signal }: CallOptions = {}): Promise<Entry> {
    const current = await this.get(id);
    const draft = this.#revise(current, patch);
    const edited = draft.content !== current.content;
    const [row] = edited ? await this.#drafting.rows([draft], signal) : [];
    const text = edited || patch.tags !== undefined ? await searchText(draft.content, draft.tags) : undefined;
    return await this.#store.entries.update(id, (now) => {
      // What another writer changed since we read is kept wherever this patch says nothing.
      const entry = this.#revise(now.entry, patch);
      return { entry, searchText: text ?? now.searchText, vectors: edited ? row?.vectors : now.vectors };
    });
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
    await this.#reembedding.close();
  }

  async #find(request: RecallRequest | SearchRequest, filter: EntryFilter, { signal }: CallOptions): Promise<SearchResults> {
    const { collapse, explain } = request;
    const wanted = this.#wanted(request, filter, signal);
    return { query: request.query, mode: wanted.mode, results: await this.#recall.find({ ...wanted, collapse, explain }) };
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
    const { summary: _, ...facts } = entry;
    const tags = patch.tags === undefined ? entry.tags : [...new Set(patch.tags)];
    const priority = patch.priority ?? entry.priority;
    const weighed =
      patch.priority === undefined && patch.tags === undefined ? entry.importance : importance({ priority, tags, source: entry.source });
    return draftEntry({
      ...facts,
      content: patch.content ?? entry.content,
      namespace: patch.namespace ?? entry.namespace,
      container: patch.container ?? (entry.container === entry.namespace ? (patch.namespace ?? entry.container) : entry.container),
      tags,
      priority,
      importance: weighed,
      updatedAt: this.#clock.now(),
    });
  }
}

function scope({ container, tags }: { container?: string | undefined; tags?: readonly string[] | undefined }): EntryFilter {
  return { ...(container === undefined ? {} : { container }), ...(tags === undefined ? {} : { tags }) };
}

/** What a search over all namespaces narrows down to. */
function filterOf(request: Pick<SearchRequest, 'namespace' | 'container' | 'tags' | 'filter'>): EntryFilter {
  const { filter = {}, namespace } = request;
  const tags = [...new Set([...(request.tags ?? []), ...(filter.tags ?? [])])];
  const { min, max } = filter.importance ?? {};
  return {
    ...scope({ ...request, tags }),
    ...(namespace === undefined ? {} : { namespaces: [namespace] }),
    importance: { ...(min === undefined ? {} : { min }), ...(max === undefined ? {} : { max }) },
    ...(filter.createdAfter === undefined ? {} : { createdAfter: instant(filter.createdAfter) }),
    ...(filter.createdBefore === undefined ? {} : { createdBefore: instant(filter.createdBefore) }),
  };
}

/** Epoch milliseconds of an ISO 8601 text; one without a zone is UTC. */
function instant(text: string): number {
  const zoned = /(?:Z|[+-]\d\d:?\d\d)$/i.test(text) || !text.includes('T');
  return Date.parse(zoned ? text : `${text}Z`);
}
