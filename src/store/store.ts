import type { RecordBatch } from 'apache-arrow';
import type { EntryFilter } from '../memory/entry.ts';
import type { Usage } from '../memory/lifecycle.ts';
import type { Diagnosis, DiagnoseRequest } from '../memory/operations.ts';
import type { Vocabulary } from '../memory/word-statistics.ts';
import { UpkeepRuns } from '../memory/upkeep.ts';
import { Copies, dropStaging } from './backup.ts';
import { makeStoreFolder } from './creation.ts';
import { Database } from './database.ts';
import { diagnose } from './diagnosis.ts';
import { Directory } from './directory.ts';
import { KNOWN_COLUMNS, KnownReader, type Known } from './known.ts';
import { Entries } from './entries.ts';
import type { EntryChange } from './entry-changes.ts';
import { Figures } from './figures.ts';
import { besideStore, upgradeFormat, type BackupPlace } from './format-steps.ts';
import { Fresh } from './fresh-rows.ts';
import { Journal } from './journal.ts';
import type { JournalRecord } from './journal-record.ts';
import { Lexicon } from './lexicon.ts';
import { StoreLock } from './lock.ts';
import { Maintenance } from './maintenance.ts';
import { NamedEntities } from './named-entities.ts';
import { rowsOf, textOf } from './rows.ts';
import { searchKeywords, searchVectors, type Hit, type Sources, type VectorSearch } from './search.ts';
import { SideTables } from './side-tables.ts';
import { Spaces, type SpaceSettings, type VectorSpace } from './spaces.ts';
import { readLexicon, Words, writeLexicon } from './words.ts';

export interface StoreSettings extends SpaceSettings {
  /** Where a store of an older format is copied to before it is brought to this one; default beside the store. */
  readonly backups?: BackupPlace;
}

const DEFAULT_PROBES = 100;

/** Everything that is kept, in one folder, open in one process. */
export class Store {
  readonly entries: Entries;
  readonly figures: Figures;
  readonly copies: Copies;
  /** Which entries name what. */
  readonly named: NamedEntities;
  readonly #settings: StoreSettings;
  readonly #lock: StoreLock;
  readonly #database: Database;
  readonly #directory = new Directory();
  readonly #fresh = new Fresh();
  readonly #journal: Journal;
  readonly sides: SideTables;
  /** What was done to the store, by whomever. */
  readonly upkeep = new UpkeepRuns();
  /** Which vectors are searched. */
  readonly spaces: Spaces;
  #tableWords: Lexicon;
  #words: Words;
  readonly #maintenance: Maintenance;
  #counting: Promise<void> = Promise.resolve();
  #closing: Promise<void> | undefined;
  #follower: (changes: readonly EntryChange[]) => void = () => undefined;

  private constructor({ settings, space, lock, database, journal, sides, known, newestVersion }: Opened) {
    this.#settings = settings;
    this.#lock = lock;
    this.#database = database;
    this.#journal = journal;
    this.sides = sides;
    this.#directory.load(known);
    this.figures = new Figures({ database, directory: this.#directory, fresh: this.#fresh });
    this.named = new NamedEntities({ database, fresh: this.#fresh });
    this.#tableWords = new Lexicon();
    this.#words = new Words(this.#tableWords, this.#fresh);
    this.#maintenance = new Maintenance({
      database,
      fresh: this.#fresh,
      journal,
      sides,
      synced: settings.durability === 'full',
      onAdopt: (generation) => this.spaces.take(generation),
      words: () => this.#tableWords,
      whenCounted: () => this.#counting,
      rows: () => this.#directory.size,
      exclusive: (run) => this.entries.exclusive(run),
      log: settings.log,
      upkeep: this.upkeep,
    });
    this.entries = new Entries({
      database,
      directory: this.#directory,
      fresh: this.#fresh,
      journal,
      sides,
      newestVersion,
      whenRoom: () => this.#maintenance.whenRoom(),
      onChange: (changes) => {
        this.#maintenance.noteChange();
        if (changes.length > 0) this.#follower(changes);
      },
    });
    const { entries } = this;
    const maintenance = this.#maintenance;
    this.spaces = new Spaces({ settings, database, directory: this.#directory, fresh: this.#fresh, entries, maintenance }, space);
    this.copies = new Copies({
      path: settings.path,
      database,
      directory: this.#directory,
      maintenance: this.#maintenance,
      exclusive: (run) => this.entries.exclusive(run),
    });
  }

  /**
   * Opens the store of a folder, creating it where nothing is there. Rejects with `filesystem` where another process has it open or it
   * cannot be read; then nothing was changed.
   */
  static async open(settings: StoreSettings, space: VectorSpace): Promise<Store> {
    makeStoreFolder(settings.path);
    const lock = await StoreLock.acquire(settings.path);
    try {
      return await Store.#openLocked(settings, lock, space);
    } catch (error) {
      lock.release();
      throw error;
    }
  }

  static async #openLocked(settings: StoreSettings, lock: StoreLock, space: VectorSpace): Promise<Store> {
    const { path, backups = besideStore(path), log } = settings;
    const synced = settings.durability === 'full';
    await dropStaging(path);
    await upgradeFormat({ path, synced, place: backups, log });
    const known: Known[] = [];
    const reader = new KnownReader();
    const visit = (batch: RecordBatch): void => {
      for (const row of reader.read(batch)) known.push(row);
    };
    const database = await Database.open({ path: settings.path, synced }, { width: space.width, columns: KNOWN_COLUMNS, visit });
    const sides = await SideTables.open(settings.path).catch((error: unknown) => {
      database.close();
      throw error;
    });
    try {
      const { journal, records } = Journal.open(settings.path, { synced });
      const newestVersion = [...known, ...records.flatMap(versionOf)].reduce((newest, { writtenAt }) => Math.max(newest, writtenAt), 0);
      const store = new Store({ settings, space, lock, database, journal, sides, known, newestVersion });
      for (const record of records) store.entries.apply(record);
      await store.entries.reconcile(records);
      store.#counting = store.#countWords();
      await store.spaces.serve(space);
      await store.spaces.dropUnusedColumns();
      return store;
    } catch (error) {
      database.close();
      sides.close();
      throw error;
    }
  }

  get path(): string {
    return this.#settings.path;
  }

  get lock(): StoreLock {
    return this.#lock;
  }

  get directory(): Directory {
    return this.#directory;
  }

  /** How common each word is; exact from `whenCounted` on. */
  get words(): Vocabulary {
    return this.#words;
  }

  /** `idle`, or what is running behind the requests. */
  get maintenance(): string {
    return this.#maintenance.state;
  }

  get maintenanceFailures(): number {
    return this.#maintenance.failures;
  }

  /** Tells every commit that did something to entries, whoever asked for it, as soon as it is safe. One can follow. */
  tell(follower: (changes: readonly EntryChange[]) => void): void {
    this.#follower = follower;
  }

  whenCounted(): Promise<void> {
    return this.#counting;
  }

  /** Nearest entries within one space; scores are cosines. */
  async searchVectors(search: Pick<VectorSearch, 'vector' | 'fingerprint' | 'filter' | 'limit'>): Promise<Hit[]> {
    const embedders = this.#directory.embedders();
    if (!embedders.has(search.fingerprint)) return [];
    const columns = this.#database.columnsFor(search.vector.length);
    return await searchVectors(this.#sources(), {
      ...search,
      filter: this.#directory.simplify(search.filter),
      columns,
      // Rows without a vector are never found anyway, so one space needs no predicate.
      mixed: [...embedders.keys()].filter((other) => other !== '').length > 1,
      index: this.spaces.indexUse(columns.first),
      passages: this.#directory.longTexts > 0,
      cache: this.spaces.cacheOf(search.fingerprint),
    });
  }

  /** How well the indexes agree with the rows; reads the whole table once. */
  async diagnose({ probes = DEFAULT_PROBES }: DiagnoseRequest): Promise<Diagnosis> {
    const { fingerprint, width } = this.spaces.current;
    const columns = this.#database.columnsFor(width);
    const { snapshot } = this.#database;
    const index = this.spaces.indexUse(columns.first);
    // That kind is built for every version anew.
    const builtAt = index?.kind === 'ivf_rq' ? snapshot.committedAt : this.#maintenance.indexBuiltAt;
    const parts = { snapshot, directory: this.#directory, fresh: this.#fresh, columns, fingerprint, index, builtAt };
    return await snapshot.during(() => diagnose(parts, probes));
  }

  /** Entries that hold any of the tokens, best first; scores are BM25. Up to `limit` of the table, and of the newest rows as many. */
  searchKeywords(search: { tokens: readonly string[]; filter: EntryFilter; limit: number }): Promise<Hit[]> {
    return searchKeywords(this.#sources(), { ...search, filter: this.#directory.simplify(search.filter), words: this.#words });
  }

  #sources(): Sources {
    // In this order: see `Fresh.generations`.
    const { generations } = this.#fresh;
    return { generations, snapshot: this.#database.snapshot };
  }

  /** Keeps how often entries were recalled, without a new version of any. */
  keepUsage(usage: readonly Usage[]): Promise<void> {
    return this.#maintenance.between(() => this.sides.keepUsage(usage, this.#settings.durability === 'full'));
  }

  /** Runs the work that otherwise waits for a quiet moment, and resolves when it is done. */
  optimize(): Promise<void> {
    return this.#maintenance.runNow();
  }

  /** For a short command that wrote much: does the work behind it, so that the next command need not. */
  leaveTidy(): Promise<void> {
    return this.#maintenance.runIfUrgent();
  }

  /** Finishes accepted writes and running maintenance, closes the tables, gives the lock back. Safe to repeat. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    this.spaces.close();
    await this.#maintenance.close();
    await this.entries.close();
    await this.#counting
      .then(() => writeLexicon(this.path, this.#database.snapshot.version, this.#tableWords))
      // What was not counted to its end, or could not be written, is counted at the next start.
      .catch(() => undefined);
    this.#journal.close();
    this.#database.close();
    this.sides.close();
    this.#lock.release();
  }

  /** Also warms the search texts: they are read on the way, or soon asked for. */
  async #countWords(): Promise<void> {
    const kept = await readLexicon(this.path, this.#database.snapshot.version);
    if (kept !== undefined) {
      this.#tableWords = kept;
      this.#words = new Words(kept, this.#fresh);
      return;
    }
    const columns = ['id', 'search_text', 'written_at'];
    for await (const batch of this.#database.reader.query().select(columns)) {
      for (const row of rowsOf(batch, columns)) {
        this.#tableWords.add(textOf(row, 'search_text'));
        this.entries.offerSearchText(row);
      }
    }
  }
}

interface Opened {
  readonly settings: StoreSettings;
  readonly space: VectorSpace;
  readonly lock: StoreLock;
  readonly database: Database;
  readonly journal: Journal;
  readonly sides: SideTables;
  readonly known: readonly Known[];
  readonly newestVersion: number;
}

function versionOf(record: JournalRecord): readonly { readonly writtenAt: number }[] {
  if (record.op === 'side') return [];
  return [record.op === 'put' ? record.row : record];
}
