import type { RecordBatch } from 'apache-arrow';
import type { EntryFilter } from '../memory/entry.ts';
import type { Usage } from '../memory/lifecycle.ts';
import { DEFAULT_PROBES, type DiagnoseRequest, type IndexDiagnosis } from '../memory/operations/diagnosis.ts';
import { noTelemetry, type Telemetry } from '../memory/telemetry.ts';
import type { Vocabulary } from '../memory/words/word-statistics.ts';
import { MaintenanceRuns } from '../memory/maintenance-runs.ts';
import { Copies } from './backup/backup.ts';
import { CountedWords } from './read/counted-words.ts';
import { Database } from './tables/database.ts';
import { diagnose } from './recovery/diagnosis.ts';
import { Catalog } from './catalog/catalog.ts';
import { catalogEntryColumns, CatalogEntryReader, type CatalogEntry } from './catalog/catalog-entry.ts';
import { Entries } from './write/entries.ts';
import type { EntryChange } from './write/entry-changes.ts';
import { Figures } from './read/figures.ts';
import { FolderBackend } from './backends/folder/folder-backend.ts';
import { Memtables } from './memtable/memtable.ts';
import { IndexGuard } from './read/index-guard.ts';
import { brokenIndexText } from './tables/indexes.ts';
import { versionsOf, type LogRecord } from './format/log-record.ts';
import { watchStore } from './read/gauges.ts';
import { Compactor } from './compaction/compactor.ts';
import { nearestInMemory, type NeighbourSearch } from './read/neighbours.ts';
import { NamedEntities } from './read/named-entities.ts';
import type { FoundDamage } from './files/quarantine.ts';
import { Resharding } from './compaction/resharding.ts';
import { passageCosines, type CosineQuery } from './read/passage-cosines.ts';
import { phraseInMemory, searchPhrase, type PhraseSearch } from './read/phrase-search.ts';
import { entriesWith, type TokenLists } from './read/word-matches.ts';
import { searchKeywords, searchVectors, type Hit, type IndexUse, type Searchable, type VectorSearch } from './read/search.ts';
import { AuxiliaryTables } from './tables/auxiliary-tables.ts';
import type { Snapshot } from './tables/snapshot.ts';
import { Spaces } from './vectors/spaces.ts';
import type { VectorSpace } from './format/vector-space.ts';
import type { LockedStore, StoreBackend } from './backends/backend.ts';
import type { Wal, SegmentEnd } from './wal/wal.ts';
import type { OpenedStore } from './opened-store.ts';
import { openBackend, type StoreSettings } from './store-settings.ts';
import { Verification } from './recovery/verification.ts';
import { UNREADABLE_ROWS } from './read/words.ts';

/** A store, open in this process. */
export class Store {
  readonly entries: Entries;
  readonly figures: Figures;
  readonly copies: Copies;
  /** Finds entries by entity. */
  readonly named: NamedEntities;
  readonly #settings: StoreSettings;
  /** The backend, and whether it responds. */
  readonly backend: StoreBackend;
  readonly #telemetry: Telemetry;
  readonly #database: Database;
  readonly catalog = new Catalog();
  readonly #memtables = new Memtables();
  readonly #wal: Wal;
  readonly auxiliary: AuxiliaryTables;
  /** Compares the data on disk with its checksums. */
  readonly verification: Verification;
  /** Record of maintenance work. */
  readonly maintenanceRuns = new MaintenanceRuns();
  /** The active vector space. */
  readonly spaces: Spaces;
  readonly #words: CountedWords;
  readonly #compactor: Compactor;
  readonly #guard: IndexGuard;
  readonly #resharding: Resharding;
  #closing: Promise<void> | undefined;
  readonly #followers: ((changes: readonly EntryChange[]) => void)[] = [];

  private constructor({ settings, space, backend, database, wal, auxiliary, catalogEntries, newestVersion }: OpenedStore) {
    this.#settings = settings;
    this.backend = backend;
    const telemetry = (this.#telemetry = settings.telemetry ?? noTelemetry);
    this.#database = database;
    this.#wal = wal;
    this.auxiliary = auxiliary;
    this.catalog.load(catalogEntries);
    this.figures = new Figures({ backend, database, catalog: this.catalog, memtables: this.#memtables, wal });
    this.named = new NamedEntities({ database, memtables: this.#memtables });
    this.#words = new CountedWords({ memtables: this.#memtables, database, folder: backend.localPath });
    this.#compactor = new Compactor({
      tables: backend.tables,
      catalog: this.catalog,
      database,
      memtables: this.#memtables,
      wal,
      auxiliary,
      spaces: () => this.spaces,
      onRenewed: (columns) => backend.tables.quarantine.note({ message: brokenIndexText(columns), mayLose: false }),
      words: () => this.#words.table,
      whenCounted: () => this.#words.whenCounted(),
      rows: () => this.catalog.size,
      exclusive: (run) => this.entries.exclusive(run),
      onFailure: (error) => backend.space.noteFailure(error),
      log: settings.log,
      maintenanceRuns: this.maintenanceRuns,
      telemetry,
    });
    this.entries = new Entries({
      database,
      catalog: this.catalog,
      memtables: this.#memtables,
      wal,
      auxiliary,
      newestVersion,
      telemetry,
      reserve: backend.space,
      whenRoom: () => this.#compactor.whenRoom(),
      onChange: (changes) => {
        this.#compactor.noteChange();
        if (changes.length > 0) for (const follower of this.#followers) follower(changes);
      },
    });
    this.#follow(wal);
    const [entries, compactor] = [this.entries, this.#compactor];
    const renewIndexes = (): Promise<void> => compactor.renewIndexes();
    this.verification = new Verification({ tables: backend.tables, database, memtables: this.#memtables, auxiliary, renewIndexes });
    this.#guard = new IndexGuard(renewIndexes, settings);
    this.spaces = new Spaces({ settings, database, catalog: this.catalog, memtables: this.#memtables, entries, compactor }, space);
    const [whenCounted, { log }] = [(): Promise<void> => this.#words.whenCounted(), settings];
    this.#resharding = new Resharding({ tables: backend.tables, database, catalog: this.catalog, compactor, whenCounted, log });
    this.copies = new Copies({ backend, database, catalog: this.catalog, compactor, exclusive: (run) => entries.exclusive(run) });
    watchStore(telemetry, { database, catalog: this.catalog, memtables: this.#memtables, entries, figures: this.figures, wal });
  }

  /**
   * Opens a store, and creates a missing one unless `create` is false; then it rejects with `not_found`. Rejects with `filesystem`,
   * changing nothing, if another process has it open exclusively or it cannot be read.
   */
  static async open(settings: StoreSettings, space: VectorSpace): Promise<Store> {
    try {
      return await Store.#openOnce(settings, space);
    } catch (error) {
      if (!FolderBackend.mayTryAgain(settings.path, error)) throw error;
      return await Store.#openOnce(settings, space);
    }
  }

  static async #openOnce(settings: StoreSettings, space: VectorSpace): Promise<Store> {
    const backend = await openBackend(settings, space);
    try {
      return await Store.#openAt(backend, settings, space);
    } catch (error) {
      backend.release();
      throw error;
    }
  }

  static async #openAt(backend: StoreBackend, settings: StoreSettings, space: VectorSpace): Promise<Store> {
    const catalogEntries: CatalogEntry[] = [];
    const reader = new CatalogEntryReader();
    const visit = (batch: RecordBatch): void => {
      for (const row of reader.read(batch)) catalogEntries.push(row);
    };
    const database = await Database.open(backend.tables, { width: space.width, columns: catalogEntryColumns(), visit });
    let [auxiliary, wal, store]: [AuxiliaryTables?, Wal?, Store?] = [];
    try {
      auxiliary = await AuxiliaryTables.open(backend.tables, settings);
      const opened = await backend.openWal();
      wal = opened.wal;
      const records = opened.beginning.filter((step) => step.op !== 'freeze');
      const newestVersion = [...catalogEntries, ...records.flatMap(versionsOf)].reduce((newest, row) => Math.max(newest, row.writtenAt), 0);
      store = new Store({ settings, space, backend, database, wal, auxiliary, catalogEntries, newestVersion });
      store.#begin(opened.beginning);
      const { entries } = store;
      await entries.reconcile(records, backend.tables.abilities);
      // Also fills the cache of search texts, which are read anyway or needed soon.
      store.#words.begin(
        (row) => entries.offerSearchText(row),
        () => backend.tables.quarantine.note(UNREADABLE_ROWS),
      );
      // The model of a shared store may differ from this server's.
      if (!backend.tables.abilities.shared || database.holds(space.width)) await store.spaces.serve(space);
      if (!backend.tables.abilities.shared) await store.spaces.dropUnusedColumns();
      await backend.space.begin();
      wal.begin();
      if (settings.shards !== undefined && settings.mayMaintain !== false) store.#resharding.begin(settings.shards);
      return store;
    } catch (error) {
      // Background work must not continue in a folder that another process may open now.
      if (store !== undefined) await store.#stopWork();
      await wal?.close();
      database.close();
      auxiliary?.close();
      throw error;
    }
  }

  #follow(wal: Wal): void {
    wal.follow({
      records: (records) => this.entries.take(records),
      freeze: (end) => this.#compactor.freeze(end),
      written: (part, written) => this.#compactor.follow(part, written),
      duty: () => this.#compactor.noteChange(),
    });
  }

  #begin(steps: readonly (LogRecord | SegmentEnd)[]): void {
    for (const step of steps) {
      if (step.op === 'freeze') this.#compactor.freeze(step);
      else this.entries.apply(step);
    }
  }

  get path(): string {
    return this.#settings.path;
  }

  /** Local folder for files of this process: the store folder, if it is local. */
  get localPath(): string {
    return this.backend.localPath;
  }

  /** What can be done with its tables. */
  get abilities(): StoreBackend['tables']['abilities'] {
    return this.backend.tables.abilities;
  }

  /** Whether this process maintains the tables: always true for an exclusive store. */
  get maintains(): boolean {
    return this.#wal.maintains;
  }

  /** Resolves when all changes that others made before the call are visible. Rejects with `unavailable`. */
  catchUp(): Promise<void> {
    return this.#wal.catchUp();
  }

  /** Damage found at the opening and since. */
  get damages(): readonly FoundDamage[] {
    return this.backend.tables.quarantine.damages;
  }

  get hold(): LockedStore {
    return this.backend.hold;
  }

  /** Document frequencies; exact after `whenCounted`. */
  get words(): Vocabulary {
    return this.#words.all;
  }

  /** `idle`, or the background work that is running. */
  get maintenance(): string {
    return this.#resharding.isRunning ? 'spreading entries over tables' : this.#compactor.state;
  }

  /** Whether saves are refused because the disk is full. */
  get isDiskFull(): boolean {
    return this.backend.space.isFull;
  }

  get maintenanceFailures(): number {
    return this.#compactor.failures;
  }

  /** Whether it accepts writes now, as far as can be known without writing. */
  async isWritable(): Promise<boolean> {
    return this.#closing === undefined && !this.#wal.isBroken && !this.#compactor.isStuck && (await this.backend.isWritable());
  }

  /** Calls back for every commit that changed entries, as soon as it is durable. */
  tell(follower: (changes: readonly EntryChange[]) => void): void {
    this.#followers.push(follower);
  }

  whenCounted(): Promise<void> {
    return this.#words.whenCounted();
  }

  /** Nearest entries within one space; scores are cosines. */
  async searchVectors(search: Pick<VectorSearch, 'vector' | 'fingerprint' | 'filter' | 'limit'>): Promise<Hit[]> {
    const embedders = this.catalog.embedders();
    if (!embedders.has(search.fingerprint)) return [];
    const columns = this.#database.columnsFor(search.vector.length);
    const wanted = (): VectorSearch => ({
      ...search,
      filter: this.catalog.simplify(search.filter),
      columns,
      // Rows without a vector are never found, so a single space needs no predicate.
      mixed: [...embedders.keys()].filter((other) => other !== '').length > 1,
      indexOf: (part) => this.spaces.indexUse(columns.first, part),
      passages: this.catalog.longTexts > 0,
      cache: this.spaces.cacheOf(search.fingerprint),
      newer: this.catalog.newer,
    });
    return await this.#telemetry.timed('vector search', () => this.#guard.run(() => searchVectors(this.#searchable(), wanted())));
  }

  /** Nearest entries of one namespace within one space of words, without a query: see `nearestInMemory`. */
  neighbours(search: NeighbourSearch): Hit[] | undefined {
    return nearestInMemory({ spaces: this.spaces, memtables: this.#memtables.all, catalog: this.catalog }, search);
  }

  /** Id -> cosine of each of its passages to a vector of one space; entries without vectors of it are left out. */
  passageCosines(wanted: CosineQuery): Promise<Map<string, readonly number[]>> {
    return passageCosines({ memtables: this.#memtables, entries: this.entries, cache: this.spaces.cacheOf(wanted.fingerprint) }, wanted);
  }

  /** Compares the indexes with the rows; reads all tables once. */
  async diagnose({ probes = DEFAULT_PROBES }: DiagnoseRequest): Promise<IndexDiagnosis> {
    const { fingerprint, width } = this.spaces.current;
    const columns = this.#database.columnsFor(width);
    const { view } = this.#database;
    const indexOf = (part: Snapshot): IndexUse | undefined => this.spaces.indexUse(columns.first, part);
    const builtAt = this.spaces.indexBuiltAt(columns.first, view.parts);
    const parts = { view, catalog: this.catalog, memtables: this.#memtables, columns, fingerprint, indexOf, builtAt };
    return await view.during(() => diagnose(parts, probes));
  }

  /** Entries with any of the tokens, best first; scores are BM25. Up to `limit` from the table, and as many from the memtable. */
  searchKeywords(search: { tokens: readonly string[]; filter: EntryFilter; limit: number }): Promise<Hit[]> {
    const wanted = { ...search, filter: this.catalog.simplify(search.filter), words: this.#words.all, newer: this.catalog.newer };
    return this.#telemetry.timed('keyword search', () => this.#guard.run(() => searchKeywords(this.#searchable(), wanted)));
  }

  /** Entries that may equal a text or contain it, unordered. */
  async searchPhrase(search: PhraseSearch): Promise<string[]> {
    const wanted = { ...search, filter: this.catalog.simplify(search.filter) };
    return phraseInMemory(this, wanted) ?? (await this.#guard.run(() => searchPhrase(this.#searchable(), wanted)));
  }

  /** Ids of all entries in these namespaces that contain every token of one of the lists. */
  entriesWith(lists: TokenLists, namespaces?: readonly string[]): Promise<ReadonlySet<string>> {
    return this.#guard.run(() => entriesWith(this.#searchable(), lists, namespaces));
  }

  #searchable(): Searchable {
    // In this order: see `Memtables.all`.
    return { memtables: this.#memtables.all, view: this.#database.view };
  }

  /** Stores use counts without new entry versions. `counted`: the new part; default all. */
  keepUsage(sums: readonly Usage[], counted = sums): Promise<void> {
    return this.abilities.shared ? this.entries.changes.addUsage(counted) : this.#compactor.between(() => this.auxiliary.keepUsage(sums));
  }

  /** Runs maintenance now, and resolves when it is done. */
  optimize(): Promise<void> {
    return this.#compactor.runNow();
  }

  /** For a short command that wrote much and is about to close: runs the maintenance, so that the next command need not. */
  leaveTidy(): Promise<void> {
    return this.#compactor.leaveTidy();
  }

  /** Finishes accepted writes and running maintenance, closes the tables, releases the lock. Safe to repeat. */
  close(): Promise<void> {
    return (this.#closing ??= this.#close());
  }

  async #close(): Promise<void> {
    await this.#stopWork();
    await this.#words.keep();
    await this.#wal.close();
    this.#database.close();
    this.auxiliary.close();
    this.backend.release();
  }

  /** Finishes accepted and running work, and starts nothing more. */
  async #stopWork(): Promise<void> {
    await this.backend.space.close();
    this.spaces.close();
    await this.#resharding.close();
    await this.#compactor.close();
    await this.entries.close();
  }
}
